#include "kernels/engines/requests/execute.cuh"
#include "kernels/engines/rows.hh"

namespace crx {
namespace {

/// On a GPU a thread is stopped between events alone. What comes before the first event, or happens
/// in one, takes it about half a second with so many requests, by count
/// (docs/decisions/130-long-instances-in-slices.md).
constexpr std::int64_t most_gpu_requests = 1 << 16;

class RequestEngineRunner final : public RequestsRunner
{
  public:
    using RequestsRunner::RequestsRunner;

    static std::string refusal(PolicySpec const&, EngineCase const& c)
    {
        return c.order != nullptr ? "the policy is run by itself" : "";
    }
    static double cost(PolicySpec const&, EngineCase const&) { return 1; }
    static std::size_t bytes(PolicySpec const& spec, EngineCase const& c)
    {
        return engine_bytes(spec, c.workload.requests);
    }

  protected:
    std::optional<Outcome> run(Requests const& requests, std::int64_t instance, Arena& arena,
                               ScheduleLog const& log) override
    {
        return with_policy(spec_, [&](auto const& policy) {
            return execute_requests(policy, requests, seed_, static_cast<std::uint64_t>(instance),
                                    arena, log);
        });
    }
};

std::string gpu_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = RequestEngineRunner::refusal(spec, c); !reason.empty()) return reason;
    if (c.workload.requests > most_gpu_requests)
        return "there are more than " + std::to_string(most_gpu_requests) + " requests";
    return {};
}

} // namespace

constinit Engine const requests_engine = make_row<RequestEngineRunner>({
    .name = "requests",
    .summary = "every policy and workload, request by request, from event to event",
    .law = RandomLaw::request,
    .portable = true,
});

constinit Engine const gpu_requests_engine = make_gpu_row<RequestEngineRunner>({
    .name = "requests",
    .summary = "every policy, up to 65,536 requests, an instance a thread",
    .law = RandomLaw::request,
    .portable = true,
    .own_refusal = gpu_refusal,
});

} // namespace crx

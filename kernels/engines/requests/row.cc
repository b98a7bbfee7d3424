#include "kernels/engines/lazy_instances.hh"
#include "kernels/engines/requests/execute.cuh"
#include "kernels/engines/rows.hh"

namespace crx {
namespace {

std::string refusal(PolicySpec const&, EngineCase const& c)
{
    return c.order != nullptr ? "the policy's order is made beforehand" : "";
}

/// On a GPU a thread is stopped between events alone. What comes before the first event, or happens
/// in one, takes it about half a second with so many requests, by count
/// (docs/decisions/130-long-instances-in-slices.md).
constexpr std::int64_t most_gpu_requests = 1 << 16;

std::string gpu_request_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = refusal(spec, c); !reason.empty()) return reason;
    if (c.workload.requests > most_gpu_requests)
        return "there are more than " + std::to_string(most_gpu_requests) + " requests";
    return {};
}

double cost(PolicySpec const&, EngineCase const&) { return 1; }

std::size_t bytes(PolicySpec const& spec, EngineCase const& c)
{
    return engine_bytes(spec, c.workload.requests);
}

class RequestRunner final : public BatchRunner
{
  public:
    RequestRunner(PolicySpec const& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        auto const& requests = instances.requests(range.first);
        Arena arena(instances.scratch(), instances.scratch_bytes());
        *outcomes = with_policy(spec_, [&](auto const& policy) {
            return execute_requests(policy, requests, seed_,
                                    static_cast<std::uint64_t>(range.first), arena, log);
        });
    }

  private:
    PolicySpec spec_;
    std::uint64_t seed_;
};

std::unique_ptr<BatchRunner> make(PolicySpec const& spec, EngineCase const& c)
{
    return std::make_unique<RequestRunner>(spec, c.workload.seed);
}

} // namespace

constinit Engine const requests_engine{
    .name = "requests",
    .summary = "every policy and workload, request by request, from event to event",
    .processor = Processor::cpu,
    .law = RandomLaw::request,
    .portable = true,
    .own_refusal = refusal,
    .cost = cost,
    .bytes = bytes,
    .make = make,
};

constinit Engine const gpu_requests_engine{
    .name = "requests",
    .summary = "every policy, up to 65,536 requests, an instance a thread",
    .processor = Processor::gpu,
    .law = RandomLaw::request,
    .portable = true,
    .own_refusal = gpu_request_refusal,
    .cost = cost,
};

} // namespace crx

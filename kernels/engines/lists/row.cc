#include "kernels/engines/lazy_instances.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/policy_info.hh"

namespace crx {
namespace {

std::string refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (c.order != nullptr) return "the policy's order is made beforehand";
    auto const& policy = policy_info(spec.kind);
    if (!with_policy(spec, []<class P>(P const&) { return serves_in_order<P>; }))
        return "the policy cancels, or its order is not fixed at the start";
    if (!policy.knows_lengths && c.source == nullptr &&
        c.workload.interval.kind != IntervalKind::exact)
        return "the policy plans with a length that may not be the true one";
    if (!c.at_zero()) return "requests arrive over time";
    if (c.workload.clock.affine()) return "rounds last by the affine clock";
    return {};
}

double cost(PolicySpec const&, EngineCase const&) { return 0.3; }

std::size_t bytes(PolicySpec const&, EngineCase const& c)
{
    return execute_list_bytes(c.workload.requests);
}

class ListRunner final : public BatchRunner
{
  public:
    ListRunner(PolicySpec const& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        auto const& requests = instances.requests(range.first);
        Arena arena(instances.scratch(), instances.scratch_bytes());
        outcomes->reset();
        with_policy(spec_, [&]<class P>(P const& policy) {
            if constexpr (serves_in_order<P>)
                if (is_list_schedule(policy, requests))
                    *outcomes = execute_list(policy, requests, seed_,
                                             static_cast<std::uint64_t>(range.first), arena, log);
        });
    }

  private:
    PolicySpec spec_;
    std::uint64_t seed_;
};

std::unique_ptr<BatchRunner> make(PolicySpec const& spec, EngineCase const& c)
{
    return std::make_unique<ListRunner>(spec, c.workload.seed);
}

std::string warp_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (auto reason = refusal(spec, c); !reason.empty()) return reason;
    if (c.workload.memory > INT32_MAX / 2) return "the memory is 2^30 tokens or more";
    return {};
}

} // namespace

constinit Engine const list_schedule_engine{
    .name = "list-schedule",
    .summary = "orders known beforehand, true lengths, all at 0: one look a start, no rounds",
    .processor = Processor::cpu,
    .law = RandomLaw::request,
    .own_refusal = refusal,
    .cost = cost,
    .bytes = bytes,
    .make = make,
};

constinit Engine const list_schedule_warp_engine{
    .name = "list-schedule-warp",
    .summary = "list-schedule, an instance a warp",
    .processor = Processor::gpu,
    .law = RandomLaw::request,
    .own_refusal = warp_refusal,
    .cost = cost,
};

} // namespace crx

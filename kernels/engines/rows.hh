#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/lazy_instances.hh"
#include "kernels/engines/registry.hh"

namespace crx {

/// Why engines that know the usual A_min alone do not take another; empty: it is the usual one.
inline std::string refusal_of_unusual_a_min(PolicySpec const& spec)
{
    if (spec.learns != Learns::reached)
        return "it learns what is reached alone, not what is exceeded";
    if (spec.evicts != Evicts::least_bound) return "it cancels the least working length alone";
    return {};
}

// The rows of the registry, each defined in its engine's folder.
extern Engine const requests_engine, given_order_engine, cohorts_engine, list_schedule_engine,
    mc_sf_batch_engine, a_min_small_engine, fixed_length_batch_engine, a_max_batch_engine,
    a_min_batch_engine, own_policy_engine;
extern Engine const gpu_requests_engine, gpu_cohorts_engine, list_schedule_warp_engine,
    gpu_mc_sf_batch_engine, a_min_small_warp_engine, gpu_fixed_length_batch_engine,
    gpu_a_max_batch_engine;

/// The row of an engine of the CPU: a BatchRunner that is made of PolicySpec and EngineCase, with
/// `refusal`, `cost` and, where a thread needs scratch memory, `bytes` as static functions. Of
/// `row` the rest is taken.
template <class Runner>
constexpr Engine make_row(Engine row)
{
    row.processor = Processor::cpu;
    row.own_refusal = Runner::refusal;
    row.cost = Runner::cost;
    if constexpr (requires { &Runner::bytes; }) row.bytes = Runner::bytes;
    row.make = [](PolicySpec const& spec, EngineCase const& c) -> std::unique_ptr<BatchRunner> {
        return std::make_unique<Runner>(spec, c);
    };
    return row;
}

/// The row of a GPU for what Runner runs on the CPU: its cost, and its refusal where `row` has
/// none.
template <class Runner>
constexpr Engine make_gpu_row(Engine row)
{
    row.processor = Processor::gpu;
    if (row.own_refusal == nullptr) row.own_refusal = Runner::refusal;
    row.cost = Runner::cost;
    return row;
}

/// Runs instances one by one, each from its requests.
class RequestsRunner : public BatchRunner
{
  public:
    RequestsRunner(PolicySpec const& spec, EngineCase const& c)
        : spec_(spec), seed_(c.workload.seed)
    {
    }

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) final
    {
        Arena arena(instances.scratch(), instances.scratch_bytes());
        *outcomes = run(instances.requests(range.first), range.first, arena, log);
    }

  protected:
    /// Nothing: the engine does not take the instance.
    virtual std::optional<Outcome> run(Requests const& requests, std::int64_t instance,
                                       Arena& arena, ScheduleLog const& log) = 0;

    PolicySpec spec_;
    std::uint64_t seed_;
};

} // namespace crx

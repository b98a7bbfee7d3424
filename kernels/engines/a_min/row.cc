#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/min_length.cuh"

namespace crx {

std::size_t a_min_small_batch_bytes(std::int64_t n, SimdLevel level)
{
    auto* const bytes = CRX_AT_LEVEL(level, waiting_queue_bytes);
    if (bytes == nullptr || n > a_min_small_requests) return 0;
    // And for each a place of its own, for the one kept apart.
    return a_min_small_batch_size * (bytes(n) + sizeof(std::uint32_t));
}

void execute_a_min_small(AMinSmallRun const& run, SimdLevel level)
{
    CRX_EXPECT(run.count <= a_min_small_batch_size);
    for (int k = 0; k < run.count; ++k) run.outcomes[k].reset();
    if (auto* const execute = CRX_AT_LEVEL(level, run_a_min_small)) execute(run);
}

namespace {

/// Why the instances are not of the kind that these engines take.
std::string instance_refusal(EngineCase const& c)
{
    auto const& w = c.workload;
    if (w.requests > a_min_small_requests)
        return "there are more than " + std::to_string(a_min_small_requests) + " requests";
    if (w.memory > a_min_small_memory)
        return "the memory is more than " + std::to_string(a_min_small_memory) + " tokens";
    if (w.clock.affine()) return "rounds last by the affine clock";
    if (!c.at_zero()) return "requests arrive over time";
    return {};
}

class AMinSmallRunner final : public BatchRunner
{
  public:
    AMinSmallRunner(PolicySpec const&, EngineCase const& c)
        : BatchRunner(a_min_small_batch_size), seed_(c.workload.seed), simd_(c.simd)
    {
    }

    static std::string refusal(PolicySpec const& spec, EngineCase const& c)
    {
        if (c.order != nullptr || spec.kind != MinLength::kind) return "it runs a-min alone";
        if (auto reason = refusal_of_unusual_a_min(spec); !reason.empty()) return reason;
        if (auto reason = c.vectors_refusal(); !reason.empty()) return reason;
        if (c.workload.requests < 2) return "there is one request";
        return instance_refusal(c);
    }
    static double cost(PolicySpec const&, EngineCase const&) { return 0.2; }
    static std::size_t bytes(PolicySpec const&, EngineCase const& c)
    {
        return a_min_small_batch_bytes(c.workload.requests, c.simd);
    }

    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        Requests requests[a_min_small_batch_size];
        auto const count = static_cast<int>(range.count);
        for (int k = 0; k < count; ++k) requests[k] = instances.requests(range.first + k);
        Arena arena(instances.scratch(), instances.scratch_bytes());
        execute_a_min_small({requests, count, seed_,
                             stream_policy + static_cast<std::uint32_t>(MinLength::kind),
                             static_cast<std::uint64_t>(range.first), log, arena, outcomes},
                            simd_);
    }

  private:
    std::uint64_t seed_;
    SimdLevel simd_;
};

std::string warp_refusal(PolicySpec const& spec, EngineCase const& c)
{
    if (spec.kind != MinLength::kind && spec.kind != MinLengthEvict::kind)
        return "it runs a-min and a-min-evict alone";
    if (auto reason = refusal_of_unusual_a_min(spec); !reason.empty()) return reason;
    return instance_refusal(c);
}

} // namespace

constinit Engine const a_min_small_engine = make_row<AMinSmallRunner>({
    .name = "a-min-small",
    .summary = "a-min side by side on instances in which few requests run at a time",
    .law = RandomLaw::request,
    .instances = a_min_small_batch_size,
    .least = 6,
});

constinit Engine const a_min_small_warp_engine = make_gpu_row<AMinSmallRunner>({
    .name = "a-min-small-warp",
    .summary = "a-min and a-min-evict where few requests run at a time, an instance a warp",
    .law = RandomLaw::request,
    .own_refusal = warp_refusal,
});

} // namespace crx

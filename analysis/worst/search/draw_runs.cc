#include "analysis/worst/search/draw_runs.hh"

#include "kernels/cpu/policy_run.hh"

#include <algorithm>
#include <bit>

namespace crx::worst {

/// A law that always gives the same instance.
class DrawRuns::SameInstance final : public InstanceSource
{
  public:
    OwnedInstance const* instance = nullptr;
    std::int64_t requests = 0; ///< the most that there is room for
    Tokens memory = 0;
    bool at_zero = true; ///< so far; an instance with arrivals makes it false for ever

    void generate(std::uint64_t, std::uint64_t, Requests& r) const override
    {
        r.n = instance->requests();
        r.memory = instance->memory;
        std::ranges::copy(instance->arrival, r.arrival);
        std::ranges::copy(instance->prompt, r.prompt);
        std::ranges::copy(instance->output, r.output);
        std::ranges::copy(instance->lower, r.lower);
        std::ranges::copy(instance->upper, r.upper);
    }
    std::int64_t most_requests() const override { return requests; }
    Tokens most_memory() const override { return memory; }
    bool together() const override { return at_zero; }
    std::vector<std::pair<std::string, std::string>> identity() const override { return {}; }
};

DrawRuns::DrawRuns(PolicySpec const& spec, std::uint64_t seed)
    : source_(std::make_shared<SameInstance>())
{
    cell_.workload.seed = seed;
    cell_.policies = {spec};
    for (auto& wanted : cell_.baseline) wanted = false;
    cell_.source = source_;
}

void DrawRuns::make_room(OwnedInstance const& instance)
{
    auto& source = *source_;
    source.instance = &instance;
    auto const at_zero =
        source.at_zero && std::ranges::all_of(instance.arrival, [](Instant a) { return a == 0; });
    if (engines_ && at_zero == source.at_zero && instance.requests() <= source.requests &&
        instance.memory <= source.memory)
        return;
    auto const room = [](std::int64_t least, std::int64_t so_far) {
        auto const most = static_cast<std::uint64_t>(std::max(least, so_far));
        return static_cast<std::int64_t>(std::bit_ceil(most));
    };
    source.at_zero = at_zero;
    cell_.workload.requests = source.requests = room(instance.requests(), source.requests);
    cell_.workload.memory = source.memory = room(instance.memory, source.memory);
    engines_.emplace(cell_, Processor::cpu);
    generator_.emplace(view_of(cell_.workload));
}

std::optional<std::int64_t> DrawRuns::sum(OwnedInstance const& instance, std::int64_t draws,
                                          Measure measure)
{
    CRX_EXPECT(draws >= 1 && measure != Measure::p99);
    make_room(instance);
    PolicyRun run(engines_->runs.front());
    LazyInstances instances(engine_case(cell_, nullptr), *generator_, room_for(cell_, *engines_));
    std::int64_t total = 0;
    for (std::int64_t k = 0; k < draws; ++k) {
        auto const& outcome = run.execute(k, draws, instances, {});
        if (outcome.finished == 0) return std::nullopt;
        total += measure == Measure::makespan ? outcome.makespan : outcome.total_latency;
    }
    return total;
}

} // namespace crx::worst

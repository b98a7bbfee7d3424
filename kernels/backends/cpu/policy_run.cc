#include "kernels/backends/cpu/policy_run.hh"

#include "kernels/backends/cpu/denominators.hh"

#include <algorithm>

namespace crx {

PolicyRun::PolicyRun(PolicyEngines const& engines)
{
    CRX_EXPECT(!engines.chain.empty() && engines.chain.back()->portable);
    for (auto const* const engine : engines.chain) {
        auto runner = engine->make_runner(engines.spec, engines.where);
        auto const instances = static_cast<std::size_t>(runner->instances());
        steps_.push_back({engine, std::move(runner), {}});
        steps_.back().outcomes.resize(instances);
    }
}

void PolicyRun::Step::run(InstanceRange range, LazyInstances& instances, ScheduleLog const& log)
{
    has = range;
    runner->execute(range, instances, log, outcomes.data());
    for (std::int64_t k = 0; k < range.count; ++k)
        ++(outcomes[static_cast<std::size_t>(k)] ? taken : missed);
}

Outcome const& PolicyRun::execute(std::int64_t instance, std::int64_t end, LazyInstances& instances,
                                  ScheduleLog const& log)
{
    for (auto& step : steps_) {
        if (!step.holds(instance)) {
            if (step.given_up()) continue;
            auto const count = std::min<std::int64_t>(step.runner->instances(), end - instance);
            if (count < step.engine->least) continue;
            step.run({instance, count}, instances, log);
        }
        auto const& outcome = step.outcomes[static_cast<std::size_t>(instance - step.has.first)];
        if (outcome) return *outcome;
        if (log.abandons()) return nothing_;
    }
    contract_violated("a portable engine takes every instance", __FILE__, __LINE__);
}

std::optional<std::int64_t> PolicyRun::volume(std::int64_t instance) const
{
    auto const& first = steps_.front();
    if (!first.holds(instance)) return std::nullopt;
    return first.runner->volume(instance - first.has.first);
}

LazyInstances::Room room_for(Cell const& cell, CellEngines const& engines)
{
    LazyInstances::Room room{1, 1, Denominators::scratch_bytes(cell)};
    for (auto const& run : engines.runs)
        for (auto const* const engine : run.chain)
            room.add({engine->reads == Reads::requests ? engine->instances : 1,
                      engine->reads == Reads::counts ? engine->instances : 1,
                      engine->scratch_bytes(run.spec, run.where)});
    return room;
}

int widest_batch(CellEngines const& engines)
{
    int widest = 1;
    for (auto const& run : engines.runs) widest = std::max(widest, run.first().instances);
    return widest;
}

int first_block(CellEngines const& engines)
{
    auto const may_take_long = [](PolicyEngines const& run) {
        return run.law == RandomLaw::cohort && run.first().instances == 1;
    };
    return std::ranges::any_of(engines.runs, may_take_long) ? 1 : widest_batch(engines);
}

} // namespace crx

#include "kernels/cpu/policy_run.hh"

#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/model/release_bound.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/volume_bound.cuh"

#include <algorithm>

namespace crx {

Denominators::Denominators(Cell const& cell) : cell_(cell), workload_(view_of(cell.workload)) {}

std::size_t Denominators::scratch_bytes(Cell const& cell)
{
    auto const n = all_by_cohorts(cell) ? 0 : cell.workload.requests;
    auto bytes = VolumeBound::arena_bytes(n);
    if (cell.wants(BaselineKind::release)) bytes = std::max(bytes, ReleaseBound::arena_bytes(n));
    if (any_by_cohorts(cell))
        bytes = std::max(bytes, volume_by_class_bytes(view_of(cell.workload)));
    return bytes;
}

void Denominators::compute(std::int64_t instance, Outcome const* shortest_first,
                           std::optional<std::int64_t> volume, LazyInstances& instances,
                           ScheduleLog const& log, std::int64_t* value)
{
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
        if (cell_.wants(kind)) value[static_cast<int>(kind)] = denominator_of(*shortest_first);
    auto const bound = [&]<class Bound>(BaselineKind kind) {
        if (!cell_.wants(kind)) return;
        auto& result = value[static_cast<int>(kind)];
        // Where there are counts, and where a run has made the volume bound, all requests are there
        // at 0: the release bound is the volume bound.
        if (any_by_cohorts(cell_)) {
            result = volume_by_counts(instance, instances);
        } else if (volume) {
            result = *volume;
        } else {
            Arena arena(instances.scratch(), instances.scratch_bytes());
            auto const& all = instances.requests(instance);
            result = Bound(arena, all.n).execute(all);
        }
    };
    bound.operator()<VolumeBound>(BaselineKind::volume);
    bound.operator()<ReleaseBound>(BaselineKind::release);
    if (cell_.host_baselines != nullptr)
        cell_.host_baselines->evaluate(
            instances.requests(instance), [&log] { return log.should_abort(); }, value);
}

std::int64_t Denominators::volume_by_counts(std::int64_t instance, LazyInstances& instances)
{
    if (!volume_ || workload_.output_kind == OutputKind::table)
        volume_ = volume_by_class(workload_, instances.counts({instance, 1}), instances.scratch(),
                                  instances.scratch_bytes());
    return *volume_;
}

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
        ++(outcomes[static_cast<std::size_t>(k)] ? accepted : rejected);
}

Outcome const& PolicyRun::execute(std::int64_t instance, std::int64_t end, LazyInstances& instances,
                                  ScheduleLog const& log)
{
    for (auto& step : steps_) {
        if (!step.holds(instance)) {
            if (step.disabled()) continue;
            auto const count = std::min<std::int64_t>(step.runner->instances(), end - instance);
            if (count < step.engine->least) continue;
            step.run({instance, count}, instances, log);
        }
        auto const& outcome = step.outcomes[static_cast<std::size_t>(instance - step.has.first)];
        if (outcome) return *outcome;
        if (log.should_abort()) return aborted_outcome_;
    }
    contract_violated("a portable engine takes every instance", __FILE__, __LINE__);
}

std::optional<std::int64_t> PolicyRun::volume(std::int64_t instance) const
{
    auto const& first = steps_.front();
    if (!first.holds(instance)) return std::nullopt;
    return first.runner->volume(instance - first.has.first);
}

LazyInstances::Capacity capacity_for(Cell const& cell, CellEngines const& engines)
{
    LazyInstances::Capacity room{1, 1, Denominators::scratch_bytes(cell)};
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

CellReplay::CellReplay(Cell const& cell, std::int64_t number) : cell_(cell), number_(number)
{
    if (all_by_cohorts(cell)) return;
    instance_ = cell.source != nullptr ? generate_single(*cell.source, cell.workload.seed, number)
                                       : generate_single(cell.workload, number);
}

SingleRun CellReplay::execute(std::size_t policy)
{
    if (auto const* const own = order_of(cell_, policy))
        return execute_single(*own, *instance_, cell_.workload.seed, number_);
    return law_of(cell_, policy) == RandomLaw::request
               ? execute_single(cell_.policies[policy], *instance_, cell_.workload.seed, number_)
               : execute_counts(policy);
}

SingleRun CellReplay::execute_counts(std::size_t policy)
{
    auto const& spec = cell_.policies[policy];
    auto const where = engine_case(cell_, nullptr);
    auto const& engine = portable_engine(Processor::cpu, RandomLaw::cohort, spec, where);
    HostGenerator const generator(where.workload);
    LazyInstances instances(where, generator, {1, 1, engine.scratch_bytes(spec, where)});
    SingleRun run;
    std::optional<Outcome> outcome;
    engine.make_runner(spec, where)
        ->execute({number_, 1}, instances, {nullptr, nullptr, nullptr, record_point, &run.timeline},
                  &outcome);
    run.outcome = outcome.value();
    return run;
}

} // namespace crx

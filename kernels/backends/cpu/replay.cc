#include "kernels/backends/cpu/replay.hh"

namespace crx {
CellReplay::CellReplay(Cell const& cell, std::int64_t number) : cell_(cell), number_(number)
{
    if (all_by_cohorts(cell)) return;
    instance_ = cell.source != nullptr ? generate_single(*cell.source, cell.workload.seed, number)
                                       : generate_single(cell.workload, number);
}

SingleRun CellReplay::execute(std::size_t policy)
{
    if (auto const* const offline = order_of(cell_, policy))
        return execute_in_order(
            *instance_, offline->order(requests_of(*instance_), cell_.workload.seed, number_));
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

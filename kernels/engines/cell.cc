#include "kernels/engines/cell.hh"

#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

namespace crx {

EngineCase engine_case(Cell const& cell, HostPolicy const* order)
{
    return {.workload = view_of(cell.workload),
            .source = cell.source.get(),
            .order = order,
            .searched_baselines = cell.host_baselines != nullptr,
            .counts_only = all_by_cohorts(cell),
            .wants_volume = wants_bound(cell),
            .logs_requests = cell.measures.any()};
}

std::string PolicyEngines::name(Processor processor) const
{
    if (chain.empty()) return {};
    std::string names(chain.front()->name);
    if (processor == Processor::gpu)
        for (std::size_t k = 1; k < chain.size(); ++k)
            names += " or " + std::string(chain[k]->name);
    return names;
}

CellEngines::CellEngines(Cell const& cell, Processor processor)
{
    auto const add = [&](PolicySpec const& spec, RandomLaw law, HostPolicy const* order) {
        auto const where = engine_case(cell, order);
        runs.push_back({spec, law, where, engines_for(processor, law, spec, where)});
    };
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        add(cell.policies[k], law_of(cell, k), order_of(cell, k));
        if (cell.policies[k].kind == ShortestFirst::kind) shortest_first = k;
    }
    if (!cell.wants(BaselineKind::h_sf) && !cell.wants(BaselineKind::mc_sf)) {
        shortest_first.reset();
    } else if (!shortest_first) {
        shortest_first = runs.size();
        add({ShortestFirst::kind, {}},
            any_by_cohorts(cell) ? RandomLaw::cohort : RandomLaw::request, nullptr);
    }
}

std::string gpu_refusal(Cell const& cell)
{
    for (auto const& run : CellEngines(cell, Processor::gpu).runs)
        if (run.chain.empty())
            return "no GPU runs " + std::string(policy_info(run.spec.kind).id) + ": " +
                   portable_engine(Processor::gpu, run.law, run.spec, run.where)
                       .refusal(run.spec, run.where);
    return {};
}

std::vector<std::string> engine_names(Cell const& cell, Processor processor)
{
    CellEngines const engines(cell, processor);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        names.push_back(engines.runs[k].name(processor));
    return names;
}

namespace {

Launched only_part(LaunchedParts&& done)
{
    if (done.error) std::rethrow_exception(done.error);
    return std::move(done.parts.front());
}

} // namespace

Launched launch_host(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    LaunchPart const part{&cell, range};
    return only_part(launch_host({&part, 1}, stop_condition));
}
Tally launch_host(Cell const& cell, InstanceRange range)
{
    return launch_host(cell, range, StopCondition{}).tally;
}
Launched launch_device(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    LaunchPart const part{&cell, range};
    return only_part(launch_device({&part, 1}, stop_condition));
}
Tally launch_device(Cell const& cell, InstanceRange range)
{
    return launch_device(cell, range, StopCondition{}).tally;
}

} // namespace crx

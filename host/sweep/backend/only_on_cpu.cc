#include "host/sweep/backend/only_on_cpu.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/experiment/policy_list.hh"
#include "host/iteration/path_engines.hh"

namespace crx {

std::string only_on_cpu(Experiment const& experiment, Plan const& plan)
{
    if (experiment.model == Model::iterations) {
        auto const& sweep = plan.sweeps.front().name; // [run] is of all cells
        return why_not_on_gpu(*plan.make_cell(sweep, plan.grid(sweep).front()).paths);
    }
    for (auto const& policy : experiment.policies)
        if (orders_beforehand(policy.id))
            return "policy " + policy.label + " orders requests beforehand";
    for (auto const& id : experiment.baselines)
        if (auto const kind = baseline_named(id);
            kind && static_cast<int>(*kind) >= engine_baselines)
            return "denominator " + id + " is searched for or solved";
    if (experiment.draws_whole_instances()) return "workload.instances draws n and M as well";
    return {};
}

} // namespace crx

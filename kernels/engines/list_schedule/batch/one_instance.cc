#include "kernels/engines/list_schedule/batch/one_instance.cuh"

namespace crx::mc_sf_batch {

ThreadPlan thread_plan(WorkloadView const& w, KeyLayout const& layout,
                       std::span<Exchange const> exchanges, bool with_volume)
{
    ThreadPlan plan;
    plan.workload = w;
    plan.layout = layout;
    plan.exchange = exchanges.data();
    plan.exchanges = static_cast<int>(exchanges.size());
    plan.volume = with_volume && bounds_volume(w);
    if (auto const law = UniformLaw::of({w.output_value, w.output_threshold}))
        plan.uniform_output = *law;
    if (auto const law = UniformLaw::of({w.prompt_value, w.prompt_threshold}))
        plan.uniform_prompt = *law;
    return plan;
}

} // namespace crx::mc_sf_batch

#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "kernels/model/workload.cuh"

namespace crx {

/// Requests of JAILLET's section 5.1, model 1, with n and M fixed: all at 0, prompts uniform on
/// 1 .. 5, outputs uniform on 1 .. most_output.
inline Workload jaillet_shape(std::int64_t requests, Tokens memory, std::int32_t most_output,
                              std::uint64_t seed)
{
    Workload w;
    w.seed = seed;
    w.requests = requests;
    w.memory = memory;
    auto const output = uniform_law(1, most_output), prompt = uniform_law(1, 5);
    w.output_value = output.value;
    w.output_threshold = output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    return w;
}

} // namespace crx

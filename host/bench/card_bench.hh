#pragma once

#include "kernels/cuda/gpu_times.hh"
#include "kernels/engines/cell.hh"

#include <string>
#include <vector>

namespace crx {

/// How long a part of a bench on a GPU may take, and how large it is.
struct CardBenchEffort
{
    double seconds = 300;         ///< about, for all
    std::int64_t instances = 256; ///< of the first launch; later ones grow until they last
    std::int64_t scale = 1;       ///< n and M of the cases are divided by this
};

/// One way to run a policy of a case on the GPU.
struct CardVariant
{
    std::string engine; ///< its name in the registry; "as a sweep": the fastest is measured first
    std::int64_t instances = 0; ///< of the launch that was timed, the largest
    double seconds = 0;         ///< of that launch, wall time
    bool equal = false;  ///< the sums of the first instances are the cores': of all that these ran,
                         ///< or of 8 CardBenchEffort::instances where scale is above 1
    GpuTimes times;      ///< of that launch once more, with waits between its tasks
    std::string failure; ///< empty: none; else nothing above but `engine` means anything
};

/// One policy of one case on the GPU, by every engine that takes it, and on all cores.
struct CardComparison
{
    std::string workload, policy;
    RandomLaw law = RandomLaw::request;
    std::int64_t cores_instances = 0;
    double cores_seconds = 0; ///< wall time of all cores
    std::vector<CardVariant> variants;
};

/// The bench's cases on the chosen GPU and on all cores side by side: two-point lengths under four
/// policies by both laws, JAILLET's shape at three memories, varied requests. Throws
/// std::runtime_error where there is no GPU; what fails later is in the variants.
std::vector<CardComparison> bench_card(CardBenchEffort const& effort);

} // namespace crx

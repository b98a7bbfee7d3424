#pragma once

#include "kernels/cuda/device_batch.cuh"

#include <functional>
#include <string>
#include <vector>

namespace crx {

/// A way to compute something of each instance of a batch, the outcome of a policy say: puts
/// kernels into the stream. All variants of one thing give the same integers, and leave what they
/// read as it is.
template <class Result>
struct EngineVariant
{
    std::string name;
    int threads; ///< an instance
    std::function<void(GpuBatch const&, Result*)> run;
};

/// Instances with which the GPU is full whatever the variant, a thread each.
std::int64_t full_gpu();

/// Which variants are run. For tests anything but `fastest`.
struct VariantChoice
{
    std::string name;      ///< the variant of this name, else the first; empty: the fastest
    bool compared = false; ///< each is run on all instances, and what they say is compared
};

/// result[slot], by the variant that is the fastest on this GPU: the first time that a kind of
/// cells has instances enough, each variant runs the first of them (as many as fill the GPU), the
/// results are compared, and all other instances go by the variant that took the least time. Fewer
/// instances go by unmeasured_variant(), after variants have been compared on the first 128 of a
/// kind. What comes out does not depend on the choice.
///
/// `kind`: of the cells, to tell measurements apart. `what`: what is computed, for messages too.
/// `bound`: where variants write a bound of each instance besides, to be compared as well; null:
/// they do not. Throws std::runtime_error where variants do not agree (fastest_variant). Contract:
/// at least one variant, the plainest first. Made for Outcome and std::int64_t.
template <class Result>
void run_fastest(std::vector<EngineVariant<Result>> const& variants, VariantChoice const& wish,
                 std::string const& kind, std::string const& what, GpuBatch const& batch,
                 Result* result, std::int64_t* bound = nullptr);

} // namespace crx

#include "kernels/engines/iterations/iterate_simd.hh"

namespace crx::CRX_SIMD_LEVEL {

// The compiler makes vectors of the loops over types. For prompts and fcfs with types told apart
// nothing is here: what they do beside drawing arrivals gains nothing.
[[gnu::flatten]] PathStatus try_counts(PathAttempt const& a)
{
    return try_path<ThresholdPolicy, NoTypeEvents>(a);
}
[[gnu::flatten]] PathStatus try_typed_counts(PathAttempt const& a)
{
    return try_path<ThresholdPolicy, TypeEvents>(a);
}
[[gnu::flatten]] PathStatus try_prompts(PathAttempt const& a)
{
    return try_path<PromptThresholdPolicy, NoTypeEvents>(a);
}
[[gnu::flatten]] PathStatus try_fcfs(PathAttempt const& a)
{
    return try_path<FcfsPolicy, NoTypeEvents>(a);
}

} // namespace crx::CRX_SIMD_LEVEL

#include "kernels/cohort/end_lanes.hh"

// For processors with AVX-512, as lane_numbers.hh says.
#ifdef CRX_INSTANCE_LANES
#include "kernels/cohort/counted_line.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_kind.cuh"
#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/hypergeometric_one.hh"

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <type_traits>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all functions with vectors are inlined
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 64
#include "kernels/cohort/end_lanes_of.hh"

namespace crx {

InstanceLanes* end_lanes_avx512(WorkloadView const& workload, bool hidden, bool floats)
{
    return hidden ? end_lanes_of<true>(workload, floats) : end_lanes_of<false>(workload, floats);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

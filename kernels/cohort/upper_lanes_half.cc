#include "kernels/cohort/upper_lanes_forms.hh"

#ifdef CRX_UPPER_LANES
#include "kernels/cohort/counted_line.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_kind.cuh"

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <type_traits>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // functions with vectors are inlined
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt") // of x86-64-v3
#define CRX_LANE_BYTES 32
#include "kernels/cohort/upper_lanes_of.hh"

namespace crx {

std::unique_ptr<UpperLanes> upper_lanes_half(WorkloadView const& w, LaneType type)
{
    return lanes_of(w, type);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

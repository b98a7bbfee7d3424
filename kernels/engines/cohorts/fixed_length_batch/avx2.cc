#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"

// For processors with AVX2, as lane_numbers.hh says.
#ifdef CRX_INSTANCE_LANES
#include "kernels/engines/cohorts/lottery/counted_line.hh"
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
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 32
#include "kernels/engines/cohorts/fixed_length_batch/batch_of.hh"

namespace crx {

InstanceBatch* fixed_length_batch_avx2(WorkloadView const& workload, bool hidden, bool floats)
{
    return hidden ? fixed_length_batch_of<true>(workload, floats)
                  : fixed_length_batch_of<false>(workload, floats);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"

#ifdef CRX_INSTANCE_LANES
#include "kernels/engines/cohorts/a_max_batch/parts.hh"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // functions with vectors are inlined
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
// Of x86-64-v4.
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_LANE_BYTES 64
#include "kernels/engines/cohorts/a_max_batch/batch_of.hh"

namespace crx {

InstanceBatch* a_max_batch_avx512(WorkloadView const& workload, bool floats)
{
    return a_max_batch_of(workload, floats);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

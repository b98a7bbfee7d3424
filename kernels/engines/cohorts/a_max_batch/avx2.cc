#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"

#ifdef CRX_INSTANCE_LANES
#include "kernels/engines/cohorts/a_max_batch/parts.hh"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // functions with vectors are inlined
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt") // of x86-64-v3
#define CRX_LANE_BYTES 32
#include "kernels/engines/cohorts/a_max_batch/batch_of.hh"

namespace crx {

InstanceBatch* a_max_batch_avx2(WorkloadView const& workload, bool floats)
{
    return a_max_batch_of(workload, floats);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

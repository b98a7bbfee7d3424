#include "kernels/engines/cohorts/a_min_batch/parts.hh"

#ifdef CRX_INSTANCE_LANES
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all is inlined, so it does not matter how it is passed
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // what GCC's own intrinsics leave undefined
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define CRX_WIDE_BYTES 64
#include "kernels/engines/cohorts/a_min_batch/batch_of.hh"

namespace crx {

InstanceBatch* a_min_batch_avx512(PolicyKind kind, WorkloadView const& workload,
                                  std::int64_t most_cohorts)
{
    return a_min_batch_of(kind, workload, most_cohorts);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

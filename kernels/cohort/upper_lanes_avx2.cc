#include "kernels/cohort/upper_lanes.hh"

#ifdef CRX_INSTANCE_LANES
#include "kernels/cohort/upper_lanes_parts.hh"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // functions with vectors are inlined
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt") // of x86-64-v3
#define CRX_LANE_BYTES 32
#include "kernels/cohort/upper_lanes_of.hh"

namespace crx {

InstanceLanes* upper_lanes_avx2(WorkloadView const& workload, bool floats)
{
    return upper_lanes_of(workload, floats);
}

} // namespace crx
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif

#include "kernels/engines/a_min_small/variants.hh"

#include <algorithm>

// For processors with AVX2 but without AVX-512. What is included before this is compiled for any
// processor.
#ifdef CRX_FEW_FORMS
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all is inlined, so it does not matter how it is passed
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // of values that instructions may ignore
#define CRX_LANE_BITS 256
#include "kernels/engines/a_min_small/batch_engine.hh"
#include "kernels/engines/a_min_small/one_instance_engine.cuh"

namespace crx {
namespace {

[[gnu::flatten]] std::optional<Outcome> alone(Outlived outlived, Requests const& requests,
                                              BufferedWords const& words, ScheduleLog const& log,
                                              Arena& arena)
{
    return AMinOneInstance(outlived, requests, words, log, arena).execute();
}
[[gnu::flatten]] void together(Requests const* requests, int count, std::uint64_t seed,
                               std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                               ScheduleLog const* logs, Arena& arena,
                               std::optional<Outcome>* outcomes)
{
    execute_in_lanes({requests, count, seed, stream, first, ask, logs, arena, outcomes});
}
} // namespace
} // namespace crx
#pragma GCC diagnostic pop
#pragma GCC pop_options

namespace crx {

AMinSmallVariant const a_min_small_avx2{"avx2", LaneWidth::half, WaitingQueueByLength::arena_bytes,
                                        alone, together};

} // namespace crx
#endif

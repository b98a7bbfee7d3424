#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/processor.hh"
#include "kernels/model/requests.cuh"

#include <cstddef>
#include <optional>

namespace crx {

/// The most requests and the most memory of an instance that this engine takes.
inline constexpr std::int64_t a_min_small_requests = 4096;
inline constexpr Tokens a_min_small_memory = Tokens{1} << 28;

/// The most instances that it takes at a time.
inline constexpr int a_min_small_batch_size = 32;

/// Bytes of arena that it takes for instances of up to n requests; 0 where it takes no such one.
std::size_t a_min_small_batch_bytes(std::int64_t n, SimdLevel level = simd_level());

/// Instances of a-min side by side: requests[k] is instance first + k.
struct AMinSmallRun
{
    Requests const* requests;
    int count; ///< a_min_small_batch_size at most
    std::uint64_t seed;
    std::uint32_t stream;
    std::uint64_t first;
    ScheduleLog const& ask; ///< whether to give up, and then all outcomes mean nothing
    Arena& arena;
    std::optional<Outcome>* outcomes;
};

/// a-min (outlived requests counted) for several instances side by side in which few requests run
/// at a time: a step takes each of them one event, start or failed draw further, so that what the
/// processor would have to wait for in one is done for all of them at a time. A lane has 16 bits
/// where that is enough (outputs below 2^13, memory at most 2^15 - 1 - 2^13), else 32: with AVX-512
/// that is 32 or two times 16 instances, with AVX2 half as many at a time. The integers and the
/// words are those of RequestEngine, the number of events among them.
///
/// outcomes[k] is that of requests[k]; nothing where the instance is past the limits above,
/// something arrives after 0, rounds last by the affine clock, a prompt reaches 2^20, an output
/// 2^23, or more than 64 requests run at a time; or the processor has no such vectors. Source:
/// CHEN, Algorithm 2; docs/model.md#a-min. Contract: every request fits alone (s + o <= M).
void execute_a_min_small(AMinSmallRun const& run, SimdLevel level = simd_level());

CRX_FOR_EACH_LEVEL(void run_a_min_small(AMinSmallRun const& run);
                   /// Of one instance of n requests.
                   std::size_t waiting_queue_bytes(std::int64_t n);)

} // namespace crx

#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/traits.cuh"

#include <cstddef>
#include <optional>

namespace crx {

/// The most requests and the most memory of an instance that execute_few_active takes.
inline constexpr std::int64_t a_min_small_requests = 4096;
inline constexpr Tokens a_min_small_memory = Tokens{1} << 28;

/// execute_few_active and execute_few_group for one kind of processor (few_forms.hh).
struct AMinSmallVariant;
/// The one that this processor runs fastest; null if it has none (neither AVX-512 nor AVX2).
AMinSmallVariant const* best_few_form();
inline bool has_few_active() { return best_few_form() != nullptr; }

/// Bytes of arena that execute_few_active takes for n requests; 0 where it takes no such instance.
std::size_t a_min_small_bytes(std::int64_t n);

/// a-min (outlived requests counted) or a-min-evict (weightless) on the CPU, for instances in which
/// few requests run at a time: those that run lie in arrays that are looked through as a whole with
/// vector instructions, those that wait with the least working length in one array by index. The
/// integers and the words are those of RequestEngine, the number of events among them.
///
/// Nothing if `form` is null, the instance is past the limits above, something arrives after 0,
/// rounds last by the affine clock, a prompt reaches 2^20, an output 2^23, time 2^24 or more than
/// 64 requests run at a time. Source: CHEN, Algorithm 2; SPEC sections 3 and 4.
/// Contract: every request fits alone (s + o <= M); log.on_event is null.
std::optional<Outcome> execute_few_active(Outlived outlived, Requests const& requests,
                                          std::uint64_t seed, std::uint32_t stream,
                                          std::uint64_t instance, ScheduleLog const& log,
                                          Arena& arena,
                                          AMinSmallVariant const* form = best_few_form());

} // namespace crx

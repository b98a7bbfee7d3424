#pragma once

#include "kernels/engines/a_min_small/few_active.hh"

namespace crx {

/// The most instances that execute_few_group takes at a time.
inline constexpr int a_min_small_batch_size = 32;

/// Bytes of arena that it takes for instances of up to n requests; 0 where it takes no such one.
std::size_t a_min_small_batch_bytes(std::int64_t n);

/// execute_few_active (a-min, outlived requests counted) for several instances side by side: a step
/// takes each of them one event, start or failed draw further, so that what the processor would
/// have to wait for in one is done for all of them at a time. A lane has 16 bits where that is
/// enough (outputs below 2^13, memory at most 2^15 - 1 - 2^13), else 32: with AVX-512 that is 32 or
/// two times 16 instances, with AVX2 half as many at a time. The integers and the words are those
/// of RequestEngine, the number of events among them.
///
/// outcomes[k] is that of requests[k], which is instance first + k; logs[k], unless logs is null,
/// says what else is asked for of it. Nothing where execute_few_active would say nothing, but that
/// time may go past 2^24. `ask` alone says whether to give up; all outcomes mean nothing then.
/// Contract: count <= a_min_small_batch_size; every request fits alone (s + o <= M); no on_event.
void execute_few_group(Requests const* requests, int count, std::uint64_t seed,
                       std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                       ScheduleLog const* logs, Arena& arena, std::optional<Outcome>* outcomes,
                       AMinSmallVariant const* form = best_few_form());

} // namespace crx

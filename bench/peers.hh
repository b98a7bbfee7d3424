#pragma once

#include "bench/round_loop.hh"
#include "bench/round_loop_varied.hh"

namespace round_loop {

/// What the C++ round loop is told of lengths (round_loop.hh, round_loop_min.hh).
enum class Rule
{
    true_lengths,  ///< h-sf
    upper_lengths, ///< a-max
    promote_lower, ///< a-ell
    learn          ///< a-min
};

/// Total latency of an instance, as compiled for the vector units of the machine that runs it:
/// x86-64-v4, -v3 or the base set, chosen when the program starts.
std::int64_t total_latency(Rule rule, Check check, Instance const& instance);

/// The same for requests that all differ: h-sf (`true_lengths`) or a-min (`learn`).
std::int64_t total_latency(Rule rule, Check check, Varied const& instance);

/// Sum of h-sf's total latency over `count` random instances of JAILLET's kind: n requests, memory
/// M, prompts uniform on 1 .. 5, outputs uniform on 1 .. M - 5, all at 0. Generation and sorting
/// included.
std::int64_t many_small(Check check, std::int64_t n, std::int32_t memory, std::int64_t count,
                        std::uint64_t seed);

/// The vector instructions that total_latency was compiled for and uses here.
char const* instruction_set();

} // namespace round_loop

#pragma once

#include <cstdint>
#include <vector>

/// The peer: a round-by-round simulator as a competent researcher would write it. An array holds
/// the projected memory of each future round; each candidate is checked against it once. It shares
/// no code with the engines. All requests arrive at 0.
namespace round_loop {

/// How a candidate is checked: stop at the first round that is too full, or look at all rounds
/// without a branch, which compilers turn into vector instructions.
enum class Check
{
    early_exit,
    branch_free
};

/// What the loop is told of lengths.
enum class Rule
{
    true_lengths,  ///< h-sf
    upper_lengths, ///< a-max
    promote_lower, ///< a-ell
    learn          ///< a-min
};

/// Requests of one prompt and one interval [lower, upper].
struct Instance
{
    std::vector<std::int32_t> output; ///< in the order in which requests wait
    std::int32_t prompt = 0, memory = 0, lower = 1, upper = 1;
};

/// Requests that all differ. For h-sf in the order in which they wait.
struct Varied
{
    std::vector<std::int32_t> prompt, output, lower;
    std::int32_t memory = 0;
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

#pragma once

#include "analysis/adversary/grouped_run.hh"

namespace crx {

/// What the policies that plan with u are told of the output lengths.
enum class ToldLengths
{
    exact, ///< l = u = o
    range  ///< l = 1, u = M - 1 for all
};

/// The adversary of JAILLET Theorem 4.1 (appendix B.1) against one policy. M = 4 k^2, all prompts
/// 1: a request with output M - 1 is there at 0; it watches for the round b in which the policy
/// starts it, and M/2 requests with output 1 arrive at r = b + M - k, when so little memory is left
/// that few of them can run before the long one ends.
struct AdversaryResult
{
    std::int64_t k = 0;
    Tokens memory = 0;
    std::int64_t requests = 0;      ///< n = M/2 + 1
    Rounds long_start = 0;          ///< b
    Rounds release = 0;             ///< r
    std::int64_t total_latency = 0; ///< of the policy
    std::int64_t opt_upper_bound =
        0; ///< of the better of the paper's schedule and the policy's own
    std::vector<RequestGroup> groups;     ///< the instance
    std::vector<GroupStart> starts;       ///< the policy's schedule
    std::vector<GroupStart> paper_starts; ///< the paper's

    /// At most the policy's ratio to OPT.
    double ratio_lower_bound() const
    {
        return static_cast<double>(total_latency) / static_cast<double>(opt_upper_bound);
    }
    /// The theorem's bound: sqrt(M) / 28.
    double proven_ratio() const { return static_cast<double>(k) / 14; }
};

/// The total latency of a policy without look-ahead beyond true lengths that starts the long
/// request in round 0 and then, in each round, as many short ones as fit: in round M - 2 - j, j = 0
/// .. k - 2, the long one leaves j tokens, room for floor(j / 2), and the rest start when it ends.
/// So
///
///     M - 1 + k (M/2 - sum_j floor(j / 2)) + sum_j floor(j / 2) (k - 1 - j)
///
/// = (44 k^3 + 111 k^2 - 14 k - 24) / 24 for even k, (44 k^3 + 111 k^2 - 8 k - 27) / 24 for odd k.
/// The proof's schedule takes 10 k^2 - k from k = 2 on, so their ratio is
/// (11/120) sqrt(M) (1 + 577/220 / k + O(k^-2)): its log-log slope in M nears 1/2 from below, like
/// 1/2 - 577 / (220 sqrt(M)). Contract: 1 <= k <= 20000.
std::int64_t theorem_4_1_latency(std::int64_t k);

/// Contract: runs_grouped(spec), 1 <= k <= 20000. It plays twice, first the long request alone; a
/// deterministic policy starts it in the same round both times, which is checked.
AdversaryResult play_theorem_4_1(PolicySpec const& spec, std::int64_t k, ToldLengths told);

} // namespace crx

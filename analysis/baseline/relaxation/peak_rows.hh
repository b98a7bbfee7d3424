#pragma once

#include "analysis/baseline/request_groups.hh"

#include <vector>

namespace crx::baseline {

/// Inequalities that growing requests keep and memory rows do not see: around each instant, at most
/// `capacity()` units of large memory demands may lie.
///
/// Let P = s + o and e = start + o be the memory at the last token and its time. Seen from an
/// instant tau, a request has the size
///   x(tau) = P - (e - tau)         for start < tau <= e: what it holds, or would between two
///   tokens x(tau) = P - k (tau - e)       for e < tau <= e + M / (k+1) - S
/// and none elsewhere; it counts with f(x) = the number of j >= 1 with x > j M / (k+1). S is the
/// largest prompt of the requests that take part; the others count 0.
///
/// Claim: in every schedule the sum of f(x) is at most k at every instant tau.
/// Proof: else take a minimal set of requests whose sum is k + 1 or more; each counts at least one,
/// so it has at most k + 1 members, and sum x > M. Let e_1 be the first completion of the set.
/// Those that complete at tau or later have started before tau, so if e_1 >= tau all are active at
/// e_1 and hold sum (P - (e - e_1)) >= sum x > M. If e_1 < tau, let h = tau - e_1 <= M / (k+1) - S.
/// A member j would hold y_j = P_j - (e_j - e_1) at e_1, which is x_j - h > M / (k+1) - h >= S if
/// e_j >= tau and more still otherwise, because then y_j - x_j = k (tau - e_j) - (e_j - e_1) >= -h;
/// more than its prompt, so j is active at e_1 and holds just that. And sum y >= sum x > M, since
/// y_1 = x_1 + k h while the at most k others each lose at most h. Both contradict memory (JAILLET
/// (3)).
///
/// f is the dual feasible function u^(k) of Fekete and Schepers (2001), New classes of fast lower
/// bounds for bin packing problems, doi:10.1007/s101070100243; the sizes after the completion are
/// this program's own. k = 1 says: requests that peak above M/2 occupy disjoint intervals.
class PeakRows
{
  public:
    /// Half-rounds past 2 e, first to last - 1, at which a request counts one unit.
    struct Span
    {
        Rounds first, last;
    };

    /// S is chosen so that the requests occupy the most in all. Contract: k >= 1.
    PeakRows(std::vector<RequestGroup> const& groups, Tokens memory, std::int32_t k);

    std::int32_t capacity() const { return k_; }
    /// S
    Tokens largest_prompt() const { return largest_prompt_; }
    /// One for each j that the group's requests reach: unit j is counted at tau = c / 2 for c in
    /// 2 e + [first, last). 2 e + first > 2 start >= 0.
    std::vector<Span> const& spans(std::size_t group) const { return spans_[group]; }
    /// Instants c = 0 .. instants(starts) - 1 matter if the last start is `starts` - 1.
    std::size_t instants(Rounds starts) const;

  private:
    std::int32_t k_;
    Tokens largest_prompt_ = 0;
    Rounds reach_ = 0; // the largest 2 o + last
    std::vector<std::vector<Span>> spans_;
};

} // namespace crx::baseline

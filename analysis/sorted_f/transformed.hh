#pragma once

#include "analysis/sorted_f/sorted_f.hh"

#include <boost/multiprecision/cpp_int.hpp>

namespace crx::sorted_f {

using Fraction = boost::multiprecision::cpp_rational;

/// What WANG section 4 makes of Sorted-F's batches X_1, X_2, .. to compare it with the optimum.
/// Only `separate` is a schedule; the others are sums that look like one's total latency. With n_k
/// requests in X_k, o_{k,j} ascending inside it, and max_k its last output:
struct TransformedSortedF
{
    /// Batches (from 0) that end a group Y_m: the first k past the last one at which r_{k+1,1}
    /// would not raise F(X_k) (proof of Theorem 5), and the last of all.
    std::vector<std::size_t> terminal;
    /// Theorem 4: each batch starts when the one before has completed. Under the prefix rule nobody
    /// starts later: by induction all earlier batches are done by then, so those of X_k that still
    /// wait stand first and find only others of X_k active, and X_k fits however its starts lie, as
    /// sum (s + o) <= M. So the theorem holds for every selector and every order inside a batch.
    Rounds separate = 0;
    /// Theorem 5: a group's requests start together and the next one's when max of its terminal
    /// batch has passed. Memory is not kept.
    Rounds group = 0;
    /// Theorem 6: the same with the mean output of the terminal batch in place of max.
    Fraction align = 0;
};
/// Contract: at least one batch; each by ascending output.
TransformedSortedF transform(OwnedInstance const& instance, std::vector<Batch> const& batches);

/// Starts of the schedule `separate`.
std::vector<Rounds> separate_starts(OwnedInstance const& instance,
                                    std::vector<Batch> const& batches);

/// WANG Lemma 1 on a batch: mean output > max / 2.
bool keeps_lemma_1(OwnedInstance const& instance, Batch const& batch);

/// WANG Lemma 2 on all groups, the i-th of a group's a batches against its last, i < a:
///   printed: max_i <= 2^-floor((a-i)/2) max_a.
/// Where every batch keeps Lemma 1 more holds: max_i < 2^-(a-i-1) max_a. A batch k that ends no
/// group has o_{k+1,1} > (2 + 1/n_k) mean_k by the definition of a group alone, so mean_{k+1} > 2
/// mean_k, and max_a >= mean_a > 2^(a-i) mean_i > 2^(a-i-1) max_i. It needs neither least F nor
/// that anything would have fitted, so it is of any selector. It follows that max_1 + .. + max_a is
/// below 3 max_a and below 4 mean_a, and the wait of a batch inside its group below 2 mean_k; hence
/// separate < 3 group (Theorem 5 has 4) and separate < 4 align (Theorems 5 and 6 have 8).
struct GroupGrowth
{
    std::int64_t compared = 0;
    std::int64_t broken = 0;      ///< as printed
    std::int64_t not_doubled = 0; ///< max_i >= 2^-(a-i-1) max_a
    double largest = 0;           ///< of max_i 2^(a-i-1) / max_a
};
GroupGrowth group_growth(OwnedInstance const& instance, std::vector<Batch> const& batches,
                         std::vector<std::size_t> const& terminal);

/// What WANG Theorem 7 makes of a schedule: requests in groups Z_g by completion, each cut into
/// batches W_h.
struct TransformedSchedule
{
    std::vector<Rounds> ends;   ///< delta_1 + .. + delta_g of each group Z_g
    std::vector<Batch> batches; ///< W_h in order
    Fraction align = 0;         ///< sum_h mean_h (n_{h+1} + n_{h+2} + ..) + sum of all outputs
};
/// Groups: A_g are the requests started at or before the end of group g - 1 (time 0 for g = 1) and
/// not completed by then, delta_g reaches to the last completion of A_g. Where nobody is active
/// then, which the paper leaves out, the next start counts as that time. Batches: the requests of a
/// group by (start, index), as many as fit by sum (s + o) <= M, then the next.
/// Contract: `starts` is a schedule of the instance, all arrivals at 0.
TransformedSchedule transform_schedule(OwnedInstance const& instance,
                                       std::vector<Rounds> const& starts);

} // namespace crx::sorted_f

#pragma once

#include "kernels/engines/iterations/iterate.hh"

namespace crx::fluid {

/// How often a coupled process was compared with the queue it should dominate, on one path.
struct Domination
{
    std::int64_t compared = 0;
    std::int64_t below = 0;        ///< comparisons in which the coupled process is less
    std::int64_t below_at_end = 0; ///< the same if a queue is lowered when its batch ends
    /// Of Nested WAIT: the same if the coupled process loses n_1 instead of n_k, as Lemma 9 prints.
    std::int64_t below_as_printed = 0;
    std::int64_t largest_lack = 0; ///< of those `below`, queue minus process
    std::int64_t largest_lack_at_end = 0;
    /// Sums over the comparisons, for the means that Kingman's bounds are of: the coupled process,
    /// and the queue lowered when its batch starts.
    std::int64_t coupled_sum = 0, queue_sum = 0;

    double coupled_mean() const
    {
        return static_cast<double>(coupled_sum) / static_cast<double>(compared);
    }
    double queue_mean() const
    {
        return static_cast<double>(queue_sum) / static_cast<double>(compared);
    }
    void add(Domination const& other);
};

/// Lemmas 1 and 2 in discrete time: `steps` steps of X ~ Poisson(n), n served whenever n are there.
struct DiscreteQueue
{
    Domination domination;     ///< of W + n by the coupled process of Lemma 2
    std::int64_t queue = 0;    ///< W at the end
    std::int64_t stuck = 0;    ///< steps without service
    std::int64_t arrivals = 0; ///< sum of X; W - n stuck = arrivals - n steps on every path
};
/// Contract: n >= 1. The X are counts of exponential gaps from stream arrivals of `path`.
DiscreteQueue discrete_queue(std::int64_t n, std::int64_t steps, std::uint64_t seed,
                             std::int64_t path);

/// Lemma 6 on a path of `wait`: W~_j = 2 n_j at 0, takes the same arrivals, and loses n_j but not
/// below 2 n_j at every multiple of a full batch's time. Compared for every type just after each of
/// those multiples; between them both sides only grow by the same arrivals or W falls.
/// Contract: the cell's policy is wait; until its last checkpoint.
Domination wait_domination(IterationCell const& cell, std::int64_t path);

/// Lemmas 7 and 9 on a path of `nested-wait`, under constant rates and such as vary: W~_k = n_k,
/// and max(n_k, W~_k + Y - n_k) after each batch that contains segment k-1, Y of whose prompts went
/// on to k. Compared whenever the next such batch starts. Contract: the cell's policy is
/// nested-wait; until its last checkpoint.
Domination nested_domination(IterationCell const& cell, std::int64_t path);

} // namespace crx::fluid

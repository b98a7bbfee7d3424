#pragma once

#include "analysis/fluid/thresholds.hh"

namespace crx::fluid {

/// The positive solution theta of (16): exp(-theta n) (1 - p + p exp(theta))^before = 1.
///
/// Infinite if n >= before: the queue of the segment cannot grow. Throws std::domain_error where
/// n <= before p (no drift, so no bound) or p is not in (0, 1]. Relative error below 1e-12.
/// Source: AO Lemma 8, with p = p_{k-1} of (10) for segment k.
double decay_rate(std::int64_t before, std::int64_t n, double p);

/// Lemma 8's lower bound on it: 8 (n - before p) / before. (Theorems 2 and 4 print / n.)
double decay_rate_lower_bound(std::int64_t before, std::int64_t n, double p);

/// Memory that is exceeded with probability at most delta, in three parts. Source: AO (12), (15).
struct MemoryBound
{
    double batch;      ///< M^pi, tokens
    double queues;     ///< sum_{j>=2} n_j (l + l'_{j-1})
    double deviations; ///< sum_{j>=2} ln((L-1) S / delta) / theta_j (l + l'_{j-1})
    double iterations; ///< S = ceil(horizon / (d0 + d1 n_1 l)): most batches in the horizon

    double total() const { return batch + queues + deviations; }
};

/// Contract: broken_nested_condition is empty, 0 < delta < 1, horizon > 0 seconds.
MemoryBound memory_bound(NestedLoad const& load, std::vector<std::int64_t> const& thresholds,
                         double horizon, double delta);

/// Kingman bounds on mean queues. WAIT inside (9), type j: 2 n + v/(2 (n - v)), v = lambda_j times
/// the time of a full batch; contract v < n. Source: AO appendix B.
double wait_queue_bound(double expected_arrivals, std::int64_t n);
/// Nested WAIT, segment k >= 2: n + before p (1-p) / (2 (n - before p)); contract before p < n.
/// Source: AO appendix C.
double nested_queue_bound(std::int64_t before, std::int64_t n, double p);

} // namespace crx::fluid

#pragma once

#include "analysis/fluid/critical_load.hh"
#include "kernels/base/host_device.cuh"

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>

namespace crx::fluid {

using Fraction = boost::multiprecision::cpp_rational;

/// A number as it was written, exactly: the decimal of 12 digits that it is but for rounding, as
/// short sums of such decimals are too, or else the double itself. Contract: finite, not negative.
Fraction as_written(double number);

/// Prompts of a type that arrive while a batch of M tokens runs, rate (d0 + d1 M). The numbers
/// count as written and the sum is exact: equality is met or not, with no tolerance.
class BatchNeed
{
  public:
    BatchNeed(double overhead, double per_token, double rate);

    /// The least whole number that is at least as many, and at least 1; INT64_MAX from 2^62 on.
    std::int64_t least_reaching(Tokens batch) const { return least(batch, false); }
    /// The least whole number that is more; likewise.
    std::int64_t least_above(Tokens batch) const { return least(batch, true); }

  private:
    std::int64_t least(Tokens batch, bool above) const;

    double fixed_, per_token_;
    boost::multiprecision::cpp_int whole_fixed_, whole_per_token_, unit_; // over one denominator
};

/// Ends the search for least thresholds where 1 - D is next to nothing: they are about (prompts of
/// an empty batch) / (1 - D), and rounding several types up takes steps in that proportion too.
class ThresholdClimb
{
  public:
    static constexpr std::int64_t most_threshold = 1'000'000'000;
    static constexpr std::int64_t most_steps = 20'000'000; ///< a second, or less

    /// `left`: 1 - D. Contract: above 0.
    explicit ThresholdClimb(Fraction left) : left_(std::move(left)) {}

    Fraction const& left() const { return left_; }
    /// A real number below which no threshold can be, as a whole one to start from. Throws
    /// std::domain_error where it is too large.
    std::int64_t least_reaching(Fraction const& bound) const;
    std::int64_t least_above(Fraction const& bound) const;
    /// Another step, which made a threshold n. Throws std::domain_error past what is allowed.
    void step(std::int64_t n);
    /// Tokens of a batch, reckoned with no limit. Throws std::domain_error if 64 bits do not hold
    /// them.
    void check_batch(double tokens) const;

  private:
    [[noreturn]] void refuse(std::string const& what) const;

    Fraction left_;
    std::int64_t steps_ = 0;
};

/// Whether AO's inequalities on the time of a full batch are wanted with equality allowed.
enum class Margin
{
    at_least, ///< (9): d0 + d1 M^pi <= n_j / lambda_j
    inside    ///< strict, as Theorem 1's second part and (10) want it
};

/// M^pi of WAIT: tokens of a batch with n_j prompts at every stage of type j. Source: AO (9).
Tokens wait_batch_tokens(std::vector<PromptType> const& types,
                         std::vector<std::int64_t> const& thresholds);

/// Least positive thresholds with (9), or nothing where D >= 1 and none exist.
///
/// n_j <- ceil(lambda_j (d0 + d1 M^pi)), or floor + 1 inside, from lambda_j d0 / (1-D) on, which no
/// solution is below: it rises to the least solution, which is least in every component. d0, d1 and
/// the rates count as written (as_written) and the sums are exact, so loads meant to be at
/// equality are. Throws std::domain_error where 1-D is too small: for thresholds above 10^9, and
/// where rounding takes too many steps (ThresholdClimb).
std::optional<std::vector<std::int64_t>> least_wait_thresholds(Load const& load,
                                                               Margin margin = Margin::at_least);

/// What of (9) does not hold, in words with the numbers; empty if all holds.
std::string broken_wait_condition(Load const& load, std::vector<std::int64_t> const& thresholds,
                                  Margin margin = Margin::at_least);

/// Segments of Nested WAIT for one prompt length: stages up to ends[0], then up to ends[1], ..
struct NestedLoad
{
    double overhead = 0, per_token = 0; ///< as in Load
    Tokens prompt = 1;
    std::vector<Tokens> ends;    ///< ascending; the last is the longest l'
    double rate = 0;             ///< of all types, prompts per second
    std::vector<double> passing; ///< p_i: share of the prompts in segment i that reach segment i+1
};

/// Constant rates. Throws std::domain_error as utilisation does, where prompts differ, and where
/// the ends do not ascend or stop short of the longest output.
NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends);

/// Rates that vary (AO section 7.1): the largest total and the largest p_i over all slices, which
/// is what (13) asks for where slices are longer than a batch. `rate[s][j]` of slice s.
NestedLoad nested_load(Load const& load, std::vector<Tokens> const& ends,
                       std::vector<std::vector<double>> const& rate);

/// M^pi of Nested WAIT: n_i prompts at every stage of segment i (docs/model.md#nested-wait, exact).
Tokens nested_batch_tokens(Tokens prompt, std::vector<Tokens> const& ends,
                           std::vector<std::int64_t> const& thresholds);
/// The same as AO (11) prints it: L'_j is the sum of l'_1 .. l'_j, and stage 0 is missing.
double nested_batch_tokens_as_printed(Tokens prompt, std::vector<Tokens> const& ends,
                                      std::vector<std::int64_t> const& thresholds);

/// D of the segments: d1 times the tokens per second if every prompt stays to its segment's end.
/// At least the load's own D; thresholds with (10) or (14) exist iff it is below 1.
double nested_utilisation(NestedLoad const& load);

/// Least positive thresholds with (10), (13) or (14), all strict: d0 + d1 M^pi < n_1 / rate and
/// n_{i+1} > p_i n_i, where p_i n_i within 1e-12 of a whole number counts as that number. Nothing
/// where nested_utilisation is 1 or more; std::domain_error as in least_wait_thresholds.
std::optional<std::vector<std::int64_t>> least_nested_thresholds(NestedLoad const& load);

/// What of (10) does not hold, in words with the numbers; empty if all holds.
std::string broken_nested_condition(NestedLoad const& load,
                                    std::vector<std::int64_t> const& thresholds);

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

#pragma once

#include "analysis/statistics/baseline_name.hh"
#include "analysis/statistics/basis.hh"
#include "host/results/results.hh"

namespace crx {

/// What a panel shows of a policy's results (docs/plots.md).
enum class Measure
{
    ratio_of_means,
    mean_of_ratios,
    mean_latency,
    mean_first_token,
    mean_makespan,
    p99_ratio,
    worst_ratio,
    argmax,
    unfinished,
    ratio, // of one instance, in distributions
    // of the iteration model, which has mean_latency and mean_first_token too
    throughput_gap,
    throughput_gap_as_in_8,
    throughput,
    peak_memory,
    largest_memory,
    overflow_frequency,
    cancellations,
    iterations,
    /// From here on those of single requests (host/experiment/measure_plan.hh), in the order of
    /// request_statistic_names().
    of_requests
};

/// Whether it is one of single requests, which a cell has where its experiment keeps it.
inline bool is_of_requests(Measure what)
{
    return static_cast<int>(what) >= static_cast<int>(Measure::of_requests);
}

/// The measure of that name; none for any other.
std::optional<Measure> measure_named(std::string const& name);
std::string measure_name(Measure what);

/// Whether it is divided by a baseline.
inline bool is_ratio(Measure what)
{
    return what == Measure::ratio_of_means || what == Measure::mean_of_ratios ||
           what == Measure::p99_ratio || what == Measure::worst_ratio || what == Measure::argmax ||
           what == Measure::ratio;
}

/// Whether it is an instance's total over its number of requests, which a cell has as `requests`
/// where all its instances have the same.
inline bool is_of_a_request(Measure what)
{
    return what == Measure::mean_latency || what == Measure::mean_first_token;
}

/// A measure's value in a cell, with its interval where there is one.
struct Measured
{
    double value;
    std::optional<double> low, high;
    std::optional<Basis> basis = {}; ///< of a mean over instances
};

/// Value of a measure for one policy of a cell; none if no instance finished, the baseline was not
/// asked for, or a request's mean is asked of a cell whose instances differ in their number. argmax
/// is read as ratio_of_means, whose largest value it looks for, and ratio, which only distributions
/// show, likewise.
///
/// Intervals: those of the means are as in analysis/statistics; that of the 99th percentile is by
/// the binomial law of its rank (quantile_ranks), without an upper end where the rank would pass
/// the largest instance. The largest ratio found has none. unfinished is the share of
/// instances that the policy never finishes, with Clopper and Pearson's interval (1934).
/// In the iteration model, whose cells with_horizons() has split, means are over paths
/// (fluid::HorizonPoint), or over the prompts of the cell's type; overflow_frequency is the share
/// of paths with an iteration above the policy's memory, with the same interval as unfinished, and
/// none where the policy has no limit.
/// Units: ratios have none; mean_latency and mean_first_token (from arrival to the first token of
/// the run that completes) are a request's, mean_makespan an instance's, in rounds or, under the
/// affine clock, seconds. Contract: 0 < confidence < 1.
std::optional<Measured> measure(CellResult const& cell, std::size_t policy, Measure what,
                                BaselineKind baseline, double confidence);

/// What an axis says of a measure and its denominator, in the text of documents; `worst_over` is
/// the axis (plain text) over which the largest value is shown, or empty; `time` the unit of time.
std::string measure_label(Measure what, BaselineKind baseline, std::string const& worst_over,
                          std::string const& time = "rounds");

/// Whether times of the cell are nanoseconds: the affine clock.
inline bool is_timed(CellResult const& cell) { return cell.parameters.contains("d0"); }

/// Of a store's times: seconds or rounds.
std::string time_unit_of(StoreContents const& contents);

/// Whether requests of the cell arrive over time.
inline bool arrives_over_time(CellResult const& cell)
{
    return cell.paths != nullptr || cell.identity.find("\"arrivals\":") != std::string::npos;
}

/// A baseline's name in print.
std::string baseline_text(BaselineKind baseline);

} // namespace crx

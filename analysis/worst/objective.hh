#pragma once

#include "analysis/baseline/schedule.hh"
#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/worst/cost.hh"

namespace crx::worst {

/// Denominators of a ratio.
enum class Over
{
    opt,        ///< the optimum, proven
    best_found, ///< `best-found` of analysis/baseline
    volume,     ///< the volume bound, or the release bound where requests arrive later than 0
    cost,       ///< another algorithm
};

/// A ratio of two whole numbers, not reduced. Contract: below > 0.
struct Ratio
{
    std::int64_t above = 0, below = 1;

    double value() const { return static_cast<double>(above) / static_cast<double>(below); }
    friend bool operator<(Ratio const& a, Ratio const& b)
    {
        return static_cast<__int128>(a.above) * b.below < static_cast<__int128>(b.above) * a.below;
    }
};

/// A ratio with the schedule and the lower bound that prove it.
struct Settled
{
    Ratio ratio;
    std::int64_t numerator = 0;   ///< sum over the draws of Objective::numerator
    std::int64_t denominator = 0; ///< sum over the draws of the denominator; TEL of `starts`
    std::int64_t lower = 0;       ///< a proven lower bound on opt; the denominator itself elsewhere
    baseline::Starts starts;      ///< of opt and best_found: a schedule
    std::string lower_bound_id;   ///< what proves `lower`
    bool proven() const { return lower == denominator; }
};

/// What a search makes large: one cost over another, and the bound that it has to break, if any.
struct Objective
{
    Cost numerator;
    Over over = Over::opt;
    Cost denominator = {}; ///< of Over::cost
    /// Divides the ratio, unless it is an empty function. An empty value means that the bound does
    /// not apply to the instance, which then does not count.
    std::function<std::optional<double>(OwnedInstance const&)> bound = {};
    std::int64_t nodes = 1'000'000; ///< of a search for the optimum
    double seconds = 1e9;           ///< of a search for the optimum; does not repeat exactly

    /// A lower bound on the value: over opt and best-found it divides by the best schedule of a
    /// short search. Empty where cheap bounds show that it is below `least`, or where the instance
    /// does not count.
    std::optional<double> estimate(OwnedInstance const& instance, double least) const;
    /// The ratio and its proof, as far as `nodes` allow. Empty where the instance does not count.
    std::optional<Settled> settle(OwnedInstance const& instance) const;
    /// "the optimum", or the algorithm's id.
    std::string denominator_name() const;
    /// ratio over bound.
    std::optional<double> value(OwnedInstance const& instance, Ratio const& ratio) const;
};

/// The value of a curve of the catalogue on an instance in which all are told the same [l, u], have
/// one prompt length s and arrive at 0; odds w are those of its outputs. Empty for other instances,
/// and where one of the curve's hypotheses fails. Throws std::invalid_argument for a curve that
/// needs more parameters. The curve must outlive the function.
std::function<std::optional<double>(OwnedInstance const&)>
instance_bound(bounds::Curve const& curve);

} // namespace crx::worst

#pragma once

#include "analysis/baseline/relaxation/lagrangian.hh"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crx::baseline {

/// The rows whose prices bound paths, one number each in a row: memory at each time, families of
/// peak rows at each instant, then how often each request, or each group, starts. In doubles: what
/// prices are good for is found in integers (Lagrangian).
class PathRows
{
  public:
    /// How much longer than those of requests steps along memory and peak rows are, and whether
    /// `first` has prices past the last start that count.
    struct Shape
    {
        double longer = 1;
        bool past_the_end = true;
    };

    /// Of starts 0 .. starts - 1, with prices that come from rows of memory and of peaks alone.
    PathRows(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
             Prices const& prices, std::size_t starts, Shape const& shape);

    /// Appends the rows of requests or of groups, so many.
    void add_starters(std::size_t count);
    /// Where they begin: their prices may have any sign.
    std::size_t starters_at() const { return family_at_.back(); }

    /// By these prices; those of requests and groups count in nothing that follows.
    void set(std::vector<double> const& rows);
    /// Of a start, `own` included: what it costs without prices.
    double cost(std::size_t group, std::size_t k, double own) const;
    /// - M times the prices of memory - those of peak rows times their capacities
    double constant() const;

    /// How far no starts at all exceed each row; of requests and groups 0.
    std::vector<double> empty_slack() const;
    /// What a start adds to the rows of memory and of peaks.
    void add_start(std::vector<double>& slack, std::size_t group, std::size_t k) const;

    /// Of memory and of peaks, rounded.
    Prices prices(std::vector<double> const& rows) const;

    std::size_t times() const { return times_; }

    std::vector<double> weight; ///< of each row, for VolumeSteps
    std::vector<double> first;  ///< prices to begin with, of memory and of peaks

  private:
    OwnedInstance const& instance_;
    std::vector<RequestGroup> const& groups_;
    std::size_t times_ = 0;
    std::vector<PeakRows> families_;
    std::vector<std::size_t> family_at_; // where each family begins, then where starters do
    std::vector<double> sum_, moment_;   // of memory prices before each time
    std::vector<std::vector<double>> sum_of_peaks_;
};

/// The steps of the volume algorithm (dual_ascent.hh) over prices in a row: where to go next, and
/// what is learnt there. The caller evaluates the bound. Prices from place `of_sign` on may have
/// any sign, those before it are at least 0; a step along each row is scaled by its weight.
class VolumeSteps
{
  public:
    struct Pace
    {
        double reach = 0;  ///< as in AscentSettings
        int failures = 10; ///< after so many steps become shorter
        int period = 50;   ///< after so many steps that gained little means are slower
    };

    VolumeSteps(std::vector<double> weight, std::vector<double> first_prices, std::size_t of_sign,
                double upper, Pace const& pace);

    /// Begins at these prices. `slack`: how far the starts that give the bound exceed each row.
    void begin(std::vector<double> prices, double bound, std::vector<double> slack);
    /// The same on other starts: what was learnt of the slack and of the length of steps stays.
    void resume(std::vector<double> prices, double bound);

    /// The prices to evaluate next.
    std::vector<double> next() const;
    void learn(std::vector<double> prices, double bound, std::vector<double> const& slack);

    std::vector<double> const& best_prices() const { return best_prices_; }
    double best() const { return best_; }
    std::int64_t steps() const { return steps_; }

  private:
    std::vector<double> weight_;
    std::size_t of_sign_;
    double upper_;
    Pace pace_;
    std::vector<double> best_prices_, mean_slack_;
    double best_ = 0, best_then_ = 0, factor_ = 0.1, largest_share_ = 0.1;
    int failures_ = 0;
    std::int64_t steps_ = 0;
};

} // namespace crx::baseline

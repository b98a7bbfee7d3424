#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crx::baseline {

/// The steps of the volume algorithm (dual_ascent.hh) over prices in a row: where to go next, and
/// what is learnt there. The caller evaluates the bound. Prices from place `of_sign` on may have
/// any sign, those before it are at least 0; a step along each row is scaled by its weight.
class VolumeSteps
{
  public:
    VolumeSteps(std::vector<double> weight, std::vector<double> first_prices, std::size_t of_sign,
                double upper);

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
    std::vector<double> best_prices_, mean_slack_;
    double best_ = 0, best_then_ = 0, factor_ = 0.1, largest_share_ = 0.1;
    int failures_ = 0;
    std::int64_t steps_ = 0;
};

} // namespace crx::baseline

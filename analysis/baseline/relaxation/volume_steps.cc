#include "analysis/baseline/relaxation/volume_steps.hh"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crx::baseline {

VolumeSteps::VolumeSteps(std::vector<double> weight, std::vector<double> first_prices,
                         std::size_t of_sign, double upper)
    : weight_(std::move(weight)), of_sign_(of_sign), upper_(upper),
      best_prices_(std::move(first_prices))
{
}

void VolumeSteps::begin(std::vector<double> prices, double bound, std::vector<double> slack)
{
    factor_ = largest_share_ = 0.1;
    mean_slack_ = std::move(slack);
    resume(std::move(prices), bound);
}

void VolumeSteps::resume(std::vector<double> prices, double bound)
{
    best_prices_ = std::move(prices);
    best_ = best_then_ = bound;
    factor_ = std::max(factor_, 0.05);
    failures_ = 0;
}

std::vector<double> VolumeSteps::next() const
{
    double norm = 0;
    for (std::size_t r = 0; r < weight_.size(); ++r)
        if (r >= of_sign_ || mean_slack_[r] > 0 || best_prices_[r] > 0)
            norm += weight_[r] * mean_slack_[r] * mean_slack_[r];
    auto const target = std::min(upper_, best_ + 0.02 * std::abs(best_));
    auto const length = factor_ * std::max(target - best_, 1e-9) / std::max(norm, 1e-9);
    auto prices = best_prices_;
    for (std::size_t r = 0; r < prices.size(); ++r) {
        prices[r] += length * weight_[r] * mean_slack_[r];
        if (r < of_sign_) prices[r] = std::max(prices[r], 0.0);
    }
    return prices;
}

void VolumeSteps::learn(std::vector<double> prices, double bound, std::vector<double> const& slack)
{
    // The share of the new point that makes the averaged slack least, within limits.
    double along = 0, square = 0;
    for (std::size_t r = 0; r < slack.size(); ++r) {
        auto const difference = mean_slack_[r] - slack[r];
        along += weight_[r] * mean_slack_[r] * difference;
        square += weight_[r] * difference * difference;
    }
    auto const share = std::clamp(square > 0 ? along / square : largest_share_, largest_share_ / 10,
                                  largest_share_);
    for (std::size_t r = 0; r < slack.size(); ++r)
        mean_slack_[r] += share * (slack[r] - mean_slack_[r]);
    if (bound > best_) {
        best_ = bound;
        best_prices_ = std::move(prices);
        factor_ = std::min(2.0, 1.1 * factor_);
        failures_ = 0;
    } else if (++failures_ >= 10) {
        factor_ = std::max(1e-6, 0.66 * factor_);
        failures_ = 0;
    }
    if (++steps_ % 50 == 0) {
        if (best_ - best_then_ < 1e-3 * std::abs(best_))
            largest_share_ = std::max(0.005, 0.7 * largest_share_);
        best_then_ = best_;
    }
}

} // namespace crx::baseline

#include "analysis/baseline/relaxation/volume_steps.hh"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crx::baseline {

PathRows::PathRows(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                   Prices const& prices, std::size_t starts, Shape const& shape)
    : instance_(instance), groups_(groups)
{
    std::int32_t longest = 0;
    for (auto const& group : groups) longest = std::max(longest, group.output);
    times_ = starts + static_cast<std::size_t>(longest) + 1;
    weight.assign(times_, shape.longer * shape.longer);
    first.assign(times_, 0.0);
    for (std::size_t t = 0; t < std::min(times_, prices.memory.size()); ++t)
        first[t] = Prices::real(prices.memory[t]);
    for (auto const& peaks : prices.peaks) {
        auto const& family = families_.emplace_back(groups, instance.memory, peaks.k);
        auto instants = family.instants(static_cast<Rounds>(starts));
        if (shape.past_the_end) instants = std::max(instants, peaks.price.size());
        family_at_.push_back(weight.size());
        // A peak row at its capacity is worth about a full memory row.
        auto const scale = 0.6 * shape.longer * static_cast<double>(instance.memory) / peaks.k;
        weight.insert(weight.end(), instants, scale * scale);
        for (std::size_t c = 0; c < std::min(instants, peaks.price.size()); ++c)
            first.push_back(Prices::real(peaks.price[c]));
        first.resize(weight.size(), 0.0);
    }
    family_at_.push_back(weight.size());
}

void PathRows::add_starters(std::size_t count)
{
    auto const memory = static_cast<double>(instance_.memory);
    weight.insert(weight.end(), count, 0.25 * memory * memory);
}

void PathRows::set(std::vector<double> const& rows)
{
    sum_.assign(times_ + 1, 0);
    moment_.assign(times_ + 1, 0);
    for (std::size_t t = 0; t < times_; ++t) {
        sum_[t + 1] = sum_[t] + rows[t];
        moment_[t + 1] = moment_[t] + rows[t] * static_cast<double>(t);
    }
    sum_of_peaks_.resize(families_.size());
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto const from = family_at_[f], to = family_at_[f + 1];
        auto& sum = sum_of_peaks_[f];
        sum.assign(to - from + 1, 0);
        for (auto c = from; c < to; ++c) sum[c - from + 1] = sum[c - from] + rows[c];
    }
}

double PathRows::cost(std::size_t g, std::size_t k, double own) const
{
    auto const& group = groups_[g];
    auto const from = k + 1, to = from + static_cast<std::size_t>(group.output);
    auto const end = static_cast<Rounds>(k) + group.output;
    auto cost = own + (group.prompt - static_cast<double>(k)) * (sum_[to] - sum_[from]) +
                (moment_[to] - moment_[from]);
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto const& span : families_[f].spans(g))
            cost += sum_of_peaks_[f][static_cast<std::size_t>(2 * end + span.last)] -
                    sum_of_peaks_[f][static_cast<std::size_t>(2 * end + span.first)];
    return cost;
}

double PathRows::constant() const
{
    auto constant = -static_cast<double>(instance_.memory) * sum_.back();
    for (std::size_t f = 0; f < families_.size(); ++f)
        constant -= families_[f].capacity() * sum_of_peaks_[f].back();
    return constant;
}

std::vector<double> PathRows::empty_slack() const
{
    std::vector<double> slack(weight.size(), 0.0);
    std::fill_n(slack.begin(), times_, -static_cast<double>(instance_.memory));
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            slack[c] = -families_[f].capacity();
    return slack;
}

void PathRows::add_start(std::vector<double>& slack, std::size_t g, std::size_t k) const
{
    auto const& group = groups_[g];
    for (std::int32_t j = 1; j <= group.output; ++j)
        slack[k + static_cast<std::size_t>(j)] += group.prompt + j;
    auto const end = static_cast<Rounds>(k) + group.output;
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto const& span : families_[f].spans(g))
            for (auto c = span.first; c < span.last; ++c)
                slack[family_at_[f] + static_cast<std::size_t>(2 * end + c)] += 1;
}

Prices PathRows::prices(std::vector<double> const& rows) const
{
    Prices prices;
    for (std::size_t t = 0; t < times_; ++t) prices.memory.push_back(Prices::fixed(rows[t]));
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto& peaks = prices.peaks.emplace_back(Prices::Peaks{families_[f].capacity(), {}});
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            peaks.price.push_back(Prices::fixed(rows[c]));
    }
    return prices;
}

VolumeSteps::VolumeSteps(std::vector<double> weight, std::vector<double> first_prices,
                         std::size_t of_sign, double upper, Pace const& pace)
    : weight_(std::move(weight)), of_sign_(of_sign), upper_(upper), pace_(pace),
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

// The constants are the volume algorithm's usual ones but for the target: two per cent above the
// best bound, because the linear program may lie far below any schedule.
std::vector<double> VolumeSteps::next() const
{
    double norm = 0;
    for (std::size_t r = 0; r < weight_.size(); ++r)
        if (r >= of_sign_ || mean_slack_[r] > 0 || best_prices_[r] > 0)
            norm += weight_[r] * mean_slack_[r] * mean_slack_[r];
    auto const target =
        std::min(upper_, best_ + std::max(0.02 * std::abs(best_), pace_.reach * (upper_ - best_)));
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
    } else if (++failures_ >= pace_.failures) {
        factor_ = std::max(1e-6, 0.66 * factor_);
        failures_ = 0;
    }
    if (++steps_ % pace_.period == 0) {
        if (best_ - best_then_ < 1e-3 * std::abs(best_))
            largest_share_ = std::max(0.005, 0.7 * largest_share_);
        best_then_ = best_;
    }
}

} // namespace crx::baseline

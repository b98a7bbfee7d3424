#pragma once

#include "analysis/baseline/relaxation/price_bound.hh"

#include <algorithm>
#include <cmath>

namespace crx::baseline {

/// A table of starts: [group][round].
template <class T>
using OfStarts = std::vector<std::vector<T>>;

/// Costs more than any path.
inline constexpr float far_start = 1e30f;

/// Memory at each time, peak rows, and how often each group starts, in a row.
class PairRows
{
  public:
    PairRows(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
             PriceBound const& root, Rounds starts)
        : instance_(instance), groups_(groups), starts_(static_cast<std::size_t>(starts))
    {
        std::int32_t longest = 0;
        for (auto const& group : groups) longest = std::max(longest, group.output);
        times_ = starts_ + static_cast<std::size_t>(longest) + 1;
        auto const memory = static_cast<double>(instance.memory);
        weight.assign(times_, 4.0);
        first.assign(times_, 0.0);
        for (std::size_t t = 0; t < std::min(times_, root.prices.memory.size()); ++t)
            first[t] = real(root.prices.memory[t]);
        for (auto const& peaks : root.prices.peaks) {
            auto const& family = families_.emplace_back(groups, instance.memory, peaks.k);
            family_at_.push_back(weight.size());
            auto const scale = 1.2 * memory / peaks.k;
            weight.insert(weight.end(), family.instants(starts), scale * scale);
            for (std::size_t c = 0; c < std::min(family.instants(starts), peaks.price.size()); ++c)
                first.push_back(real(peaks.price[c]));
            first.resize(weight.size(), 0);
        }
        family_at_.push_back(weight.size());
        weight.insert(weight.end(), groups.size(), 0.25 * memory * memory);
        reduce(first);
        for (std::size_t g = 0; g < groups.size(); ++g)
            first.push_back(*std::ranges::min_element(reduced[g]));
    }

    /// Costs of starts less the price of the group, and what is no start's. Without group prices
    /// they count as 0.
    void reduce(std::vector<double> const& rows)
    {
        std::vector<double> sum(times_ + 1, 0), moment(times_ + 1, 0);
        constant = 0;
        for (std::size_t t = 0; t < times_; ++t) {
            sum[t + 1] = sum[t] + rows[t];
            moment[t + 1] = moment[t] + rows[t] * static_cast<double>(t);
        }
        constant -= static_cast<double>(instance_.memory) * sum.back();
        std::vector<std::vector<double>> peaks(families_.size());
        for (std::size_t f = 0; f < families_.size(); ++f) {
            peaks[f].assign(family_at_[f + 1] - family_at_[f] + 1, 0);
            for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
                peaks[f][c - family_at_[f] + 1] = peaks[f][c - family_at_[f]] + rows[c];
            constant -= families_[f].capacity() * peaks[f].back();
        }
        reduced.assign(groups_.size(), std::vector<float>(starts_, far_start));
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            auto const& group = groups_[g];
            auto const price = rows.size() > prices_at() ? rows[prices_at() + g] : 0.0;
            auto const alone = static_cast<double>(group.output - group.arrival) - price;
            constant += static_cast<double>(group.count()) *
                        (price + std::min(0.0, static_cast<double>(starts_) + alone));
            for (auto k = static_cast<std::size_t>(group.arrival); k < starts_; ++k) {
                auto const from = k + 1, to = from + static_cast<std::size_t>(group.output);
                auto const end = static_cast<Rounds>(k) + group.output;
                auto cost = static_cast<double>(k) + alone +
                            (group.prompt - static_cast<double>(k)) * (sum[to] - sum[from]) +
                            (moment[to] - moment[from]);
                for (std::size_t f = 0; f < families_.size(); ++f)
                    for (auto const& span : families_[f].spans(g))
                        cost += peaks[f][static_cast<std::size_t>(2 * end + span.last)] -
                                peaks[f][static_cast<std::size_t>(2 * end + span.first)];
                reduced[g][k] = static_cast<float>(cost);
            }
        }
    }

    /// How far these starts exceed each row.
    std::vector<double> slack(OfStarts<std::int32_t> const& used) const
    {
        std::vector<double> slack(weight.size(), 0.0);
        for (std::size_t t = 0; t < times_; ++t) slack[t] = -static_cast<double>(instance_.memory);
        for (std::size_t f = 0; f < families_.size(); ++f)
            for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
                slack[c] = -families_[f].capacity();
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            auto const& group = groups_[g];
            slack[prices_at() + g] =
                static_cast<double>(group.count()) - static_cast<double>(used[g].size());
            for (auto const k : used[g]) {
                for (std::int32_t j = 1; j <= group.output; ++j)
                    slack[static_cast<std::size_t>(k + j)] += group.prompt + j;
                for (std::size_t f = 0; f < families_.size(); ++f)
                    for (auto const& span : families_[f].spans(g))
                        for (auto c = span.first; c < span.last; ++c)
                            slack[family_at_[f] +
                                  static_cast<std::size_t>(2 * (k + group.output) + c)] += 1;
            }
        }
        return slack;
    }

    /// Of the rows but for groups.
    Prices prices(std::vector<double> const& rows) const
    {
        Prices prices;
        for (std::size_t t = 0; t < times_; ++t) prices.memory.push_back(fixed(rows[t]));
        for (std::size_t f = 0; f < families_.size(); ++f) {
            auto& peaks = prices.peaks.emplace_back(Prices::Peaks{families_[f].capacity(), {}});
            for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
                peaks.price.push_back(fixed(rows[c]));
        }
        return prices;
    }
    /// Where prices of groups begin, which may have any sign.
    std::size_t prices_at() const { return family_at_.back(); }

    static double real(std::int64_t price)
    {
        return std::ldexp(static_cast<double>(price), -Prices::fraction_bits);
    }
    static std::int64_t fixed(double price)
    {
        return std::llround(std::ldexp(price, Prices::fraction_bits));
    }

    std::vector<double> weight, first;
    OfStarts<float> reduced;
    double constant = 0;

  private:
    OwnedInstance const& instance_;
    std::vector<RequestGroup> const& groups_;
    std::size_t starts_, times_ = 0;
    std::vector<PeakRows> families_;
    std::vector<std::size_t> family_at_;
};

} // namespace crx::baseline

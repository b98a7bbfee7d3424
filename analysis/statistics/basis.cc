#include "analysis/statistics/basis.hh"

#include "analysis/statistics/wide_integer.hh"

#include <algorithm>
#include <functional>

namespace crx {

namespace {

constexpr std::int64_t largest = 5;

using CountedValue = std::pair<std::int64_t, std::int64_t>; ///< value, how often

long double real(std::int64_t value) { return static_cast<long double>(value); }

/// Sum of squared deviations of the farthest five. Contract: values ascend.
long double farthest_five(std::vector<CountedValue> const& values, long double mean)
{
    long double sum = 0;
    auto low = values.begin();
    auto high = values.end();
    for (std::int64_t left = largest; left > 0 && low != high;) {
        auto const below = mean - real(low->first), above = real(std::prev(high)->first) - mean;
        auto const& [value, count] = below > above ? *low++ : *--high;
        auto const taken = std::min(left, count);
        sum += real(taken) * (real(value) - mean) * (real(value) - mean);
        left -= taken;
    }
    return sum;
}

/// The far end of each bin as seen from the mean, within what occurred.
std::vector<CountedValue> far_ends(Histogram const& histogram, RatioTally const& ratios,
                                   long double mean)
{
    std::vector<CountedValue> ends;
    for (auto const& [bin, count] : histogram) {
        auto const first = histogram_bin_start(bin), last = histogram_bin_start(bin + 1) - 1;
        auto const far = mean - real(first) > real(last) - mean ? first : last;
        ends.push_back({std::clamp(far, ratios.smallest.ratio, ratios.largest.ratio), count});
    }
    return ends;
}

/// How many of `count` values are the larger one, if there are no others than the smallest and the
/// largest.
std::optional<std::int64_t> larger_of_two(RatioTally const& ratios, std::int64_t count)
{
    BigInteger const n = count, least = ratios.smallest.ratio, most = ratios.largest.ratio;
    auto const sum = to_big(ratios.sum), squares = to_big(ratios.sum_of_squares);
    // The sum of (value - least) (most - value), which are products of non-negative numbers.
    if ((least + most) * sum - squares - n * least * most != 0) return std::nullopt;
    return static_cast<std::int64_t>(BigInteger((sum - n * least) / (most - least)));
}

} // namespace

Basis basis_of(PolicyTally const& tally, BaselineKind baseline)
{
    auto const k = static_cast<std::size_t>(baseline);
    auto const& histogram = tally.histogram[k];
    auto const& ratios = tally.sums.ratio[k];
    Basis basis;
    std::int64_t in_fullest = 0;
    for (auto const& [bin, count] : histogram) {
        basis.count += count;
        in_fullest = std::max(in_fullest, count);
    }
    if (basis.count == 0) return basis;
    if (ratios.smallest.ratio == ratios.largest.ratio) {
        basis.different = 1;
        basis.off_mode = 0;
        return basis;
    }
    auto const sum = to_big(ratios.sum);
    BigInteger const spread = to_big(ratios.sum_of_squares) * basis.count - sum * sum;
    auto const squares =
        static_cast<long double>(BigFloat(BigFloat(spread) / BigFloat(basis.count)));
    auto const mean = static_cast<long double>(BigFloat(BigFloat(sum) / BigFloat(basis.count)));
    if (auto const larger = larger_of_two(ratios, basis.count)) {
        basis.different = 2;
        basis.off_mode = std::min(*larger, basis.count - *larger);
        std::vector<CountedValue> const both{{ratios.smallest.ratio, basis.count - *larger},
                                             {ratios.largest.ratio, *larger}};
        basis.largest_five = static_cast<double>(farthest_five(both, mean) / squares);
        return basis;
    }
    auto const bins = static_cast<std::int64_t>(histogram.size());
    auto const between = std::int64_t{histogram.back().first} - histogram.begin()->first + 1;
    bool const close = bins == between && bins < basis.count;
    basis.different = close || bins >= least_different ? std::min(least_different, basis.count)
                                                       : std::max<std::int64_t>(3, bins);
    if (!close || bins >= least_different) basis.off_mode = basis.count - in_fullest;
    basis.largest_five = static_cast<double>(
        std::min(1.0L, farthest_five(far_ends(histogram, ratios, mean), mean) / squares));
    return basis;
}

Basis basis_of(std::int64_t count, Estimate const& mean)
{
    Basis basis;
    basis.count = count;
    if (mean.half_width && !has_width(mean)) {
        basis.different = 1;
        basis.off_mode = 0;
    } else if (count < least_different) {
        basis.different = count;
    }
    return basis;
}

std::optional<double> largest_five_of(std::vector<double> const& values)
{
    double mean = 0, sum = 0, of_five = 0;
    for (auto const value : values) mean += value / static_cast<double>(values.size());
    std::vector<double> squares;
    for (auto const value : values) squares.push_back((value - mean) * (value - mean));
    std::ranges::sort(squares, std::greater());
    for (std::size_t k = 0; k < squares.size(); ++k) {
        sum += squares[k];
        if (k < static_cast<std::size_t>(largest)) of_five += squares[k];
    }
    return sum > 0 ? std::optional(of_five / sum) : std::nullopt;
}

std::string to_text(Basis const& basis)
{
    auto const count = std::to_string(basis.count);
    if (basis.all_equal()) return "all " + count + " equal";
    auto text = count + (basis.count == 1 ? " instance" : " instances");
    if (!basis.is_few()) return text;
    if (*basis.different == basis.count) return "only " + text;
    text += ", " + std::to_string(*basis.different) + " different values";
    if (basis.off_mode) text += ", " + std::to_string(*basis.off_mode) + " not the most frequent";
    return text;
}

} // namespace crx

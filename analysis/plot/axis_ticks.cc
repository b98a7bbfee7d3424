#include "analysis/plot/axis_range.hh"

#include <fmt/core.h>

#include <algorithm>
#include <span>

namespace crx::plot {

namespace {

/// The number that binary arithmetic missed by a rounding error: 0.30000000000000004 is 0.3.
double clean(double value, double step)
{
    return std::abs(value) < step * 1e-9 ? 0 : std::stod(fmt::format("{:.12g}", value));
}

std::vector<Tick> linear_ticks(Range const& range, int about)
{
    double const rough = (range.high - range.low) / about;
    double const power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (double const factor : {5.0, 2.0, 1.0})
        if (factor * power >= rough * 0.999) step = factor * power;
    std::vector<Tick> found;
    double const slack = step * 1e-6;
    for (double k = std::ceil((range.low - slack) / step); k * step <= range.high + slack; ++k)
        found.push_back({clean(k * step, step), tick_label(clean(k * step, step))});
    return found;
}

std::vector<Tick> logarithmic_ticks(Range const& range, int about)
{
    double const decades = std::log10(range.high / range.low);
    // Labelled leading digits, the densest set that does not crowd the axis.
    static constexpr double sets[][9] = {
        {1, 1.5, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 6, 8}, {1, 2, 5}, {1, 3}, {1}};
    static constexpr std::size_t sizes[] = {9, 6, 3, 2, 1};
    std::size_t chosen = 0;
    while (chosen < 4 && decades * static_cast<double>(sizes[chosen]) > 1.6 * about) ++chosen;
    std::span<double const> const labelled(sets[chosen], sizes[chosen]);
    // Beyond this many decades only every second, third, .. power has a label.
    int const every = std::max(1, static_cast<int>(std::ceil(decades / (1.5 * about))));
    std::vector<Tick> found;
    int const first = static_cast<int>(std::floor(std::log10(range.low))) - 1;
    int const last = static_cast<int>(std::ceil(std::log10(range.high)));
    for (int power = first; power <= last; ++power)
        for (double const digit : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
            double const value = clean(digit * std::pow(10, power), 0);
            if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
            bool const label =
                std::find(labelled.begin(), labelled.end(), digit) != labelled.end() &&
                power % every == 0;
            if (label || (digit != 1.5 && every == 1))
                found.push_back({value, label ? tick_label(value) : ""});
            else if (digit == 1)
                found.push_back({value, ""});
        }
    return found;
}

} // namespace

std::vector<Tick> ticks(Range const& range, bool logarithmic, int about)
{
    if (!logarithmic) return linear_ticks(range, about);
    // Much less than a factor of two is as good as linear, and reads better so.
    if (range.high / range.low < 1.8) return linear_ticks(range, about);
    return logarithmic_ticks(range, about);
}

std::string tick_label(double value)
{
    double const size = std::abs(value);
    if (value == 0 || (size >= 1e-4 && size < 1e5)) {
        std::string const text = fmt::format("{:.6g}", value);
        return text[0] == '-' ? "−" + text.substr(1) : text;
    }
    int const power = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    double const digits = std::stod(fmt::format("{:.6g}", size / std::pow(10, power)));
    std::string const sign = value < 0 ? "−" : "";
    std::string const lead = digits == 1 ? "" : fmt::format("{:g}·", digits);
    return fmt::format("{}{}10^{{{}}}", sign, lead, power);
}

} // namespace crx::plot

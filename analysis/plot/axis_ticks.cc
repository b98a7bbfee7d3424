#include "analysis/plot/axis_range.hh"
#include "analysis/plot/enhanced_text.hh"

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
        if (factor * power >= rough * 0.85) step = factor * power;
    std::vector<Tick> found;
    double const slack = step * 1e-6;
    for (double k = std::ceil((range.low - slack) / step); k * step <= range.high + slack; ++k)
        found.push_back({clean(k * step, step), tick_label(clean(k * step, step))});
    return found;
}

/// Whether labels keep clear of each other on a logarithmic axis.
bool have_room(std::vector<Tick> const& marks, Range const& range, TickRoom room)
{
    double const scale = room.length / std::log10(range.high / range.low);
    Tick const* before = nullptr;
    for (auto const& mark : marks) {
        if (mark.label.empty()) continue;
        if (before != nullptr) {
            double const needed =
                room.horizontal ? (text_width(before->label) + text_width(mark.label)) / 2 + 0.7
                                : 1.5;
            if (std::log10(mark.at / before->at) * scale < needed) return false;
        }
        before = &mark;
    }
    return true;
}

/// Marks with labels at some leading digits of every `every`-th power of ten.
std::vector<Tick> marks_at(Range const& range, std::span<double const> digits, int every)
{
    std::vector<Tick> found;
    int const first = static_cast<int>(std::floor(std::log10(range.low))) - 1;
    int const last = static_cast<int>(std::ceil(std::log10(range.high)));
    for (int power = first; power <= last; ++power)
        for (double const digit : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
            double const value = clean(digit * std::pow(10, power), 0);
            if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
            bool const label = std::find(digits.begin(), digits.end(), digit) != digits.end() &&
                               power % every == 0;
            if (label || digit == 1 || (digit != 1.5 && every == 1))
                found.push_back({value, label ? tick_label(value) : ""});
        }
    return found;
}

std::vector<Tick> logarithmic_ticks(Range const& range, TickRoom room)
{
    // Leading digits that get a label, from the densest set to the sparsest.
    static constexpr double all[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8}, even[] = {1, 2, 3, 4, 6, 8},
                            few[] = {1, 2, 5}, two[] = {1, 3}, one[] = {1};
    for (auto const digits : {std::span<double const>(all), std::span<double const>(even),
                              std::span<double const>(few), std::span<double const>(two)})
        if (auto found = marks_at(range, digits, 1); have_room(found, range, room)) return found;
    int every = 1;
    while (every < 300 && !have_room(marks_at(range, one, every), range, room)) ++every;
    return marks_at(range, one, every);
}

/// Lead and power of ten: 10^{5}, 3·10^{-5}.
std::string power_label(double value)
{
    double const size = std::abs(value);
    int const power = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    double const digits = std::stod(fmt::format("{:.6g}", size / std::pow(10, power)));
    std::string const sign = value < 0 ? "−" : "";
    std::string const lead = digits == 1 ? "" : fmt::format("{:g}·", digits);
    return fmt::format("{}{}10^{{{}}}", sign, lead, power);
}

/// Whether a number is too long to be written out.
bool is_a_power(double value)
{
    double const size = std::abs(value);
    return value != 0 && !(size >= 1e-4 && size < 1e5);
}

/// Where one number of an axis is a power of ten, so are the others that are longer than that.
std::vector<Tick> in_one_form(std::vector<Tick> marks)
{
    if (std::ranges::none_of(
            marks, [](Tick const& mark) { return !mark.label.empty() && is_a_power(mark.at); }))
        return marks;
    for (auto& mark : marks)
        if (!mark.label.empty() && mark.at != 0 &&
            (std::abs(mark.at) >= 100 || std::abs(mark.at) <= 0.01))
            mark.label = power_label(mark.at);
    return marks;
}

} // namespace

std::vector<Tick> ticks(Range const& range, bool logarithmic, TickRoom room)
{
    // Less than a factor of two is as good as linear, and reads better so.
    if (logarithmic && range.high / range.low >= 1.8)
        return in_one_form(logarithmic_ticks(range, room));
    return in_one_form(
        linear_ticks(range, std::clamp(int(room.length / (room.horizontal ? 4.2 : 3)), 2, 8)));
}

std::string tick_label(double value)
{
    if (!is_a_power(value)) {
        std::string const text = fmt::format("{:.6g}", value);
        return text[0] == '-' ? "−" + text.substr(1) : text;
    }
    return power_label(value);
}

} // namespace crx::plot

#include "host/plot/panel_source.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"
#include "host/error.hh"
#include "host/plot/curve_look.hh"
#include "host/plot/policy_look.hh"
#include "kernels/policies/policy_info.hh"

#include <fmt/format.h>

namespace crx {

namespace {

/// A cell's value for the policy at hand.
struct Sample
{
    CellResult const* cell;
    Measured measured;
};

/// Axes on which cells at one place differ: what the panel does not say how to treat.
[[noreturn]] void complain_of_two(PanelSource const& source, CellResult const& one,
                                  CellResult const& other)
{
    for (auto const& [axis, value] : one.coordinates)
        if (!same_value(value, *value_of(other, axis)))
            throw InputError(fmt::format(
                "{}: several values of {} fall on one {}\n"
                "  give the panel where.{} = VALUE, worst_over = \"{}\" or series = \"{}\"",
                source.place, axis, source.panel.x, axis, axis, axis));
    throw InputError(source.place + ": two cells have the same coordinates");
}

/// The place of the largest value. Its interval holds the places whose own interval reaches the
/// largest value's lower end: those that may as well be the worst.
plot::Point place_of_worst(PanelSource const& source, double x, std::vector<Sample> const& samples,
                           Sample const& worst)
{
    auto const place = [&](Sample const& sample) {
        return *value_of(*sample.cell, source.panel.worst_over);
    };
    plot::Point point{x, place(worst), {}, {}};
    double const reach = worst.measured.low.value_or(worst.measured.value);
    for (auto const& sample : samples) {
        if (sample.measured.high.value_or(sample.measured.value) < reach) continue;
        point.low = std::min(point.low.value_or(point.y), place(sample));
        point.high = std::max(point.high.value_or(point.y), place(sample));
    }
    return point;
}

/// The point of cells at one place, and the cell that it comes from.
std::pair<plot::Point, CellResult const*> point_of(PanelSource const& source, double x,
                                                   std::vector<Sample> const& samples)
{
    auto const& axis = source.panel.worst_over;
    for (std::size_t i = 1; i < samples.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (axis.empty() ||
                same_value(*value_of(*samples[i].cell, axis), *value_of(*samples[j].cell, axis)))
                complain_of_two(source, *samples[j].cell, *samples[i].cell);
    auto const& worst =
        *std::max_element(samples.begin(), samples.end(), [](Sample const& a, Sample const& b) {
            return a.measured.value < b.measured.value;
        });
    if (source.measure == Measure::argmax)
        return {place_of_worst(source, x, samples, worst), worst.cell};
    return {{x, worst.measured.value, worst.measured.low, worst.measured.high}, worst.cell};
}

std::vector<plot::Point> points_of(PanelSource const& source, Cells const& cells,
                                   std::size_t policy, SeriesOrigin& origin)
{
    auto& counts = origin.counts;
    std::vector<plot::Point> points;
    for (double const x : values_among(cells, source.panel.x, source.place)) {
        std::vector<Sample> samples;
        for (auto const* cell : cells)
            if (same_value(*value_of(*cell, source.panel.x), x))
                if (auto const found =
                        measure(*cell, policy, source.measure, source.baseline, source.confidence))
                    samples.push_back({cell, *found});
        if (samples.empty()) continue;
        auto const [point, cell] = point_of(source, x, samples);
        points.push_back(point);
        origin.cells.push_back(cell);
        counts.push_back(
            point_counts(*cell, policy, source.measure, source.baseline, source.confidence));
        for (auto const* other : cells)
            if (other != cell && same_value(*value_of(*other, source.panel.x), x))
                counts.back().unfinished_elsewhere += unfinished_of(*other, policy);
        auto const unfinished = counts.back().unfinished + counts.back().unfinished_elsewhere;
        points.back().partial = unfinished > 0 && source.measure != Measure::unfinished;
    }
    return points;
}

/// Whether one of the panel's curves speaks of this policy: then its points stand alone.
bool has_curve(Panel const& panel, PolicyEntry const& policy)
{
    auto const* const info = find_policy(policy.id);
    return info != nullptr && std::ranges::any_of(panel.curves, [&](std::string const& id) {
               return curve_look(id).policy == info->curves_of;
           });
}

} // namespace

plot::Style series_style(PanelSource const& source, plot::Style policy, std::size_t index)
{
    if (source.panel.series.empty()) return policy;
    static constexpr int closed[] = {plot::circle, plot::square, plot::triangle, plot::diamond};
    static constexpr int open[] = {plot::open_circle, plot::open_square, plot::open_triangle,
                                   plot::open_diamond};
    static constexpr plot::Stroke strokes[] = {plot::Stroke::solid, plot::Stroke::dashed,
                                               plot::Stroke::dotted, plot::Stroke::dash_dotted};
    // A policy that is open elsewhere stays open here, as far as the four outlines reach.
    bool const is_open =
        source.shown_policies() > 1 && std::ranges::find(open, policy.shape) != std::end(open);
    bool const beyond = index / std::size(closed) % 2 == 1;
    int const* const shapes = is_open != beyond ? open : closed;
    policy.shape = shapes[index % std::size(closed)];
    if (source.shown_policies() > 1)
        policy.stroke = strokes[index % std::size(strokes)];
    else if (auto const count = source.series_values().size(); count > 8)
        policy.colour = plot::ramp_colour(index, count);
    else
        policy.colour = static_cast<int>(index);
    return policy;
}

std::string series_text(PanelSource const& source, double value)
{
    if (source.panel.series.empty()) return "";
    auto text = fmt::format("{:.6g}", value);
    if (auto const e = text.find('e'); e != std::string::npos) // 1.1e+08 is set as 1.1·10^8
        text = fmt::format("{}·10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
    return plot::typeset(source.panel.series + " = ") + text;
}

std::vector<plot::Series> panel_series(PanelSource const& source,
                                       std::vector<SeriesOrigin>* origins)
{
    std::vector<plot::Series> all;
    auto const styles = policy_styles(source.policies);
    auto const values = source.series_values();
    bool const all_at_zero = std::ranges::none_of(
        source.cells, [](auto const* cell) { return arrives_over_time(*cell); });
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        auto const& policy = source.policies[k];
        if (!source.shows(policy)) continue;
        for (std::size_t i = 0; i < values.size(); ++i) {
            plot::Series series;
            // The title of a panel of one policy says which it is.
            bool const by_title = source.shown_policies() == 1 && !source.panel.series.empty() &&
                                  !source.panel.title.empty();
            if (!by_title) series.label = policy_text(policy, all_at_zero);
            if (!source.panel.series.empty())
                series.label += (series.label.empty() ? "" : ", ") + series_text(source, values[i]);
            plot::Style style = styles[k];
            // Nothing lies between the places of two largest values: they jump.
            bool const joined = source.measure != Measure::argmax &&
                                (!source.panel.series.empty() || !has_curve(source.panel, policy));
            style.stroke = joined ? plot::Stroke::solid : plot::Stroke::none;
            style.width = 0.7;
            series.style = series_style(source, style, i);
            SeriesOrigin origin{k, {}, {}, {}};
            series.points = points_of(source, source.cells_at(values[i]), k, origin);
            if (series.points.empty()) continue;
            all.push_back(std::move(series));
            if (origins == nullptr) continue;
            if (!source.panel.series.empty()) origin.series_value = values[i];
            origins->push_back(std::move(origin));
        }
    }
    return all;
}

} // namespace crx

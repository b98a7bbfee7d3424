#include "host/results/panel_series.hh"

#include "analysis/statistics/summary.hh"
#include "host/error.hh"
#include "host/results/distribution.hh"
#include "host/results/policy_text.hh"

#include <fmt/format.h>

namespace crx {

namespace {

/// A cell's value for the policy at hand.
struct Sample
{
    CellResult const* cell;
    Measured measured;
};

/// The place of the largest value. Its interval holds the places whose own interval reaches the
/// largest value's lower end: those that may as well be the worst.
Point place_of_worst(PanelSource const& source, double x, std::vector<Sample> const& samples,
                     Sample const& worst)
{
    auto const place = [&](Sample const& sample) {
        return *value_of(*sample.cell, source.panel.worst_over);
    };
    Point point{x, place(worst), {}, {}};
    double const reach = worst.measured.low.value_or(worst.measured.value);
    for (auto const& sample : samples) {
        if (sample.measured.high.value_or(sample.measured.value) < reach) continue;
        point.low = std::min(point.low.value_or(point.y), place(sample));
        point.high = std::max(point.high.value_or(point.y), place(sample));
    }
    return point;
}

/// The point of cells at one place.
Point point_of(PanelSource const& source, double x, std::vector<Sample> const& samples)
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
    auto point = source.measure == Measure::argmax
                     ? place_of_worst(source, x, samples, worst)
                     : Point{x, worst.measured.value, worst.measured.low, worst.measured.high};
    point.cell = worst.cell;
    if (source.measure != Measure::argmax) point.basis = worst.measured.basis;
    return point;
}

bool has_measure_as_x(PanelSource const& source)
{
    auto const measured = measure_named(source.panel.x);
    return measured && is_of_requests(*measured);
}

/// A point a cell, in the order of the cells: a line of one measure against another may turn back.
std::vector<Point> points_by_measure(PanelSource const& source, Cells const& cells,
                                     std::size_t policy)
{
    std::vector<Point> points;
    for (auto const* cell : cells) {
        auto const x = place_on_x(source, *cell, policy);
        auto const y = measure(*cell, policy, source.measure, source.baseline, source.confidence);
        if (!x || !y) continue;
        Point point{*x, y->value, y->low, y->high};
        point.cell = cell;
        point.counts = point_counts(*cell, policy, source.measure, source.baseline);
        point.partial = point.counts.unfinished > 0;
        points.push_back(point);
    }
    return points;
}

/// The other measure of a frontier's point.
bool set_measured_x(PanelSource const& source, std::size_t policy, Point& point)
{
    auto const x =
        measure(*point.cell, policy, source.x_measure, source.baseline, source.confidence);
    if (!x) return false;
    point.x = x->value;
    point.x_low = x->low;
    point.x_high = x->high;
    return true;
}

std::vector<Point> points_of(PanelSource const& source, Cells const& cells, std::size_t policy)
{
    if (has_measure_as_x(source)) return points_by_measure(source, cells, policy);
    if (source.panel.is_distribution()) return distribution_points(source, cells, policy);
    std::vector<Point> points;
    for (double const x : values_among(cells, source.panel.x, source.place)) {
        std::vector<Sample> samples;
        for (auto const* cell : cells)
            if (same_value(*value_of(*cell, source.panel.x), x))
                if (auto const found =
                        measure(*cell, policy, source.measure, source.baseline, source.confidence))
                    samples.push_back({cell, *found});
        if (samples.empty()) continue;
        auto point = point_of(source, x, samples);
        if (is_ratio(source.measure) && divides_itself(source.policies[policy].id, source.baseline))
            point.basis.reset();
        if (source.panel.is_frontier() && !set_measured_x(source, policy, point)) continue;
        point.counts = point_counts(*point.cell, policy, source.measure, source.baseline);
        for (auto const* other : cells)
            if (other != point.cell && same_value(*value_of(*other, source.panel.x), x))
                point.counts.unfinished_elsewhere += unfinished_of(*other, policy);
        auto const unfinished = point.counts.unfinished + point.counts.unfinished_elsewhere;
        point.partial = unfinished > 0 && source.measure != Measure::unfinished;
        points.push_back(point);
    }
    return points;
}

/// Whether nobody arrives on a path of the cell, or none of its type.
bool lacks_arrivals(CellResult const& cell, PathRecord const& path)
{
    if (cell.type < 0) return path.tallies[cell.horizon].arrivals == 0;
    return path.types[cell.horizon][static_cast<std::size_t>(cell.type)].arrivals == 0;
}

} // namespace

std::optional<double> place_on_x(PanelSource const& source, CellResult const& cell,
                                 std::size_t policy)
{
    if (!has_measure_as_x(source)) return value_of(cell, source.panel.x);
    auto const found =
        measure(cell, policy, *measure_named(source.panel.x), source.baseline, source.confidence);
    return found ? std::optional(found->value) : std::nullopt;
}

void complain_of_two(PanelSource const& source, CellResult const& one, CellResult const& other)
{
    auto const& panel = source.panel;
    for (auto const& [axis, value] : one.coordinates)
        if (!same_value(value, *value_of(other, axis)))
            throw InputError(fmt::format(
                "{}: several values of {} fall on one {}\n  give the panel where.{} = VALUE, {}"
                "series = \"{}\"",
                source.place, axis, panel.is_distribution() ? panel.kind : panel.x, axis,
                panel.is_distribution() ? "or " : "worst_over = \"" + axis + "\" or ", axis));
    throw InputError(source.place + ": two cells have the same coordinates");
}

void PointCounts::add(PointCounts const& other)
{
    without_arrivals += other.without_arrivals;
    behind += other.behind;
    unfinished += other.unfinished;
    undivided += other.undivided;
    unfinished_elsewhere += other.unfinished_elsewhere;
}

std::string PointCounts::text() const
{
    auto text = fmt::format("{} instance{}", behind, behind == 1 ? "" : "s");
    if (unfinished > 0) text += fmt::format(", {} unfinished", unfinished);
    if (undivided > 0) text += fmt::format(", {} without denominator", undivided);
    if (unfinished_elsewhere > 0)
        text += fmt::format(", {} unfinished in the other cells here", unfinished_elsewhere);
    if (without_arrivals > 0)
        text +=
            fmt::format(" of {}, {} without arrivals", behind + without_arrivals, without_arrivals);
    return text;
}

PointCounts point_counts(CellResult const& cell, std::size_t policy, Measure what,
                         BaselineKind baseline)
{
    if (cell.paths != nullptr) {
        PointCounts paths;
        if (cell.paths->empty()) return paths;
        paths.behind = static_cast<std::int64_t>(cell.paths->at(policy).size());
        if (!is_of_a_request(what)) return paths;
        paths.without_arrivals = std::ranges::count_if(
            cell.paths->at(policy), [&](auto const& path) { return lacks_arrivals(cell, path); });
        paths.behind -= paths.without_arrivals;
        return paths;
    }
    auto const& tally = cell.tally.at(policy);
    PointCounts counts;
    counts.behind = tally.sums.count;
    counts.unfinished = tally.sums.unfinished;
    if (what == Measure::unfinished) counts.behind += counts.unfinished;
    if (!is_ratio(what)) return counts;
    counts.behind = divided_by(tally, baseline);
    counts.undivided = tally.sums.count - counts.behind;
    return counts;
}

bool has_curve(Panel const& panel, PolicyEntry const& policy)
{
    return std::ranges::any_of(panel.curves,
                               [&](std::string const& id) { return speaks_of(id, policy.id); });
}

bool is_joined(PanelSource const& source, PolicyEntry const& policy)
{
    return source.measure != Measure::argmax &&
           (!source.panel.series.empty() || !has_curve(source.panel, policy));
}

std::string series_label(PanelSource const& source, std::size_t policy,
                         std::optional<double> series_value)
{
    auto const name = policy_text(source.policies[policy], source.all_at_zero());
    if (!series_value) return name;
    auto const text = series_text(source, *series_value);
    bool const by_title = source.shown_policies() == 1 && !source.panel.title.empty();
    return by_title ? text : name + ", " + text;
}

std::vector<Series> panel_series(PanelSource const& source)
{
    std::vector<Series> all;
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        if (!source.shows(source.policies[k])) continue;
        for (double const value : source.series_values()) {
            Series series{k, {}, {}, points_of(source, source.cells_at(value), k)};
            if (series.points.empty()) continue;
            if (!source.panel.series.empty()) series.series_value = value;
            series.label = series_label(source, k, series.series_value);
            all.push_back(std::move(series));
        }
    }
    return all;
}

namespace {

/// The places of cells along the bottom; one that is none in a distribution.
std::vector<std::optional<double>> places_of(PanelSource const& source, Cells const& cells)
{
    if (source.panel.is_distribution()) return {std::nullopt};
    auto const values = values_among(cells, source.panel.x, source.place);
    return {values.begin(), values.end()};
}

bool has_value(PanelSource const& source, CellResult const& cell, std::size_t policy)
{
    auto const is_there = [&](Measure what) {
        return measure(cell, policy, what, source.baseline, source.confidence).has_value();
    };
    if (source.measure == Measure::ratio)
        return divided_by(cell.tally.at(policy), source.baseline) > 0;
    return is_there(source.measure) && (!source.panel.is_frontier() || is_there(source.x_measure));
}

} // namespace

std::vector<MissingValue> missing_values(PanelSource const& source)
{
    std::vector<MissingValue> all;
    if (has_measure_as_x(source)) return all; // a cell without a value has no place
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        if (!source.shows(source.policies[k])) continue;
        for (double const series_value : source.series_values()) {
            auto const cells = source.cells_at(series_value);
            for (auto const& x : places_of(source, cells)) {
                MissingValue missing{k, {}, x, {}, 0, 0, nullptr};
                if (!source.panel.series.empty()) missing.series_value = series_value;
                for (auto const* cell : cells) {
                    if (x && !same_value(*value_of(*cell, source.panel.x), *x)) continue;
                    ++missing.of_cells;
                    if (has_value(source, *cell, k)) continue;
                    if (missing.cells++ == 0) missing.first = cell;
                    missing.counts.add(point_counts(*cell, k, source.measure, source.baseline));
                }
                if (missing.cells > 0) all.push_back(missing);
            }
        }
    }
    return all;
}

} // namespace crx

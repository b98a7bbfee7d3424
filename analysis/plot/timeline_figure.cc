#include "analysis/plot/timeline_figure.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/palette.hh"

#include <algorithm>

namespace crx::plot {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// Keeps of each slice of the axis its first, lowest, highest and last point.
std::vector<Point> thinned(std::vector<Point> const& points, std::size_t slices)
{
    if (points.size() <= 4 * slices) return points;
    std::vector<Point> kept;
    double const first = points.front().x,
                 width = (points.back().x - first) / static_cast<double>(slices);
    auto const lower = [](Point const& a, Point const& b) { return a.y < b.y; };
    for (auto from = points.begin(); from != points.end();) {
        double const slice = std::floor((from->x - first) / width);
        auto const to = std::find_if(from, points.end(), [&](Point const& point) {
            return std::floor((point.x - first) / width) != slice;
        });
        auto const [least, most] = std::minmax_element(from, to, lower);
        std::vector<std::vector<Point>::const_iterator> chosen{from, least, most, to - 1};
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (auto const& point : chosen) kept.push_back(*point);
        from = to;
    }
    return kept;
}

/// Unit of the axis of time.
double unit_of(TimelineTexts const& texts) { return texts.nanoseconds ? 1e-9 : 1; }

std::vector<Point> memory_line(std::vector<TimelinePoint> const& timeline,
                               TimelineTexts const& texts)
{
    double const unit = unit_of(texts);
    std::vector<Point> line;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        auto const& now = timeline[i];
        line.push_back({unit * real(now.time), real(now.held), {}, {}});
        if (i + 1 == timeline.size()) break;
        if (texts.nanoseconds) continue;
        auto const& next = timeline[i + 1];
        Tokens const after = next.held - now.active * (next.time - now.time);
        if (after != now.held) line.push_back({real(now.time), real(after), {}, {}});
    }
    return thinned(line, texts.slices);
}

/// A staircase: each point's value holds until the next.
template <class Value>
std::vector<Point> steps(std::vector<TimelinePoint> const& timeline, TimelineTexts const& texts,
                         Value value)
{
    double const unit = unit_of(texts);
    std::vector<Point> line;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        if (i > 0)
            line.push_back({unit * real(timeline[i].time), real(value(timeline[i - 1])), {}, {}});
        line.push_back({unit * real(timeline[i].time), real(value(timeline[i])), {}, {}});
    }
    return thinned(line, texts.slices);
}

} // namespace

Figure timeline_figure(std::vector<TimelinePoint> const& timeline, Tokens memory,
                       TimelineTexts const& texts)
{
    Figure figure;
    figure.title = typeset(texts.title);
    figure.caption = typeset(texts.caption);
    figure.columns = 1;
    double const unit = unit_of(texts);
    double const first = timeline.empty() ? 0 : unit * real(timeline.front().time);
    double const last = timeline.empty() ? 1 : unit * real(timeline.back().time);
    std::string const time = texts.nanoseconds ? "seconds" : "round";

    Panel held{"memory", {time, false, first, last}, {"tokens held", false, 0.0, {}}, {}, {}};
    held.series.push_back(
        {"memory held", {blue, -1, Stroke::solid, 0.8}, memory_line(timeline, texts)});
    held.curves.push_back({"memory {/:Italic M}",
                           {vermilion, -1, Stroke::dashed, 1},
                           {{first, real(memory), {}, {}}, {last, real(memory), {}, {}}}});
    held.y.high = real(memory) * 1.08;

    Panel requests{"requests", {time, false, first, last}, {"requests", false, 0.0, {}}, {}, {}};
    requests.series.push_back({"active",
                               {green, -1, Stroke::solid, 1},
                               steps(timeline, texts, [](auto const& p) { return p.active; })});
    requests.series.push_back({"waiting",
                               {orange, -1, Stroke::solid, 1},
                               steps(timeline, texts, [](auto const& p) { return p.waiting; })});
    // Room below 0, or a line of requests that are none would lie on the axis.
    std::int64_t most = 1;
    for (auto const& point : timeline)
        most = std::max({most, std::int64_t{point.active}, std::int64_t{point.waiting}});
    requests.y.low = -0.03 * real(most);
    figure.panels = {held, requests};
    return figure;
}

} // namespace crx::plot

#include "host/plot/point_counts.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/statistics/summary.hh"
#include "host/plot/policy_look.hh"

#include <fmt/format.h>

namespace crx {

namespace {

/// Ends of the places at which something is so.
struct Places
{
    std::optional<double> low, high;

    void add(double x)
    {
        low = std::min(low.value_or(x), x);
        high = std::max(high.value_or(x), x);
    }
    std::string text() const
    {
        return same_value(*low, *high) ? fmt::format("{:.6g}", *low)
                                       : fmt::format("{:.6g} to {:.6g}", *low, *high);
    }
};

} // namespace

PointCounts point_counts(CellResult const& cell, std::size_t policy, Measure what,
                         BaselineKind baseline, double confidence)
{
    if (cell.paths != nullptr)
        return {cell.paths->empty() ? 0 : static_cast<std::int64_t>(cell.paths->at(policy).size()),
                0, 0, 0};
    auto const& tally = cell.tally.at(policy);
    PointCounts counts{tally.sums.count, tally.sums.unfinished, 0, 0};
    if (what == Measure::unfinished) counts.behind += counts.unfinished;
    if (!is_ratio(what)) return counts;
    counts.behind = summarise(tally, baseline, confidence).divided;
    counts.undivided = tally.sums.count - counts.behind;
    return counts;
}

std::vector<MissingValue> missing_values(PanelSource const& source)
{
    std::vector<MissingValue> all;
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        if (!source.shows(source.policies[k])) continue;
        for (double const series_value : source.series_values()) {
            auto const cells = source.cells_at(series_value);
            for (double const x : values_among(cells, source.panel.x, source.place)) {
                MissingValue missing{k, {}, x, {}, 0, 0, nullptr};
                if (!source.panel.series.empty()) missing.series_value = series_value;
                for (auto const* cell : cells) {
                    if (!same_value(*value_of(*cell, source.panel.x), x)) continue;
                    ++missing.of_cells;
                    if (measure(*cell, k, source.measure, source.baseline, source.confidence))
                        continue;
                    if (missing.cells++ == 0) missing.first = cell;
                    missing.counts.add(
                        point_counts(*cell, k, source.measure, source.baseline, source.confidence));
                }
                if (missing.cells > 0) all.push_back(missing);
            }
        }
    }
    return all;
}

std::string counts_text(PointCounts const& counts)
{
    auto text = fmt::format("{} instance{}", counts.behind, counts.behind == 1 ? "" : "s");
    if (counts.unfinished > 0) text += fmt::format(", {} unfinished", counts.unfinished);
    if (counts.undivided > 0) text += fmt::format(", {} without denominator", counts.undivided);
    if (counts.unfinished_elsewhere > 0)
        text += fmt::format(", {} unfinished in the other cells here", counts.unfinished_elsewhere);
    return text;
}

std::string unfinished_text(PanelSource const& source)
{
    auto const missing = missing_values(source);
    bool const all_at_zero = std::ranges::none_of(
        source.cells, [](auto const* cell) { return arrives_over_time(*cell); });
    auto const axis = plot::typeset(source.panel.x);
    std::vector<std::string> unfinished, gone;
    for (std::size_t k = 0; k < source.policies.size(); ++k) {
        if (!source.shows(source.policies[k])) continue;
        auto const name = policy_text(source.policies[k], all_at_zero);
        Places places, without;
        std::int64_t count = 0, runs = 0;
        for (auto const* cell : source.cells) {
            auto const never_ended = unfinished_of(*cell, k);
            if (cell->paths == nullptr) runs += cell->tally[k].sums.count + never_ended;
            if (never_ended == 0) continue;
            places.add(*value_of(*cell, source.panel.x));
            count += never_ended;
        }
        if (count > 0)
            unfinished.push_back(
                fmt::format("{} {} of {} ({} {})", name, count, runs, axis, places.text()));
        for (auto const& value : missing)
            if (value.policy == k) without.add(value.x);
        if (without.low) gone.push_back(fmt::format("{} at {} {}", name, axis, without.text()));
    }
    std::string text;
    if (!unfinished.empty())
        text += fmt::format(" Unfinished runs{}: {}.",
                            source.measure == Measure::unfinished ? "" : ", in no average",
                            fmt::join(unfinished, "; "));
    if (!gone.empty()) text += fmt::format(" Cells without a value: {}.", fmt::join(gone, "; "));
    return text;
}

} // namespace crx

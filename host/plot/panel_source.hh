#pragma once

#include "host/plot/choose_cells.hh"
#include "host/plot/measure.hh"

namespace crx {

/// What a panel is drawn from.
struct PanelSource
{
    Panel panel;
    Cells cells;                       ///< those it shows
    std::vector<PolicyEntry> policies; ///< of the store, in the order of the tallies
    double confidence = 0.95;
    Measure measure = Measure::ratio_of_means;
    BaselineKind baseline = BaselineKind::h_sf;
    std::string place; ///< what messages begin with, e.g. `sweep.db: panel 2 ("Growth")`

    /// Whether the panel shows this policy: all, if it names none.
    bool shows(PolicyEntry const& policy) const
    {
        auto const& shown = panel.policies;
        return shown.empty() || std::find(shown.begin(), shown.end(), policy.label) != shown.end();
    }
    std::size_t shown_policies() const
    {
        std::size_t count = 0;
        for (auto const& policy : policies) count += shows(policy) ? 1 : 0;
        return count;
    }
    /// Values of the series axis; one that is not a number where the panel has none.
    std::vector<double> series_values() const
    {
        if (panel.series.empty()) return {plot::gap};
        return values_among(cells, panel.series, place);
    }
    /// The cells at a value of series_values().
    Cells cells_at(double series_value) const
    {
        if (panel.series.empty()) return cells;
        Cells found;
        for (auto const* cell : cells)
            if (same_value(*value_of(*cell, panel.series), series_value)) found.push_back(cell);
        return found;
    }
};

/// "seconds" where a panel's cells have the affine clock, else "rounds".
inline std::string time_unit(PanelSource const& source)
{
    return !source.cells.empty() && is_timed(*source.cells.front()) ? "seconds" : "rounds";
}

/// Colour, shape and stroke of the value at `index` of a series axis; `policy` is the style of the
/// policy, which keeps its colour if the panel shows several.
plot::Style series_style(PanelSource const& source, plot::Style policy, std::size_t index);

/// "load = 10": a value of the series axis in a key.
std::string series_text(PanelSource const& source, double value);

/// How many runs stand behind a point, and how many do not.
struct PointCounts
{
    std::int64_t behind = 0;     ///< runs in the value
    std::int64_t unfinished = 0; ///< runs that never end: in no average
    std::int64_t undivided = 0;  ///< runs that end, but whose instance lacks the denominator
    std::int64_t unfinished_elsewhere = 0; ///< unfinished in the cells it is the largest of

    void add(PointCounts const& other)
    {
        behind += other.behind;
        unfinished += other.unfinished;
        undivided += other.undivided;
        unfinished_elsewhere += other.unfinished_elsewhere;
    }
};

/// Those of one policy in one cell. Contract: as measure.
PointCounts point_counts(CellResult const& cell, std::size_t policy, Measure what,
                         BaselineKind baseline, double confidence);

/// What a series shows: a policy (its number in the store), at a value of the series axis, and the
/// cell and the runs behind each of its points. Under worst_over that is the cell with the largest
/// value.
struct SeriesOrigin
{
    std::size_t policy;
    std::optional<double> series_value;
    std::vector<PointCounts> counts;
    Cells cells;
};

/// One series a policy and value of the series axis that has a value, and where each comes from.
/// Throws InputError if cells of several values of another axis would fall on one place.
std::vector<plot::Series> panel_series(PanelSource const& source,
                                       std::vector<SeriesOrigin>* origins = nullptr);

/// The panel's theory curves on a fine grid of x. A curve takes the parameters that all cells have
/// in common; where the series axis changes it, there is one for each of its values. Throws
/// InputError if a parameter is missing, or varies along the panel and matters.
std::vector<plot::Curve> panel_curves(PanelSource const& source);

/// The value of one of these curves at a cell of the panel, as it is drawn there; none outside the
/// curve's domain. Contract: panel_curves(source) draws it.
std::optional<double> curve_value(PanelSource const& source, std::string const& curve,
                                  CellResult const& cell);

} // namespace crx

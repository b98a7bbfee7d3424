#pragma once

#include "host/results/panel_source.hh"

namespace crx {

/// How many runs stand behind a point, and how many do not.
struct PointCounts
{
    std::int64_t behind = 0;     ///< runs in the value
    std::int64_t unfinished = 0; ///< runs that never end: in no average
    std::int64_t undivided = 0;  ///< runs that end, but whose instance lacks the denominator
    std::int64_t unfinished_elsewhere = 0; ///< unfinished in the cells it is the largest of
    std::int64_t without_arrivals = 0;     ///< paths on which nobody arrives, in no mean latency

    void add(PointCounts const& other);
    /// "30 instances, 170 unfinished".
    std::string text() const;
};

/// Where a cell lies on the x axis: its number of that name, or the policy's value of a measure of
/// requests; none where it has none.
std::optional<double> place_on_x(PanelSource const& source, CellResult const& cell,
                                 std::size_t policy);

/// Those of one policy in one cell. Contract: as measure.
PointCounts point_counts(CellResult const& cell, std::size_t policy, Measure what,
                         BaselineKind baseline);

/// A value with its interval, where it has one, and what it rests on.
struct Point
{
    double x = 0, y = 0;
    std::optional<double> low, high;
    std::optional<double> x_low = {}, x_high = {}; ///< of a frontier, whose x is measured too
    bool partial = false;                          ///< not of all that it stands for
    PointCounts counts = {};
    CellResult const* cell = nullptr; ///< under worst_over that with the largest value
    std::optional<Basis> basis = {};  ///< of a mean over instances, unless it is 1 by definition

    /// Whether it is marked: its interval rests on few different values.
    bool is_few() const { return basis && basis->is_few(); }
};

/// What a policy has at a value of the series axis.
struct Series
{
    std::size_t policy = 0; ///< its number in the store
    std::optional<double> series_value;
    std::string label;         ///< in the text of documents
    std::vector<Point> points; ///< in ascending order of x
};

/// One series a policy and value of the series axis that has a value. Of a distribution the points
/// are as distribution_points() makes them. Throws InputError if cells of several values of another
/// axis would fall on one place.
std::vector<Series> panel_series(PanelSource const& source);

/// Refuses cells that differ in an axis of which the panel does not say how to treat it.
[[noreturn]] void complain_of_two(PanelSource const& source, CellResult const& one,
                                  CellResult const& other);

/// As a key says it; the title of a panel of one policy says which it is.
std::string series_label(PanelSource const& source, std::size_t policy,
                         std::optional<double> series_value);

/// Whether one of the panel's curves speaks of this policy.
bool has_curve(Panel const& panel, PolicyEntry const& policy);

/// Whether a line may join the policy's points: nothing lies between the places of two largest
/// values, and points beside a curve stand alone.
bool is_joined(PanelSource const& source, PolicyEntry const& policy);

/// Cells of a place on a panel's x axis that have no value for a policy: none of their runs ended,
/// none that did has the denominator, or some lack it where the measure needs it of all.
struct MissingValue
{
    std::size_t policy;
    std::optional<double> series_value;
    std::optional<double> x; ///< none in a distribution
    PointCounts counts;      ///< of those cells together
    std::int64_t cells = 0, of_cells = 0;
    CellResult const* first = nullptr; ///< of these cells
};

/// All of them, by policy, value of the series axis and x. Where some cells of a place have a
/// value, the panel shows the largest of these.
std::vector<MissingValue> missing_values(PanelSource const& source);

} // namespace crx

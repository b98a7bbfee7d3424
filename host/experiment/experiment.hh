#pragma once

#include "kernels/engines/cell.hh"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crx {

struct IterationSetting;

/// What an experiment's instances are ([model] kind).
enum class Model
{
    rounds,    ///< docs/model.md#round-model: the latency of finitely many requests
    iterations ///< docs/model.md#iteration-model: paths of Poisson arrivals up to several horizons
};
inline constexpr char const* model_ids[] = {"rounds", "iterations"};

/// A point of a sweep: each axis's value, in the order of the axes.
using Coordinates = std::vector<std::pair<std::string, double>>;

/// When a cell has enough instances.
struct StopRule
{
    std::int64_t instances = 0; ///< target; with `half_width`, the most
    /// If set: stop once, for every policy and baseline, the confidence interval of the mean ratio
    /// is at most this wide on either side. Checked at `first`, 2 first, 4 first, .. instances
    /// only, so the number of instances does not depend on threads or interruptions.
    std::optional<double> half_width;
    double confidence = 0.95;
    std::int64_t first = 16;
};

/// After the grid: look closer around the worst cell along one axis, or for a capacity around the
/// cell where an objective is no longer kept.
struct Refinement
{
    std::string axis; ///< numeric axis that is refined, all others held
    int rounds =
        0; ///< each round halves the distance to both neighbours of each policy's worst cell
    std::string baseline; ///< id of the denominator whose mean ratio decides; of a capacity none
    double share = 0;     ///< of a capacity: of requests within the objective; else 0

    bool is_capacity() const { return share > 0; }
};

/// A cartesian product of axes.
struct Sweep
{
    std::string name;
    std::vector<std::pair<std::string, std::vector<double>>> axes; ///< ascending values, none twice
    std::optional<Refinement> refinement;
};

/// A policy as the experiment names it.
struct PolicyEntry
{
    std::string id;    ///< as in docs/model.md#policies
    std::string label; ///< unique in the experiment; the id unless the file says otherwise
};

/// One panel of the experiment's plot; what it shows of which sweep.
struct Panel
{
    std::string sweep;
    /// curve, heatmap (over x and series), frontier (of two measures), or how the instances of a
    /// cell are distributed: histogram, exceedance.
    std::string kind = "curve";
    /// Axis or parameter along the bottom; of a frontier that whose values a line joins; of a
    /// distribution empty, as its measure is along the bottom.
    std::string x;
    std::string x_measure; ///< of a frontier: the measure along the bottom
    std::string title, x_label, y_label;
    std::string measure = "ratio-of-means"; ///< or another name of host/results/measure.cc
    std::string baseline = "h-sf";
    std::string worst_over; ///< axis over which the largest value is shown; empty: none
    std::string series;     ///< axis with one line a value beside the policies; empty: none
    std::map<std::string, double> where; ///< axis = value: only those cells
    std::vector<std::string> policies;   ///< labels; empty: all
    std::vector<std::string> curves;     ///< ids of analysis/bounds/curve_catalogue.hh, or slopes
    bool log_x = false, log_y = false;
    std::optional<double> y_min, y_max;
    std::string fit; ///< "linear", "log", "log-log" or empty: no line through the points
    std::optional<double> fit_from; ///< least x that the line is fitted to

    bool is_distribution() const { return kind == "histogram" || kind == "exceedance"; }
    bool is_frontier() const { return kind == "frontier"; }
};

/// What a cell is, beside where it lies.
struct PlannedCell
{
    std::string sweep;
    Coordinates coordinates;
    Cell cell;                                     ///< of the round model
    std::shared_ptr<IterationSetting const> paths; ///< of the iteration model; null in the other
    /// Canonical JSON of all that determines the cell's results: workload law by its parameters
    /// (a trace by the hash of its rows), policies, baselines, seed. Equal text, equal results.
    std::string identity;
    /// Named numbers of the cell for curves and export: axes, variables, and alpha, lower, upper,
    /// prompt, requests, memory where the law defines them.
    std::map<std::string, double> parameters;
    /// Rows of a trace that can never fit and were left out, by source name; reported aloud.
    std::vector<std::pair<std::string, std::int64_t>> left_out;
};

/// A validated experiment file (docs/experiments.md).
class Experiment
{
  public:
    /// Reads and checks a TOML file; `overrides` are KEY=VALUE with dotted keys (--set).
    /// Throws ConfigError or InputError; the message names file, line, key, value, what is
    /// accepted.
    static Experiment read(std::filesystem::path const& file,
                           std::vector<std::string> const& overrides = {});
    /// Reads and checks text; `name` stands for the file in messages and `folder` is where relative
    /// paths of traces start.
    static Experiment parse(std::string const& text, std::string const& name,
                            std::filesystem::path const& folder,
                            std::vector<std::string> const& overrides = {});

    std::string name, title;
    Model model = Model::rounds;
    std::uint64_t seed = 0;
    StopRule stop;
    std::vector<PolicyEntry> policies;  ///< in the order of Cell::policies
    std::vector<std::string> baselines; ///< ids asked for
    std::vector<Sweep> sweeps;
    std::vector<Panel> panels;
    std::string text; ///< the file as it was read, overrides appended as a comment
    /// Canonical JSON of what the results depend on: everything but title, stop and panels.
    /// A store keeps it; continuing under another is refused with the difference shown.
    std::string identity;

    /// The cell at a point of a sweep; throws ConfigError if it is not a valid one there (the
    /// message names the coordinates).
    PlannedCell make_cell(std::string const& sweep, Coordinates const& coordinates) const;
    /// Whether a sweep's instances come from an InstanceSource.
    bool draws_whole_instances() const;
    /// A line for each trace that it reads: what the file was read as.
    std::vector<std::string> trace_lines() const;
    /// All points of a sweep's grid in order: the last axis runs fastest.
    std::vector<Coordinates> grid(std::string const& sweep) const;

    struct Detail; ///< parsed expressions and tables
    std::shared_ptr<Detail const> detail;
};

/// "alpha=0.1 w=0.5": a point of a sweep in reports.
std::string point_text(Coordinates const& coordinates);
/// "alpha a=0.1 w=0.5", with the sweep's name; the name alone where there are no axes.
std::string point_text(std::string const& sweep, Coordinates const& coordinates);
/// ", alpha = 0.1, w = 0.5": in sentences.
std::string point_clause(Coordinates const& coordinates);
/// " at alpha = 0.1, w = 0.5 (sweep x)": in messages about an experiment.
std::string cell_place(std::string const& sweep, Coordinates const& coordinates);

} // namespace crx

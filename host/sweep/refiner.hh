#pragma once

#include "analysis/statistics/summary.hh"
#include "host/sweep/plan.hh"

#include <optional>
#include <utility>
#include <vector>

namespace crx {

enum class AxisScale
{
    linear,
    logarithmic
};

/// How an axis is spaced: logarithmic if all values are positive and the ratios of neighbours vary
/// less (largest over smallest, of their logarithms) than their differences do. With fewer than
/// three values there is nothing to compare, and it is linear. Values ascend, none twice.
AxisScale scale_of(std::vector<double> const& values);

/// Arithmetic or geometric mean of two neighbours.
double midpoint(AxisScale scale, double low, double high);

/// A cell on a line along the refined axis, as far as refinement looks.
struct LineCell
{
    double value = 0;             ///< on the axis
    std::vector<RatioSum> ratios; ///< of each policy, over the baseline
};

/// Where the next cells of a line belong: the neighbours between which each lies, ascending.
///
/// For each policy the worst cell is that with the largest mean of ratios, over the instances that
/// have the baseline (the one with the least value between equals; cells without such instances do
/// not count); a cell is due between it and either neighbour. `line` ascends by value.
std::vector<std::pair<double, double>> gaps_to_refine(std::vector<LineCell> const& line);

/// The same for a capacity: for each policy the neighbours between which the share of requests
/// within the objective first falls below `share`. attained[k][policy]: of the cell values[k];
/// without a number where nothing was run.
std::vector<std::pair<double, double>>
gaps_of_capacity(std::vector<double> const& values,
                 std::vector<std::vector<double>> const& attained, double share);

/// Chooses the cells of each refinement round. They follow from the plan and the sums of the cells
/// at their targets alone: neither the order of execution nor what else a store holds matters.
class Refiner
{
  public:
    explicit Refiner(Plan const& plan);

    int rounds() const { return rounds_; } ///< most of any sweep
    /// Takes note of a cell of the grid or of an earlier round.
    void add(PlannedCell const& cell, std::int64_t index);
    /// New cells, sweep by sweep, line by line, by value, without workloads. All cells so far are
    /// at their targets; `tally` gives a cell's sums.
    std::vector<PlannedCell> next_round(int round,
                                        std::function<Tally(std::int64_t cell)> const& tally);
    /// What could not be refined since the last call, a line each.
    std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

  private:
    struct Known
    {
        std::int64_t index;
        Coordinates coordinates;
        std::string identity;
        std::vector<RatioSum> ratios; ///< of each policy, once read; of a capacity empty
        std::vector<double> attained; ///< of each policy, once read, of a capacity
    };
    /// Cells of one sweep with the same other coordinates, by value on the refined axis.
    using Line = std::map<double, Known>;
    struct SweepLines
    {
        Sweep const* sweep;
        std::size_t axis;
        std::vector<double> grid; ///< the axis's values
        BaselineKind baseline;
        std::map<std::vector<double>, Line> lines; ///< by the other coordinates
    };

    void refine(SweepLines& sweep, Line& line, std::function<Tally(std::int64_t)> const& tally,
                std::vector<PlannedCell>& cells);
    /// Where cells of the line belong.
    std::vector<std::pair<double, double>> gaps_in(SweepLines const& sweep, Line& line,
                                                   std::function<Tally(std::int64_t)> const& tally);
    std::optional<PlannedCell> cell_between(SweepLines const& sweep, Line const& line, double low,
                                            double high);

    Plan const& plan_;
    int rounds_ = 0;
    std::map<std::string, SweepLines> sweeps_;
    std::vector<std::string> notes_;
};

} // namespace crx

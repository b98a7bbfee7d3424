#pragma once

#include "analysis/statistics/summary.hh"
#include "host/sweep/plan.hh"

#include <optional>

namespace crx {

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
        std::vector<RatioSum> ratios; ///< of each policy, once read
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
    std::optional<PlannedCell> cell_between(SweepLines const& sweep, Line const& line, double low,
                                            double high);

    Plan const& plan_;
    int rounds_ = 0;
    std::map<std::string, SweepLines> sweeps_;
    std::vector<std::string> notes_;
};

} // namespace crx

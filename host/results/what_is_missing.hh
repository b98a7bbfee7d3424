#pragma once

#include "host/experiment/experiment.hh"
#include "host/results/results.hh"
#include "kernels/model/requests.cuh"

namespace crx {

/// What of its experiment a store does not have yet, in a sentence that begins with its name;
/// empty: nothing. Of cells that end at a half-width only those without any instance count, as the
/// others may have enough. Throws InputError where the experiment's text cannot be read.
std::string what_is_missing(StoreContents const& contents, std::string const& name);

/// Says it, for commands that show what there is all the same.
void warn_of_missing(StoreContents const& contents, std::string const& name);

/// Why instance 0 of a cell has no value of a baseline, as analysis/baseline/out_of_reach.hh says;
/// empty where it may have one or the baseline is not of the searches and programs.
std::string why_without_baseline(Cell const& cell, BaselineKind kind);

/// A line for each baseline that cells of a sweep will have no value of: known before hours are
/// spent on it. Looks at cells for two seconds at most; those not looked at are not counted.
std::vector<std::string> warnings_of_baselines(Experiment const& experiment,
                                               std::vector<PlannedCell> const& cells);

/// The same question for cells of a store, whose experiment is read once, when first asked.
class MissingBaselines
{
  public:
    MissingBaselines(StoreContents const& contents, std::string name)
        : contents_(contents), name_(std::move(name))
    {
    }

    /// Empty also where the cell cannot be made again, as where its trace is gone. Says so of cells
    /// behind the first twenty, which are not made again.
    std::string why(CellResult const& cell, BaselineKind kind);

  private:
    StoreContents const& contents_;
    std::string name_;
    bool read_ = false;
    std::optional<Experiment> experiment_;
    std::map<std::pair<std::int64_t, BaselineKind>, std::string> known_;
};

} // namespace crx

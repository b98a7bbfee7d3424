#pragma once

#include "host/experiment/experiment.hh"
#include "host/store/file/database.hh"

namespace crx {

/// A cell as the store keeps it: a PlannedCell without its workload.
struct StoredCell
{
    /// In plan order: grids first, then refinements. Below 0: put aside, no part of the experiment
    /// as it is now (host/store/extension).
    std::int64_t index = 0;
    std::string sweep;
    Coordinates coordinates;
    std::map<std::string, double> parameters;
    std::string identity;
    std::vector<std::pair<std::string, std::int64_t>> left_out;
};

/// The cell of a row of the columns of sealed_cells. Throws std::exception where it is damaged.
StoredCell read_cell(Statement const& row);

void insert_cell(Database const& database, StoredCell const& cell);
/// Gives cell number `index` the number and the facts of another at the same coordinates; its
/// chunks go with it. The cell and its chunks are sealed as they are now.
void replace_cell(Database const& database, std::int64_t index, StoredCell const& cell);

/// Coordinates as the store's JSON text; equal points have equal texts.
std::string coordinates_text(Coordinates const& coordinates);

} // namespace crx

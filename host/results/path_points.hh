#pragma once

#include "analysis/fluid/heavy_traffic.hh"
#include "host/results/results.hh"

namespace crx {

/// Splits every cell of the iteration model into what panels and tables show: one cell for each
/// horizon (coordinate `horizon`, seconds), and, where sums of each type are kept, one more for
/// each horizon and type (coordinates `horizon` and `type`), also where no path has run yet. They
/// share the paths of the cell and have neither its identity nor its engines. A store of the round
/// model comes back as it is.
StoreContents with_horizons(StoreContents contents);

/// Tallies of a policy's paths, path by path, one a horizon. Contract: `cell` has paths.
fluid::Paths tallies_of(CellResult const& cell, std::size_t policy);

/// What a split cell shows of a policy, all types together.
fluid::HorizonPoint horizon_point(CellResult const& cell, std::size_t policy, double confidence);
/// The same of its type.
fluid::TypePoint type_point(CellResult const& cell, std::size_t policy, double confidence);

/// The memory that the policy's iterations are held to or counted against; none: no limit.
std::optional<Tokens> capacity_of(CellResult const& cell, std::size_t policy);
/// What each policy held at most on any path, "WAIT 18, FCFS 9 tokens", and whether they differ;
/// empty in the round model and where there is no path.
struct MemoryHeld
{
    std::string text;
    bool differs = false;
};
MemoryHeld memory_held(StoreContents const& contents);

/// Prompt and output length of a type.
PromptType prompt_type_of(CellResult const& cell, std::int64_t type);

} // namespace crx

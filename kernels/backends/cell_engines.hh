#pragma once

#include "kernels/backends/cell.hh"
#include "kernels/engines/registry.hh"

#include <optional>

namespace crx {

/// What runs one policy of a cell on one kind of processor.
struct PolicyEngines
{
    PolicySpec spec;
    RandomLaw law;
    EngineCase where;
    std::vector<Engine const*> chain; ///< engines_for()

    /// The engine that is asked first. Contract: some row takes the policy.
    Engine const& first() const
    {
        CRX_EXPECT(!chain.empty());
        return *chain.front();
    }

    /// As a store keeps it: the engine chosen; on a GPU, where the fastest is measured, all that
    /// it is chosen from. Depends on cell and machine only.
    std::string name(Processor processor) const;
};

/// What runs a cell: its policies and the schedule that denominators are made of.
struct CellEngines
{
    CellEngines(Cell const& cell, Processor processor);

    /// Of each policy; behind them mc-sf, where it is only a denominator.
    std::vector<PolicyEngines> runs;
    /// Which of them is mc-sf for the denominators h-sf and mc-sf, if these are wanted.
    std::optional<std::size_t> shortest_first;
};

/// How a cell looks to the engines of a policy with this order, which may be null.
EngineCase engine_case(Cell const& cell, OfflineOrder const* order);

/// Why no card runs the cell, with the policy's name; empty: one does.
std::string card_refusal(Cell const& cell);

/// PolicyEngines::name of each policy of the cell.
std::vector<std::string> engine_names(Cell const& cell, Processor processor);

} // namespace crx

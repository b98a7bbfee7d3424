#pragma once

#include "host/evidence/certificate/start_costs.hh"

namespace crx::certificate {

constexpr auto no_path = Price{1} << 120;

/// Requests that start together, a bit each.
struct StartSet
{
    std::int64_t round = 0;
    std::uint64_t requests = 0;
};

/// Which requests start in each round. Nodes are numbered by round, and arcs stand in the order of
/// the node that they leave. Paths lead from node 0 to an end.
struct PathGraph
{
    struct Arc
    {
        std::uint32_t from = 0, to = 0;
        std::uint32_t set = 0; ///< an index into sets
    };
    std::vector<StartSet> sets;
    std::vector<Arc> arcs;
    std::size_t nodes = 0, first_end = 0; ///< all nodes from first_end on are ends

    /// Arcs first[node] .. first[node + 1] - 1 leave the node.
    std::vector<std::size_t> first_arcs() const;
};

/// What paths of a graph cost by some prices.
class PathCosts
{
  public:
    PathCosts(Certified const& certified, PathGraph const& graph, StartCosts const& costs);

    /// Of a cheapest path, with the constant: no schedule whose starts are a path has less TEL.
    Price bound() const { return bound_; }
    /// Of a cheapest path through the arc.
    Price through(PathGraph::Arc const& arc) const
    {
        return from_first_[arc.from] + of_set_[arc.set] + to_end_[arc.to];
    }
    Price of_set(std::uint32_t set) const { return of_set_[set]; }
    Price to_end(std::uint32_t node) const { return to_end_[node]; }
    Price constant() const { return constant_; }

  private:
    std::vector<Price> of_set_, from_first_, to_end_;
    Price constant_ = 0, bound_ = no_path;
};

} // namespace crx::certificate

#include "host/evidence/certificate/path_graph.hh"

#include <algorithm>
#include <ranges>

namespace crx::certificate {

std::vector<std::size_t> PathGraph::first_arcs() const
{
    std::vector<std::size_t> first(nodes + 1, 0);
    for (auto const& arc : arcs) ++first[arc.from + 1];
    for (std::size_t node = 0; node < nodes; ++node) first[node + 1] += first[node];
    return first;
}

PathCosts::PathCosts(Certified const& certified, PathGraph const& graph, StartCosts const& costs)
    : from_first_(graph.nodes, no_path), to_end_(graph.nodes, no_path), constant_(costs.constant)
{
    for (auto const& set : graph.sets) {
        auto& sum = of_set_.emplace_back(0);
        for (std::size_t i = 0; i < certified.requests.size(); ++i)
            if ((set.requests & bit(i)) != 0) sum += costs.of(certified.requests[i], i, set.round);
    }
    from_first_[0] = constant_;
    for (auto const& arc : graph.arcs)
        from_first_[arc.to] =
            std::min(from_first_[arc.to], from_first_[arc.from] + of_set_[arc.set]);
    for (auto node = graph.first_end; node < graph.nodes; ++node) {
        to_end_[node] = 0;
        bound_ = std::min(bound_, from_first_[node]);
    }
    for (auto const& arc : std::views::reverse(graph.arcs))
        to_end_[arc.from] = std::min(to_end_[arc.from], to_end_[arc.to] + of_set_[arc.set]);
}

} // namespace crx::certificate

#include "analysis/baseline/relaxation/configuration_graph.hh"

#include "analysis/baseline/relaxation/configuration_steps.hh"

#include <algorithm>

namespace crx::baseline {

ConfigurationGraph::ConfigurationGraph(OwnedInstance const& instance,
                                       std::vector<RequestGroup> const& groups,
                                       StartDomain const& tracked, Settings const& settings)
{
    CRX_EXPECT(instance.output.size() <= 64);
    ConfigurationSteps steps(instance, groups, tracked, settings);
    std::int32_t last = 0; // time of the last token of any tracked start
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = tracked.starts(); k-- > 0;)
            if (tracked.allows(g, k)) {
                last = std::max(last, static_cast<std::int32_t>(k) + groups[g].output);
                break;
            }
    ConfigurationsOfRound now, next;
    now.number({}, 0, 0);
    first_ = {0, 0};
    std::uint32_t base = 0; // number of the round's first node
    std::vector<FoundArc> found;
    std::vector<std::uint32_t> place;
    for (std::int32_t t = 0; t < last; ++t) {
        if (settings.limit.over()) return;
        found.clear();
        next.clear();
        if (!steps.round(t, now, next, found, sets_, settings.most_arcs - arcs_.size())) return;
        auto const count = next.configuration.size();
        place.assign(count + 1, 0);
        for (auto const& arc : found) ++place[arc.to + 1];
        for (std::size_t k = 0; k < count; ++k) place[k + 1] += place[k];
        auto const begin = static_cast<std::uint32_t>(arcs_.size());
        for (std::size_t k = 0; k < count; ++k) first_.push_back(begin + place[k + 1]);
        arcs_.resize(begin + found.size());
        for (auto const& arc : found) arcs_[begin + place[arc.to]++] = {base + arc.from, arc.set};
        base += static_cast<std::uint32_t>(now.configuration.size());
        std::swap(now, next);
        if (now.configuration.empty()) break;
    }
    for (std::uint32_t k = 0; k < now.configuration.size(); ++k) ends_.push_back(base + k);
    forgetful_ = steps.forgetful();
    built_ = true;
}

ConfigurationGraph::Guide::Guide(ConfigurationGraph const& graph,
                                 std::vector<std::int64_t> set_cost, std::int64_t limit)
    : sets_(graph.sets_), cost_(std::move(set_cost)), most_(limit)
{
    graph.to_end(cost_, remaining_);
    std::vector<std::uint32_t> order, to;
    graph.arcs_out(out_, order, to);
    arcs_.reserve(order.size());
    for (auto const arc : order) arcs_.push_back({to[arc], graph.arcs_[arc].set});
}

void ConfigurationGraph::arcs_out(std::vector<std::uint32_t>& out,
                                  std::vector<std::uint32_t>& order,
                                  std::vector<std::uint32_t>& to) const
{
    out.assign(nodes() + 1, 0);
    order.resize(arcs_.size());
    to.resize(arcs_.size());
    for (auto const& arc : arcs_) ++out[arc.from + 1];
    for (std::size_t k = 0; k < nodes(); ++k) out[k + 1] += out[k];
    auto at = out;
    for (std::size_t node = 1; node < nodes(); ++node)
        for (auto a = first_[node]; a < first_[node + 1]; ++a) {
            order[at[arcs_[a].from]++] = a;
            to[a] = static_cast<std::uint32_t>(node);
        }
}

} // namespace crx::baseline

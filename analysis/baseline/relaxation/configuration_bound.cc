#include "analysis/baseline/relaxation/configuration_bound.hh"

#include "analysis/baseline/relaxation/configuration_climb.hh"

#include <algorithm>
#include <optional>

namespace crx::baseline {

ConfigurationOutcome configuration_bound(OwnedInstance const& instance,
                                         std::vector<RequestGroup> const& groups,
                                         PriceBound const& root, Rounds upper,
                                         ConfigurationSettings const& settings)
{
    CRX_EXPECT(instance.output.size() <= 64 && root.domain.starts() > 0);
    constexpr auto one = std::int64_t{1} << Prices::fraction_bits;
    constexpr std::int64_t chunk = 20; // steps between two looks at what can be dropped
    ConfigurationOutcome outcome{root, false, {}, 0, 0, 0, 0, {}};
    outcome.complete = root.lower_bound >= upper;
    ConfigurationClimb climb(instance, groups, root, upper);
    std::optional<ConfigurationGraph::Guide> guide;
    for (std::size_t const active : {1, 2, 3, 8}) {
        if (outcome.complete || settings.limit.over()) break;
        auto const last = active == 8;
        ConfigurationGraph::Settings graph_settings;
        graph_settings.most_active = active;
        graph_settings.whole = last;
        graph_settings.most_arcs = settings.most_arcs;
        graph_settings.limit = settings.limit;
        graph_settings.guide = guide ? &*guide : nullptr;
        climb.extras(outcome.bound.domain, graph_settings);
        ConfigurationGraph graph(instance, groups, outcome.bound.domain, graph_settings);
        if (!graph.built()) break;
        outcome.arcs = std::max(outcome.arcs, graph.arcs());
        auto const bound =
            climb.climb(graph, outcome.bound.domain, chunk, settings.steps, settings.limit);
        outcome.steps = climb.steps();
        outcome.stages.push_back({last ? instance.output.size() : active, climb.settled()});
        outcome.bound.lower_bound =
            std::max(outcome.bound.lower_bound, std::min(upper, whole_bound(bound)));
        outcome.complete = outcome.bound.lower_bound >= upper;
        if (outcome.complete) break;
        if (!last) {
            guide.emplace(graph, climb.set_costs(), (upper - 1) * one - climb.constant());
            continue;
        }
        if (settings.most_states == 0 || graph.forgetful()) break;
        auto search = graph.search(instance, climb.set_costs(), climb.constant(), upper,
                                   settings.most_states, settings.limit);
        outcome.states = search.states;
        if (!search.complete) break;
        outcome.complete = true;
        outcome.best = std::move(search.best);
        outcome.total_latency = search.total_latency;
        outcome.bound.lower_bound = outcome.best.empty() ? upper : outcome.total_latency;
    }
    return outcome;
}

} // namespace crx::baseline

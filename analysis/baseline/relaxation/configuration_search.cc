#include "analysis/baseline/relaxation/configuration_graph.hh"

#include <bit>
#include <unordered_map>

namespace crx::baseline {

ConfigurationGraph::Search ConfigurationGraph::search(OwnedInstance const& instance,
                                                      std::vector<std::int64_t> const& cost,
                                                      std::int64_t constant, Rounds upper,
                                                      std::size_t most_states,
                                                      TimeLimit const& limit) const
{
    std::vector<std::uint32_t> out, order, to;
    arcs_out(out, order, to);
    std::vector<std::int64_t> remaining;
    to_end(cost, remaining);
    struct State
    {
        std::uint64_t started;
        Rounds latency;
        std::int64_t paid;
        std::int64_t before; // state that it came from
        std::uint32_t arc;
    };
    auto const n = instance.output.size();
    auto const all = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    std::vector<State> states{{0, 0, constant, -1, 0}};
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> at_node(nodes());
    at_node[0][0] = 0;
    Search result;
    std::int64_t best = -1;
    for (std::size_t node = 0; node < nodes(); ++node) { // arcs go to larger numbers
        if (node % 1024 == 0 && limit.over()) return result;
        for (auto const& [started, s] : at_node[node]) {
            auto const state = states[s];
            if (started == all) {
                if (state.latency < upper) {
                    upper = state.latency;
                    best = static_cast<std::int64_t>(s);
                }
                continue;
            }
            for (auto o = out[node]; o < out[node + 1]; ++o) {
                auto const arc = order[o];
                auto const& set = sets_[arcs_[arc].set];
                if ((set.requests & started) != 0) continue;
                auto const paid = state.paid + cost[arcs_[arc].set];
                if (paid + remaining[to[arc]] > (upper - 1) << Prices::fraction_bits) continue;
                auto latency = state.latency;
                for (auto rest = set.requests; rest != 0; rest &= rest - 1) {
                    auto const i = static_cast<std::size_t>(std::countr_zero(rest));
                    latency += set.round + instance.output[i] - instance.arrival[i];
                }
                State const next{started | set.requests, latency, paid,
                                 static_cast<std::int64_t>(s), arc};
                auto const [p, fresh] = at_node[to[arc]].try_emplace(next.started, states.size());
                if (fresh) {
                    if (states.size() >= most_states) return result;
                    states.push_back(next);
                } else if (latency < states[p->second].latency)
                    states[p->second] = next;
            }
        }
        at_node[node] = {};
    }
    result.complete = true;
    result.states = states.size();
    if (best < 0) return result;
    result.total_latency = upper;
    result.best.assign(n, 0);
    for (auto s = best; states[s].before >= 0; s = states[s].before) {
        auto const& set = sets_[arcs_[states[s].arc].set];
        for (auto rest = set.requests; rest != 0; rest &= rest - 1)
            result.best[static_cast<std::size_t>(std::countr_zero(rest))] = set.round;
    }
    return result;
}

} // namespace crx::baseline

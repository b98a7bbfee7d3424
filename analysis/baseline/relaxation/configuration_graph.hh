#pragma once

#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/time_limit.hh"

#include <cstdint>
#include <limits>
#include <utility>

namespace crx::baseline {

/// What is active together, round by round. A node is a round t with the requests active between
/// times t and t + 1 and their starts; an arc decides which requests start in round t. Memory holds
/// on every path. Which requests have started before is forgotten, so a path may start a request
/// again once it has ended, or never: a relaxation of the schedules (a state space relaxation,
/// Christofides, Mingozzi and Toth 1981, doi:10.1002/net.3230110207).
///
/// Only starts that `tracked` allows are seen; other requests hold nothing here. Each schedule's
/// starts of `tracked` are a path from the first node to a node of the last round.
class ConfigurationGraph
{
  public:
    class Guide;
    struct Arc
    {
        std::uint32_t from;
        std::uint32_t set; ///< of starts; an index into sets()
    };
    struct StartSet
    {
        std::int32_t round;
        std::uint64_t requests; ///< a bit each
    };

    struct Settings
    {
        std::size_t most_arcs = 1'000'000;
        /// Are all starts that matter tracked? Then no request alone may be able to start earlier:
        /// until its last token memory must once be exactly full. Every optimal schedule keeps
        /// that.
        bool whole = false;
        /// So many active requests are told apart; of more, what ends first is forgotten, and
        /// memory is no longer kept for it.
        std::size_t most_active = 8;
        /// Paths whose starts cost more than this in all are left out.
        double most_extra = 1e300;
        /// extra[group][k] >= 0 of a start; and, where all are tracked, of each token left free at
        /// time t.
        std::vector<std::vector<float>> extra;
        std::vector<float> extra_free;
        /// A graph of fewer active requests that has been pruned: only its paths are followed.
        Guide const* guide = nullptr;
        TimeLimit limit = 1e9;
    };

    /// Contract: at most 64 requests.
    ConfigurationGraph(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       StartDomain const& tracked, Settings const& settings);

    /// False: it was too large, or time was over; nothing else may be asked.
    bool built() const { return built_; }
    /// Did a node with too many active requests forget one? Paths may then exceed memory.
    bool forgetful() const { return forgetful_; }
    std::size_t nodes() const { return first_.empty() ? 0 : first_.size() - 1; }
    std::size_t arcs() const { return arcs_.size(); }
    std::vector<StartSet> const& sets() const { return sets_; }

    /// Least cost of a path from the first node to each, with cost[set].
    template <class Value>
    void from_first(std::vector<Value> const& cost, std::vector<Value>& least) const
    {
        least.resize(nodes());
        least[0] = 0;
        for (std::size_t node = 1; node < nodes(); ++node) {
            auto best = unreachable<Value>;
            for (auto a = first_[node]; a < first_[node + 1]; ++a)
                best = std::min(best, least[arcs_[a].from] + cost[arcs_[a].set]);
            least[node] = best;
        }
    }

    /// Least cost of a path from each node to an end.
    template <class Value>
    void to_end(std::vector<Value> const& cost, std::vector<Value>& least) const
    {
        least.assign(nodes(), unreachable<Value>);
        for (auto const node : ends_) least[node] = 0;
        for (auto node = nodes(); node-- > 1;)
            for (auto a = first_[node]; a < first_[node + 1]; ++a) {
                auto& before = least[arcs_[a].from];
                before = std::min(before, least[node] + cost[arcs_[a].set]);
            }
    }

    /// Least cost at an end.
    template <class Value>
    Value cheapest(std::vector<Value> const& from_first) const
    {
        auto best = unreachable<Value>;
        for (auto const node : ends_) best = std::min(best, from_first[node]);
        return best;
    }

    /// visit(set) for each arc of a cheapest path.
    template <class Value, class Visit>
    void follow(std::vector<Value> const& cost, std::vector<Value> const& least, Visit visit) const
    {
        std::size_t node = 0;
        auto best = unreachable<Value>;
        for (auto const end : ends_)
            if (least[end] < best) {
                best = least[end];
                node = end;
            }
        while (node > 0) {
            auto next = arcs_[first_[node]];
            for (auto a = first_[node]; a < first_[node + 1]; ++a)
                if (least[arcs_[a].from] + cost[arcs_[a].set] == least[node]) {
                    next = arcs_[a];
                    break;
                }
            visit(sets_[next.set]);
            node = next.from;
        }
    }

    /// Drops the arcs on whose paths every cost is above `most`; visit(set) for each that stays.
    template <class Value, class Visit>
    void prune(std::vector<Value> const& cost, std::vector<Value> const& from_first,
               std::vector<Value> const& to_end, Value most, Visit visit);

    struct Search
    {
        bool complete = false; ///< all paths were looked at
        Starts best;           ///< empty: there is none
        Rounds total_latency = 0;
        std::size_t states = 0;
    };
    /// Looks for a schedule of TEL < upper among the paths, telling apart who has started. A path
    /// is left where `constant` and the costs of its sets, what remains to an end included, exceed
    /// upper - 1; all in 2^-20 rounds. Contract: that is a lower bound on its schedules' TEL, and
    /// not forgetful().
    Search search(OwnedInstance const& instance, std::vector<std::int64_t> const& cost,
                  std::int64_t constant, Rounds upper, std::size_t most_states,
                  TimeLimit const& limit) const;

    template <class Value>
    static constexpr Value unreachable = std::numeric_limits<Value>::max() / 4;

  private:
    /// Arcs are kept by where they go. out[node] ..: places in order, of arcs by where they come
    /// from; to[arc]: where it goes.
    void arcs_out(std::vector<std::uint32_t>& out, std::vector<std::uint32_t>& order,
                  std::vector<std::uint32_t>& to) const;

    bool built_ = false, forgetful_ = false;
    std::vector<std::uint32_t> first_; // of each node's arcs; nodes ascend by round
    std::vector<Arc> arcs_;
    std::vector<StartSet> sets_;
    std::vector<std::uint32_t> ends_;
};

/// A graph, the costs of its sets, and what no path of a better schedule costs more than.
class ConfigurationGraph::Guide
{
  public:
    Guide(ConfigurationGraph const& graph, std::vector<std::int64_t> set_cost, std::int64_t limit);
    /// visit(requests, to, cost) for each arc out of a node.
    template <class Visit>
    void each_arc(std::uint32_t node, Visit visit) const
    {
        for (auto k = out_[node]; k < out_[node + 1]; ++k)
            visit(sets_[arcs_[k].set].requests, arcs_[k].to, cost_[arcs_[k].set]);
    }
    /// Can a path of this cost to a node go on?
    bool allows(std::int64_t cost, std::uint32_t node) const
    {
        return cost + remaining_[node] <= most_;
    }

  private:
    struct OutArc
    {
        std::uint32_t to, set;
    };
    std::vector<StartSet> sets_;
    std::vector<std::int64_t> cost_, remaining_;
    std::int64_t most_;
    std::vector<std::uint32_t> out_; // of each node's arcs
    std::vector<OutArc> arcs_;
};

template <class Value, class Visit>
void ConfigurationGraph::prune(std::vector<Value> const& cost, std::vector<Value> const& from_first,
                               std::vector<Value> const& to_end, Value most, Visit visit)
{
    constexpr auto gone = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(nodes(), gone);
    number[0] = 0;
    std::vector<std::uint32_t> first{0, 0};
    std::uint32_t kept = 0;
    for (std::size_t node = 1; node < nodes(); ++node) {
        auto const from = kept;
        for (auto a = first_[node]; a < first_[node + 1]; ++a) {
            auto const arc = arcs_[a];
            if (number[arc.from] == gone ||
                from_first[arc.from] + cost[arc.set] + to_end[node] > most)
                continue;
            visit(sets_[arc.set]);
            arcs_[kept++] = {number[arc.from], arc.set};
        }
        if (kept == from) continue;
        number[node] = static_cast<std::uint32_t>(first.size() - 1);
        first.push_back(kept);
    }
    arcs_.resize(kept);
    first_ = std::move(first);
    std::erase_if(ends_, [&](std::uint32_t end) { return number[end] == gone; });
    for (auto& end : ends_) end = number[end];
}

} // namespace crx::baseline

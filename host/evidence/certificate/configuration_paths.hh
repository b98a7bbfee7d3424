#pragma once

#include "host/evidence/certificate/start_costs.hh"

#include <optional>
#include <string>
#include <unordered_map>

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

/// The paths of the next stage. One begins in round 0 with nobody active. In each round it starts
/// any requests that have arrived, or none: none of them active, each held by memory, up to its
/// last token, beside the active ones and those started with it. Of its active requests it keeps
/// `active`, those that end last, of equal ends those with the higher numbers; it forgets the
/// others, the memory that they hold, and who has started. A node, or configuration, is a round
/// with those kept and their starts; paths that meet in one go on alike. Equal requests start in
/// the order of their numbers, so those of them that are active are neighbours and the last are
/// known: beside them only the next one starts. So the starts of every schedule are a path. If one
/// has TEL < upper, a best one stays. With U = upper - 1, paths are left out by these rules; of
/// each sum so far the least of all paths to the node counts.
/// 1. A start's excess is its cost by the first prices less that of its request's cheapest start:
///    in the first stage of all, later of those on arcs that the stage before has left. The sum of
///    excesses is at most U, plus the first prices times right sides, less the sum of cheapest
///    costs.
/// 2. A path's starts are a path of the stage before that it has not left out. By the last prices
///    there, the cost so far plus the least cost of going on there to an end is at most U.
/// 3. By each of the stage's own prices, one after the other, an arc is left out if the cheapest
///    path through it costs more than U (check_configurations).
/// Where all active requests are known (`active` = n):
/// 4. The sum of excesses also has, for each time t from 1 on, the first price of a token times M
///    less the tokens held at t.
/// 5. A request that starts in round k after it has arrived must be held back. Started in k - 1,
///    it would hold s + 1 tokens at time k and one more at each time from k + 1 to k + o - 1. So
///    either these s + 1 make more than M with what is held at time k, those included whose last
///    token is of then, or memory is full at one of the later times, of which there is none if o =
///    1. A node here also tells apart the memory held at the time of its round, and who is still
///    to be held back.
/// 6. At the end paths are followed with who has started told apart, each request once; where two
///    meet in one node with the same requests started, the one with less latency goes on
///    (check_configurations).
class ConfigurationPaths
{
  public:
    /// The stage before, its paths left out already, and the costs by its last prices.
    struct Before
    {
        PathGraph graph;
        PathCosts costs;
        std::vector<std::size_t> first_arc = graph.first_arcs();
    };

    /// `before` is empty at the first stage. Looks at `most_arcs` arcs at most.
    ConfigurationPaths(Certified const& certified, StartCosts const& first, std::size_t active,
                       std::optional<Before> const& before, std::int64_t most_arcs);

    /// Empty where the arcs were too many.
    std::optional<PathGraph> build();
    std::int64_t arcs() const { return looked_at_; }

  private:
    struct Running
    {
        std::size_t request;
        std::int64_t start;
        bool loose; ///< could have started earlier, and memory has not been full since
    };
    struct Node
    {
        std::u32string name; ///< node of the stage before, memory held, then each active request
        Price first_cost, before_cost; ///< least, of the paths to it
    };

    void find_possible_starts();
    std::u32string name(std::uint32_t before, std::vector<Running> const& left) const;
    void enter(Node const& node);
    void leave(std::uint32_t from, Node const& node);
    void choose(std::uint32_t from, std::size_t next, std::uint64_t set, Price first_cost);
    bool in_turn(std::size_t i) const;
    bool start(std::size_t i, Price& first_cost);
    void take_back();
    void add_arc(std::uint32_t from, std::uint64_t set, Price first_cost, std::uint32_t before,
                 Price before_cost);

    Certified const& certified_;
    StartCosts const& first_;
    std::size_t active_;
    bool all_;
    std::optional<Before> const& before_;
    Price limit_;
    std::int64_t looked_at_ = 0, most_arcs_;

    std::vector<Price> least_;                       ///< first cost of each request's cheapest
    Price most_first_cost_ = 0;                      ///< of starts, each above its cheapest
    std::vector<std::vector<std::size_t>> possible_; ///< [round]
    PathGraph graph_;
    std::vector<Node> next_;
    std::unordered_map<std::u32string, std::uint32_t> number_; ///< of the next round's nodes
    std::unordered_map<std::uint64_t, std::uint32_t> set_of_requests_; ///< of this round
    std::int64_t round_ = 0;
    std::vector<Running> running_;
    std::vector<std::int64_t> held_; ///< [j]: at time round_ + j
};

} // namespace crx::certificate

#pragma once

#include "host/evidence/certificate/path_graph.hh"

#include <optional>
#include <string>
#include <unordered_map>

namespace crx::certificate {

/// The paths of the next stage (docs/certificates.md, by configurations). A node is a round with
/// the requests active in it and their starts, at most `active` of them; of more, what ends first
/// is forgotten. Memory holds beside those that are known. Who has started before is forgotten too.
/// So every schedule is a path. If one has TEL < certified.upper, a best one stays. Left out are
/// paths
/// 1. whose starts cost too much by the first prices, each above its request's cheapest;
/// 2. that are no path of the stage before, or cost too much there, what remains to an end
///    included;
/// 3. on which, where all are known, a request could start a round earlier with all others in
///    place: no best schedule has one;
/// 4. on which equal requests do not start in the order of their numbers. Those active are then
///    neighbours, of which the last are known, so beside them the next one starts.
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

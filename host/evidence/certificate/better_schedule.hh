#pragma once

#include "host/evidence/certificate/start_costs.hh"

#include <unordered_map>

namespace crx::certificate {

/// Looks for a schedule with TEL < upper through all starts that the prices do not rule out. Plain
/// loops, no code of the search that it checks.
///
/// Rounds are decided one after the other: which requests start in it, in the order of their index.
/// A branch ends
/// 1. where the costs of what has started, the cheapest start of each other request that fits
/// beside
///    it and the price of memory left unused in decided rounds are above upper - 1 (start_costs.hh:
///    a schedule's TEL is the sum of its starts' costs, the constant, and each price times what its
///    row has left);
/// 2. where a request could start a round earlier with all others in place: no optimal schedule has
///    one. It could have started earlier beside those before it, and until its last token memory
///    has never been full;
/// 3. at a state seen before with no more latency: the same round, requests waiting, and ages of
/// the
///    active ones. Equal requests start in the order of their index.
/// A best schedule of TEL < upper that 3 removes has an equal one that is kept, and 1 and 2 remove
/// no best schedule. So if none is found, none exists.
class BetterSchedule
{
  public:
    /// Contract: at most 64 requests.
    BetterSchedule(Certified const& certified, StartCosts const& costs);

    /// Was one found? Stops at `most_nodes`.
    bool find(std::int64_t most_nodes);
    bool ended() const { return nodes_ <= most_nodes_; }
    std::int64_t nodes() const { return nodes_; }

  private:
    using Starts = std::vector<std::vector<std::int64_t>>; ///< of each request, cheapest first

    struct Node
    {
        std::int64_t round = 0;
        std::size_t next = 0; ///< requests before it start later than in this round
        std::uint64_t waiting = 0, loose = 0;
        Price paid = 0;
        std::int64_t latency = 0;
    };

    void search(Node node, Starts const& possible);
    bool decide_next_round(Node& node) const;
    bool seen(Node const& node);
    bool fits(std::size_t i, std::int64_t start) const;
    void hold(std::size_t i, std::int64_t start, std::int64_t sign);

    Certified const& certified_;
    StartCosts const& costs_;
    std::size_t n_;
    std::vector<std::int64_t> held_;  ///< [t]: by those that have started
    std::vector<std::int64_t> start_; ///< of those that have started
    std::unordered_map<std::string, std::int64_t> least_latency_; ///< of states seen
    std::int64_t nodes_ = 0, most_nodes_ = 0;
    bool found_ = false;
};

} // namespace crx::certificate

#include "host/evidence/certificate/better_schedule.hh"

#include <algorithm>
#include <stdexcept>

namespace crx::certificate {
namespace {

/// States remembered at most: some hundred bytes each.
constexpr std::size_t most_states = 4'000'000;

} // namespace

BetterSchedule::BetterSchedule(Certified const& certified, StartCosts const& costs)
    : certified_(certified), costs_(costs), n_(certified.requests.size()), start_(n_, -1)
{
    if (n_ > 64) throw std::invalid_argument("proof by search: 64 requests at most");
}

bool BetterSchedule::fits(std::size_t i, std::int64_t start) const
{
    auto const& r = certified_.requests[i];
    for (auto t = start + 1; t <= start + r.output; ++t)
        if (held_[static_cast<std::size_t>(t)] + held(r, start, t) > certified_.memory)
            return false;
    return true;
}

void BetterSchedule::hold(std::size_t i, std::int64_t start, std::int64_t sign)
{
    auto const& r = certified_.requests[i];
    for (auto t = start + 1; t <= start + r.output; ++t)
        held_[static_cast<std::size_t>(t)] += sign * held(r, start, t);
}

bool BetterSchedule::find(std::int64_t most_nodes)
{
    most_nodes_ = most_nodes;
    auto const spare_cost = spare_costs(certified_, costs_);
    Starts possible(n_);
    std::int64_t longest = 0, last = 0;
    for (std::size_t i = 0; i < n_; ++i) {
        auto const& r = certified_.requests[i];
        auto const spare = spare_cost[i];
        auto const add = [&](std::int64_t k) {
            possible[i].push_back(k);
            last = std::max(last, k);
        };
        for (auto k = r.arrival; k <= costs_.last; ++k)
            if (costs_.of(r, i, k) <= spare) add(k);
        // Past the last price a start costs its own time alone.
        auto const latest = (spare >> fraction_bits) - r.output + r.arrival;
        if (latest > costs_.last + 10'000'000)
            throw std::invalid_argument("proof by search: the prices rule out too few starts");
        for (auto k = costs_.last + 1; Price{k} <= latest; ++k) add(k);
        std::ranges::stable_sort(possible[i], {},
                                 [&](std::int64_t k) { return costs_.of(r, i, k); });
        longest = std::max(longest, r.output);
    }
    held_.assign(static_cast<std::size_t>(last + longest + 2), 0);
    Node root;
    root.waiting = n_ == 64 ? ~std::uint64_t{0} : bit(n_) - 1;
    root.paid = costs_.constant;
    search(root, possible);
    return found_;
}

/// Goes to the next round: memory at its beginning is final. False: a request has missed its last
/// chance to be held back.
bool BetterSchedule::decide_next_round(Node& node) const
{
    ++node.round;
    node.next = 0;
    if (node.round >= static_cast<std::int64_t>(held_.size())) return false;
    auto const now = held_[static_cast<std::size_t>(node.round)];
    auto const& prices = certified_.memory_price;
    if (node.round < static_cast<std::int64_t>(prices.size()))
        node.paid +=
            Price{prices[static_cast<std::size_t>(node.round)]} * (certified_.memory - now);
    for (std::size_t i = 0; i < n_; ++i) {
        if ((node.loose & bit(i)) == 0) continue;
        // Started a round earlier, it would hold more at these times.
        auto const last = start_[i] + certified_.requests[i].output - 1;
        if (now == certified_.memory && node.round > start_[i] && node.round <= last)
            node.loose &= ~bit(i);
        else if (node.round >= last)
            return false;
    }
    return true;
}

bool BetterSchedule::seen(Node const& node)
{
    std::string state = std::to_string(node.round) + "," + std::to_string(node.waiting);
    for (std::size_t i = 0; i < n_; ++i)
        if ((node.waiting & bit(i)) == 0 && start_[i] + certified_.requests[i].output > node.round)
            state += "," + std::to_string(i) + ":" + std::to_string(node.round - start_[i]);
    if (auto const known = least_latency_.find(state); known != least_latency_.end()) {
        if (known->second <= node.latency) return true;
        known->second = node.latency;
    } else if (least_latency_.size() < most_states) {
        least_latency_.emplace(std::move(state), node.latency);
    }
    return false;
}

void BetterSchedule::search(Node node, Starts const& possible)
{
    auto const limit = Price{certified_.upper - 1} << fraction_bits;
    auto const cost = [&](std::size_t i, std::int64_t k) {
        return costs_.of(certified_.requests[i], i, k);
    };
    if (node.waiting == 0) {
        found_ = found_ || node.latency < certified_.upper;
        return;
    }
    std::vector<std::int64_t> cheapest(n_);
    for (;;) {
        if (found_ || ++nodes_ > most_nodes_) return;
        auto bound = node.paid;
        for (std::size_t i = 0; i < n_; ++i) {
            if ((node.waiting & bit(i)) == 0) continue;
            auto const first = node.round + (i < node.next ? 1 : 0);
            auto const start =
                std::ranges::find_if(possible[i], [&](std::int64_t k) { return k >= first; });
            if (start == possible[i].end()) return;
            cheapest[i] = *start;
            bound += cost(i, *start);
        }
        if (bound > limit) return;
        for (auto i = node.next; i < n_; ++i) {
            auto const& r = certified_.requests[i];
            auto const k = node.round;
            auto const earlier_equal = [&] {
                for (std::size_t j = 0; j < i; ++j)
                    if ((node.waiting & bit(j)) != 0 && certified_.requests[j] == r) return true;
                return false;
            };
            if ((node.waiting & bit(i)) == 0 ||
                std::ranges::find(possible[i], k) == possible[i].end())
                continue;
            if (bound - cost(i, cheapest[i]) + cost(i, k) > limit || !fits(i, k) || earlier_equal())
                continue;
            auto child = node;
            child.next = i + 1;
            child.waiting &= ~bit(i);
            if (k > r.arrival && fits(i, k - 1)) child.loose |= bit(i);
            child.paid += cost(i, k);
            child.latency += k + r.output - r.arrival;
            hold(i, k, 1);
            start_[i] = k;
            Starts still(n_);
            for (std::size_t j = 0; j < n_; ++j)
                if ((child.waiting & bit(j)) != 0)
                    for (auto const start : possible[j])
                        if (start >= k && fits(j, start)) still[j].push_back(start);
            search(child, still);
            hold(i, k, -1);
            start_[i] = -1;
            if (found_ || nodes_ > most_nodes_) return;
        }
        if (!decide_next_round(node) || seen(node)) return;
    }
}

} // namespace crx::certificate

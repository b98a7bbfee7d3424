#include "host/evidence/certificate/configuration_paths.hh"

#include <algorithm>
#include <ranges>
#include <stdexcept>

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

namespace {

constexpr std::int64_t most_rounds = 1 << 20; ///< a start and its request fit in 32 bits

std::size_t index(std::int64_t t) { return static_cast<std::size_t>(t); }

} // namespace

ConfigurationPaths::ConfigurationPaths(Certified const& certified, StartCosts const& first,
                                       std::size_t active, std::optional<Before> const& before,
                                       std::int64_t most_arcs)
    : certified_(certified), first_(first), active_(active),
      all_(active >= certified.requests.size()), before_(before),
      limit_(Price{certified.upper - 1} << fraction_bits), most_arcs_(most_arcs),
      least_(certified.requests.size(), no_path)
{
    std::int64_t longest = 0;
    for (auto const& r : certified.requests) longest = std::max(longest, r.output);
    held_.assign(index(longest) + 1, 0);
    find_possible_starts();
}

/// At the first stage those that the first prices leave, later those on arcs of the stage before.
void ConfigurationPaths::find_possible_starts()
{
    auto const add = [&](std::size_t i, std::int64_t k) {
        auto const& r = certified_.requests[i];
        auto const end = index(k + r.output);
        if (end > index(most_rounds))
            throw std::invalid_argument("proof by configurations: the first prices allow starts "
                                        "that end past round 2^20");
        if (possible_.size() < end) possible_.resize(end);
        possible_[index(k)].push_back(i);
        least_[i] = std::min(least_[i], first_.of(r, i, k));
    };
    if (before_) {
        std::vector<bool> used(before_->graph.sets.size(), false);
        for (auto const& arc : before_->graph.arcs) used[arc.set] = true;
        for (std::size_t s = 0; s < used.size(); ++s)
            for (std::size_t i = 0; used[s] && i < least_.size(); ++i)
                if (auto const& set = before_->graph.sets[s]; (set.requests & bit(i)) != 0)
                    add(i, set.round);
    } else {
        auto const spare = spare_costs(certified_, first_);
        for (std::size_t i = 0; i < least_.size(); ++i) {
            auto const& r = certified_.requests[i];
            for (auto k = r.arrival; k <= first_.last || first_.of(r, i, k) <= spare[i]; ++k)
                if (first_.of(r, i, k) <= spare[i]) add(i, k);
        }
    }
    most_first_cost_ = limit_ - first_.constant;
    for (auto& least : least_) {
        if (least == no_path) least = 0; // it cannot start any more: no path is a schedule
        most_first_cost_ -= least;
    }
}

std::optional<PathGraph> ConfigurationPaths::build()
{
    std::vector<Node> now{{name(0, {}), 0, before_ ? before_->costs.constant() : 0}};
    graph_.nodes = 1;
    for (round_ = 0; round_ < static_cast<std::int64_t>(possible_.size()); ++round_) {
        next_.clear();
        number_.clear();
        set_of_requests_.clear();
        for (std::size_t k = 0; k < now.size(); ++k) {
            enter(now[k]);
            leave(static_cast<std::uint32_t>(graph_.first_end + k), now[k]);
            if (looked_at_ > most_arcs_) return std::nullopt;
        }
        graph_.first_end = graph_.nodes;
        graph_.nodes += next_.size();
        now.swap(next_);
    }
    return std::move(graph_);
}

std::u32string ConfigurationPaths::name(std::uint32_t before,
                                        std::vector<Running> const& left) const
{
    std::u32string name{before, all_ ? static_cast<char32_t>(held_[1]) : 0};
    for (auto const& a : left)
        name += static_cast<char32_t>(index(a.start) << 7 | a.request << 1 | a.loose);
    return name;
}

void ConfigurationPaths::enter(Node const& node)
{
    std::ranges::fill(held_, 0);
    held_[0] = node.name[1];
    running_.clear();
    for (auto const word : node.name.substr(2)) {
        Running const a{word >> 1 & 63, word >> 7, (word & 1) != 0};
        auto const& r = certified_.requests[a.request];
        for (auto t = round_ + 1; t <= a.start + r.output; ++t)
            held_[index(t - round_)] += held(r, a.start, t);
        running_.push_back(a);
    }
}

void ConfigurationPaths::leave(std::uint32_t from, Node const& node)
{
    if (!before_) return choose(from, 0, 0, node.first_cost);
    auto const& [graph, costs, first_arc] = *before_;
    std::uint64_t active = 0;
    for (auto const& a : running_) active |= bit(a.request);
    for (auto at = first_arc[node.name[0]]; at < first_arc[node.name[0] + 1]; ++at) {
        auto const& arc = graph.arcs[at];
        auto const before_cost = node.before_cost + costs.of_set(arc.set);
        auto const set = graph.sets[arc.set].requests;
        if (++looked_at_ > most_arcs_) return;
        if (before_cost + costs.to_end(arc.to) > limit_ || (set & active) != 0) continue;
        auto const others = running_.size();
        auto first_cost = node.first_cost;
        auto all_fit = true;
        for (std::size_t i = 0; i < certified_.requests.size() && all_fit; ++i)
            if ((set & bit(i)) != 0) all_fit = start(i, first_cost);
        if (all_fit) add_arc(from, set, first_cost, arc.to, before_cost);
        while (running_.size() > others) take_back();
    }
}

/// Every set of possible starts, with those chosen already.
void ConfigurationPaths::choose(std::uint32_t from, std::size_t next, std::uint64_t set,
                                Price first_cost)
{
    if (++looked_at_ > most_arcs_) return;
    add_arc(from, set, first_cost, 0, 0);
    auto const& possible = possible_[index(round_)];
    for (auto c = next; c < possible.size(); ++c) {
        auto const i = possible[c];
        auto cost = first_cost;
        if (std::ranges::find(running_, i, &Running::request) != running_.end() || !start(i, cost))
            continue;
        choose(from, c + 1, set | bit(i), cost);
        take_back();
    }
}

/// Is it the next one of its equals, if any of them are known to run?
bool ConfigurationPaths::in_turn(std::size_t i) const
{
    auto const& requests = certified_.requests;
    std::optional<std::size_t> last;
    for (auto const& a : running_)
        if (requests[a.request] == requests[i]) last = std::max(last.value_or(0), a.request);
    if (!last || *last > i) return !last;
    return std::find(requests.begin() + static_cast<std::ptrdiff_t>(*last) + 1, requests.end(),
                     requests[i]) == requests.begin() + static_cast<std::ptrdiff_t>(i);
}

/// Starts a request in this round beside those that run; false: it does not fit or costs too much.
bool ConfigurationPaths::start(std::size_t i, Price& first_cost)
{
    auto const& r = certified_.requests[i];
    first_cost += first_.of(r, i, round_) - least_[i];
    if (first_cost > most_first_cost_ || !in_turn(i)) return false;
    auto const loose = all_ && round_ > r.arrival && held_[0] + r.prompt + 1 <= certified_.memory;
    for (std::int64_t j = 1; j <= r.output; ++j)
        if (held_[index(j)] + r.prompt + j > certified_.memory) return false;
    for (std::int64_t j = 1; j <= r.output; ++j) held_[index(j)] += r.prompt + j;
    running_.push_back({i, round_, loose});
    return true;
}

void ConfigurationPaths::take_back()
{
    auto const& r = certified_.requests[running_.back().request];
    running_.pop_back();
    for (std::int64_t j = 1; j <= r.output; ++j) held_[index(j)] -= r.prompt + j;
}

void ConfigurationPaths::add_arc(std::uint32_t from, std::uint64_t set, Price first_cost,
                                 std::uint32_t before, Price before_cost)
{
    auto const t = round_ + 1;
    auto const full = held_[1] == certified_.memory;
    if (all_ && index(t) < certified_.memory_price.size())
        first_cost += Price{certified_.memory_price[index(t)]} * (certified_.memory - held_[1]);
    if (first_cost > most_first_cost_) return;
    std::vector<Running> left;
    for (auto a : running_) {
        auto const end = a.start + certified_.requests[a.request].output;
        // Started a round earlier, it would hold more until end - 1.
        if (full && t < end) a.loose = false;
        if (a.loose && t >= end - 1) return;
        if (t < end) left.push_back(a);
    }
    auto const end = [&](Running const& a) {
        return a.start + certified_.requests[a.request].output;
    };
    std::ranges::sort(left, {}, &Running::request); // of equal ends the lower number is forgotten
    while (left.size() > active_) left.erase(std::ranges::min_element(left, {}, end));
    auto const [at, is_new] = number_.try_emplace(
        name(before, left), static_cast<std::uint32_t>(graph_.nodes + next_.size()));
    if (is_new) next_.push_back({at->first, first_cost, before_cost});
    auto& node = next_[at->second - graph_.nodes];
    node.first_cost = std::min(node.first_cost, first_cost);
    node.before_cost = std::min(node.before_cost, before_cost);
    auto const [place, new_set] =
        set_of_requests_.try_emplace(set, static_cast<std::uint32_t>(graph_.sets.size()));
    if (new_set) graph_.sets.push_back({round_, set});
    graph_.arcs.push_back({from, at->second, place->second});
}

} // namespace crx::certificate

#include "analysis/baseline/relaxation/configuration_bound.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace crx::baseline {
namespace {

/// A price of 1.
constexpr auto whole_price = std::int64_t{1} << Prices::fraction_bits;

template <class Visit>
void each_request(std::uint64_t requests, Visit visit)
{
    for (; requests != 0; requests &= requests - 1)
        visit(static_cast<std::size_t>(std::countr_zero(requests)));
}

} // namespace

ConfigurationClimb::ConfigurationClimb(OwnedInstance const& instance,
                                       std::vector<RequestGroup> const& groups,
                                       PriceBound const& root, Rounds upper)
    : instance_(instance), groups_(groups), root_(root), upper_(upper),
      starts_(static_cast<std::size_t>(root.domain.starts())), group_of_(instance.output.size()),
      rows_(instance, groups, root.prices, starts_, {})
{
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto const i : groups[g].members) group_of_[i] = g;
    rows_.add_starters(group_of_.size());
    auto first = rows_.first;
    start_costs(first);
    constexpr auto none = std::numeric_limits<double>::max();
    for (auto const g : group_of_) {
        auto least = none;
        for (std::size_t k = 0; k < starts_; ++k)
            if (root_.domain.allows(g, static_cast<Rounds>(k)))
                least = std::min(least, cost_[g][k]);
        first.push_back(least < none ? least : 0);
    }
    volume_.emplace(rows_.weight, std::move(first), rows_.starters_at(), static_cast<double>(upper),
                    VolumeSteps::Pace{});
}

/// cost_[g][k] at these prices, as in Lagrangian.
void ConfigurationClimb::start_costs(std::vector<double> const& prices)
{
    rows_.set(prices);
    cost_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        auto const& group = groups_[g];
        cost_[g].assign(starts_, 0);
        for (auto k = static_cast<std::size_t>(group.arrival); k < starts_; ++k)
            cost_[g][k] = rows_.cost(
                g, k, static_cast<double>(static_cast<Rounds>(k) + group.output - group.arrival));
    }
}

double ConfigurationClimb::evaluate(ConfigurationGraph const& graph,
                                    std::vector<double> const& rows)
{
    start_costs(rows);
    auto bound = rows_.constant();
    auto const* const price = rows.data() + rows_.starters_at();
    for (std::size_t i = 0; i < group_of_.size(); ++i) bound += price[i];
    auto const& sets = graph.sets();
    set_cost_.resize(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        double cost = 0;
        each_request(sets[s].requests, [&](std::size_t i) {
            cost += cost_[group_of_[i]][static_cast<std::size_t>(sets[s].round)] - price[i];
        });
        set_cost_[s] = static_cast<float>(cost);
    }
    graph.from_first(set_cost_, least_);
    used_.assign(group_of_.size(), {});
    graph.follow(set_cost_, least_, [&](ConfigurationGraph::StartSet const& set) {
        each_request(set.requests, [&](std::size_t i) { used_[i].push_back(set.round); });
    });
    return bound + static_cast<double>(graph.cheapest(least_));
}

/// How far the starts in used_ exceed each row.
std::vector<double> ConfigurationClimb::slack() const
{
    auto slack = rows_.empty_slack();
    for (std::size_t i = 0; i < used_.size(); ++i) {
        slack[rows_.starters_at() + i] = 1.0 - static_cast<double>(used_[i].size());
        for (auto const k : used_[i])
            rows_.add_start(slack, group_of_[i], static_cast<std::size_t>(k));
    }
    return slack;
}

void ConfigurationClimb::restart(ConfigurationGraph const& graph)
{
    auto rows = volume_->best_prices();
    auto const bound = evaluate(graph, rows);
    volume_->begin(std::move(rows), bound, slack());
}

void ConfigurationClimb::step(ConfigurationGraph const& graph)
{
    auto rows = volume_->next();
    auto const bound = evaluate(graph, rows);
    volume_->learn(std::move(rows), bound, slack());
}

std::int64_t ConfigurationClimb::climb(ConfigurationGraph& graph, StartDomain& domain,
                                       std::int64_t steps, std::int64_t most_steps,
                                       TimeLimit const& limit)
{
    auto const aim = static_cast<double>(upper_ - 1);
    settled_.clear();
    restart(graph);
    std::int64_t bound = settle(graph, domain);
    for (std::int64_t done = 0; done < most_steps && bound <= (upper_ - 1) * whole_price;
         done += steps) {
        auto const gap = aim - Prices::real(bound);
        for (std::int64_t k = 0; k < steps && volume_->best() <= aim + 1e-3 && !limit.over(); ++k)
            step(graph);
        bound = std::max(bound, settle(graph, domain));
        if (limit.over() || aim - Prices::real(bound) > 0.98 * gap) break;
    }
    return bound;
}

PathPrices ConfigurationClimb::prices() const
{
    auto const& rows = volume_->best_prices();
    PathPrices prices{rows_.prices(rows), {}};
    for (auto c = rows_.starters_at(); c < rows.size(); ++c)
        prices.requests.push_back(Prices::fixed(rows[c]));
    return prices;
}

/// The bound of the best prices in integers. Drops arcs on whose paths it exceeds upper - 1, and
/// starts without an arc.
std::int64_t ConfigurationClimb::settle(ConfigurationGraph& graph, StartDomain& domain)
{
    auto const& price = settled_.emplace_back(prices()).requests;
    Lagrangian const exact(instance_, groups_, settled_.back().rows, static_cast<Rounds>(starts_));
    exact_constant_ = exact.constant();
    for (auto const of_request : price) exact_constant_ += of_request;
    auto const& sets = graph.sets();
    exact_costs_.assign(sets.size(), 0);
    for (std::size_t s = 0; s < sets.size(); ++s)
        each_request(sets[s].requests, [&](std::size_t i) {
            exact_costs_[s] += exact.cost(group_of_[i], sets[s].round) - price[i];
        });
    std::vector<std::int64_t> from, to;
    graph.from_first(exact_costs_, from);
    graph.to_end(exact_costs_, to);
    auto const path = graph.cheapest(from);
    auto const limit = (upper_ - 1) * whole_price;
    if (path > limit - exact_constant_) return upper_ * whole_price; // or no path is left
    std::vector<std::vector<char>> used(groups_.size(), std::vector<char>(starts_, 0));
    graph.prune(exact_costs_, from, to, limit - exact_constant_,
                [&](ConfigurationGraph::StartSet const& set) {
                    each_request(set.requests, [&](std::size_t i) {
                        used[group_of_[i]][static_cast<std::size_t>(set.round)] = 1;
                    });
                });
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t k = 0; k < starts_; ++k)
            if (used[g][k] == 0) domain.remove(g, static_cast<Rounds>(k));
    return exact_constant_ + path;
}

void ConfigurationClimb::extras(StartDomain const& domain,
                                ConfigurationGraph::Settings& settings) const
{
    Lagrangian const exact(instance_, groups_, root_.prices, static_cast<Rounds>(starts_));
    auto bound = exact.constant();
    settings.extra.assign(groups_.size(), std::vector<float>(starts_, 0));
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        auto least = std::numeric_limits<std::int64_t>::max();
        for (Rounds k = 0; k < domain.starts(); ++k)
            if (domain.allows(g, k)) least = std::min(least, exact.cost(g, k));
        if (least == std::numeric_limits<std::int64_t>::max()) continue;
        bound += least * groups_[g].count();
        for (Rounds k = 0; k < domain.starts(); ++k)
            if (domain.allows(g, k))
                settings.extra[g][static_cast<std::size_t>(k)] =
                    static_cast<float>(Prices::real(exact.cost(g, k) - least));
    }
    // Floats are a little off, so what they are compared with is on the safe side.
    auto const upper = static_cast<double>(upper_);
    settings.most_extra = upper - 1 - Prices::real(bound) + 1e-5 * (1 + upper);
    for (std::size_t t = 0; t <= rows_.times(); ++t)
        settings.extra_free.push_back(
            static_cast<float>(Prices::real(exact.memory_price(static_cast<Rounds>(t)))));
}

} // namespace crx::baseline

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

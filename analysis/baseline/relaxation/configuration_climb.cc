#include "analysis/baseline/relaxation/configuration_climb.hh"

#include <algorithm>
#include <bit>
#include <cmath>

namespace crx::baseline {
namespace {

/// A price of 1.
constexpr auto whole_price = std::int64_t{1} << Prices::fraction_bits;

double real(std::int64_t price)
{
    return std::ldexp(static_cast<double>(price), -Prices::fraction_bits);
}

std::int64_t fixed(double price) { return std::llround(std::ldexp(price, Prices::fraction_bits)); }

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
      starts_(static_cast<std::size_t>(root.domain.starts())), group_of_(instance.output.size())
{
    std::int32_t longest = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        longest = std::max(longest, groups[g].output);
        for (auto const i : groups[g].members) group_of_[i] = g;
    }
    times_ = starts_ + static_cast<std::size_t>(longest) + 1;
    auto weight = weights();
    volume_.emplace(std::move(weight), first_prices(), family_at_.back(),
                    static_cast<double>(upper));
}

std::vector<double> ConfigurationClimb::weights()
{
    std::vector<double> weight(times_, 1.0);
    auto const memory = static_cast<double>(instance_.memory);
    for (auto const& peaks : root_.prices.peaks) {
        auto const& family = families_.emplace_back(groups_, instance_.memory, peaks.k);
        auto const instants =
            std::max(family.instants(static_cast<Rounds>(starts_)), peaks.price.size());
        family_at_.push_back(weight.size());
        auto const scale = 0.6 * memory / peaks.k;
        weight.insert(weight.end(), instants, scale * scale);
    }
    family_at_.push_back(weight.size());
    weight.insert(weight.end(), instance_.output.size(), 0.25 * memory * memory);
    return weight;
}

std::vector<double> ConfigurationClimb::first_prices()
{
    std::vector<double> rows(rows_in_all(), 0.0);
    auto const& prices = root_.prices;
    for (std::size_t t = 0; t < std::min(times_, prices.memory.size()); ++t)
        rows[t] = real(prices.memory[t]);
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (std::size_t c = 0; c < prices.peaks[f].price.size(); ++c)
            rows[family_at_[f] + c] = real(prices.peaks[f].price[c]);
    start_costs(rows);
    for (std::size_t i = 0; i < group_of_.size(); ++i) {
        auto const g = group_of_[i];
        auto least = std::numeric_limits<double>::max();
        for (std::size_t k = 0; k < starts_; ++k)
            if (root_.domain.allows(g, static_cast<Rounds>(k)))
                least = std::min(least, cost_[g][k]);
        rows[family_at_.back() + i] = least < std::numeric_limits<double>::max() ? least : 0;
    }
    return rows;
}

/// cost_[g][k] at these prices, as in Lagrangian.
void ConfigurationClimb::start_costs(std::vector<double> const& rows)
{
    std::vector<double> sum(times_ + 1, 0), moment(times_ + 1, 0);
    for (std::size_t t = 0; t < times_; ++t) {
        sum[t + 1] = sum[t] + rows[t];
        moment[t + 1] = moment[t] + rows[t] * static_cast<double>(t);
    }
    std::vector<std::vector<double>> peaks(families_.size());
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto const from = family_at_[f], to = family_at_[f + 1];
        peaks[f].assign(to - from + 1, 0);
        for (auto c = from; c < to; ++c) peaks[f][c - from + 1] = peaks[f][c - from] + rows[c];
    }
    cost_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        auto const& group = groups_[g];
        auto& cost = cost_[g];
        cost.assign(starts_, 0);
        for (auto k = static_cast<std::size_t>(group.arrival); k < starts_; ++k) {
            auto const from = k + 1, to = from + static_cast<std::size_t>(group.output);
            auto const end = static_cast<Rounds>(k) + group.output;
            cost[k] = static_cast<double>(end - group.arrival) +
                      (group.prompt - static_cast<double>(k)) * (sum[to] - sum[from]) +
                      (moment[to] - moment[from]);
            for (std::size_t f = 0; f < families_.size(); ++f)
                for (auto const& span : families_[f].spans(g))
                    cost[k] += peaks[f][static_cast<std::size_t>(2 * end + span.last)] -
                               peaks[f][static_cast<std::size_t>(2 * end + span.first)];
        }
    }
}

double ConfigurationClimb::evaluate(ConfigurationGraph const& graph,
                                    std::vector<double> const& rows)
{
    start_costs(rows);
    double bound = 0;
    for (std::size_t t = 0; t < times_; ++t)
        bound -= static_cast<double>(instance_.memory) * rows[t];
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            bound -= families_[f].capacity() * rows[c];
    auto const* const price = rows.data() + family_at_.back();
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
    std::vector<double> slack(rows_in_all(), 0.0);
    for (std::size_t t = 0; t < times_; ++t) slack[t] = -static_cast<double>(instance_.memory);
    for (std::size_t f = 0; f < families_.size(); ++f)
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            slack[c] = -families_[f].capacity();
    for (std::size_t i = 0; i < used_.size(); ++i) {
        auto const& group = groups_[group_of_[i]];
        slack[family_at_.back() + i] = 1.0 - static_cast<double>(used_[i].size());
        for (auto const k : used_[i]) {
            for (std::int32_t j = 1; j <= group.output; ++j)
                slack[static_cast<std::size_t>(k + j)] += group.prompt + j;
            for (std::size_t f = 0; f < families_.size(); ++f)
                for (auto const& span : families_[f].spans(group_of_[i]))
                    for (auto c = span.first; c < span.last; ++c)
                        slack[family_at_[f] +
                              static_cast<std::size_t>(2 * (k + group.output) + c)] += 1;
        }
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
        auto const gap = aim - real(bound);
        for (std::int64_t k = 0; k < steps && volume_->best() <= aim + 1e-3 && !limit.over(); ++k)
            step(graph);
        bound = std::max(bound, settle(graph, domain));
        if (limit.over() || aim - real(bound) > 0.98 * gap) break;
    }
    return bound;
}

PathPrices ConfigurationClimb::prices() const
{
    auto const& rows = volume_->best_prices();
    PathPrices prices;
    for (std::size_t t = 0; t < times_; ++t) prices.rows.memory.push_back(fixed(rows[t]));
    for (std::size_t f = 0; f < families_.size(); ++f) {
        auto& peaks = prices.rows.peaks.emplace_back(Prices::Peaks{families_[f].capacity(), {}});
        for (auto c = family_at_[f]; c < family_at_[f + 1]; ++c)
            peaks.price.push_back(fixed(rows[c]));
    }
    for (auto c = family_at_.back(); c < rows.size(); ++c)
        prices.requests.push_back(fixed(rows[c]));
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
                    static_cast<float>(real(exact.cost(g, k) - least));
    }
    // Floats are a little off, so what they are compared with is on the safe side.
    auto const upper = static_cast<double>(upper_);
    settings.most_extra = upper - 1 - real(bound) + 1e-5 * (1 + upper);
    for (std::size_t t = 0; t <= times_; ++t)
        settings.extra_free.push_back(
            static_cast<float>(real(exact.memory_price(static_cast<Rounds>(t)))));
}

} // namespace crx::baseline

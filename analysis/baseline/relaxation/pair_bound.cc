#include "analysis/baseline/relaxation/pair_bound.hh"

#include "analysis/baseline/relaxation/pair_paths.hh"
#include "analysis/baseline/relaxation/volume_steps.hh"

#include <limits>

namespace crx::baseline {
namespace {

constexpr auto unit_price = std::int64_t{1} << Prices::fraction_bits;

/// Costs of the starts of groups by prices of rows.
class PairRows
{
  public:
    PairRows(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
             PriceBound const& root, Rounds starts)
        : rows(instance, groups, root.prices, static_cast<std::size_t>(starts), {2.0, false}),
          first(rows.first), groups_(groups), starts_(static_cast<std::size_t>(starts))
    {
        rows.add_starters(groups.size());
        reduce(first);
        for (std::size_t g = 0; g < groups.size(); ++g)
            first.push_back(*std::ranges::min_element(reduced[g]));
    }

    /// Costs of starts less the price of the group, and what is no start's. Without group prices
    /// they count as 0.
    void reduce(std::vector<double> const& prices)
    {
        rows.set(prices);
        constant = rows.constant();
        reduced.assign(groups_.size(), std::vector<float>(starts_, far_start));
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            auto const& group = groups_[g];
            auto const at = rows.starters_at();
            auto const price = prices.size() > at ? prices[at + g] : 0.0;
            auto const alone = static_cast<double>(group.output - group.arrival) - price;
            constant += static_cast<double>(group.count()) *
                        (price + std::min(0.0, static_cast<double>(starts_) + alone));
            for (auto k = static_cast<std::size_t>(group.arrival); k < starts_; ++k)
                reduced[g][k] = static_cast<float>(rows.cost(g, k, static_cast<double>(k) + alone));
        }
    }

    /// How far these starts exceed each row.
    std::vector<double> slack(OfStarts<std::int32_t> const& used) const
    {
        auto slack = rows.empty_slack();
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            slack[rows.starters_at() + g] =
                static_cast<double>(groups_[g].count()) - static_cast<double>(used[g].size());
            for (auto const k : used[g]) rows.add_start(slack, g, static_cast<std::size_t>(k));
        }
        return slack;
    }

    PathRows rows;
    std::vector<double> first; ///< prices to begin with
    OfStarts<float> reduced;
    double constant = 0;

  private:
    std::vector<RequestGroup> const& groups_;
    std::size_t starts_;
};

/// Steps of the volume algorithm on few starts.
class PairClimb
{
  public:
    PairClimb(PairRows& rows, Rounds upper)
        : rows_(rows), steps_(rows.rows.weight, rows.first, rows.rows.starters_at(),
                              static_cast<double>(upper), {})
    {
    }

    /// Begins on these paths at these prices.
    void begin(FewPairPaths& paths, std::vector<double> prices)
    {
        auto const bound = evaluate(paths, prices);
        if (used_before_)
            steps_.resume(std::move(prices), bound);
        else
            steps_.begin(std::move(prices), bound, rows_.slack(used_));
        used_before_ = true;
    }

    void step(FewPairPaths& paths)
    {
        auto prices = steps_.next();
        auto const bound = evaluate(paths, prices);
        steps_.learn(std::move(prices), bound, rows_.slack(used_));
    }

    std::vector<double> const& best_prices() const { return steps_.best_prices(); }
    std::int64_t steps() const { return steps_.steps(); }

  private:
    double evaluate(FewPairPaths& paths, std::vector<double> const& prices)
    {
        rows_.reduce(prices);
        auto const path = paths.cheapest(rows_.reduced, used_);
        return rows_.constant + path;
    }

    PairRows& rows_;
    VolumeSteps steps_;
    bool used_before_ = false;
    OfStarts<std::int32_t> used_;
};

/// Which starts to climb on: the cheapest ones, `each` a group in the mean, and the cheapest of
/// each group. Those that were allowed stay, but for ones too dear at the best prices.
void choose_starts(OfStarts<float> const& through, OfStarts<float> const& at_best, double most,
                   std::size_t each, OfStarts<char>& allowed)
{
    std::vector<float> all;
    for (auto const& group : through)
        for (auto const cost : group)
            if (cost < far_start / 2) all.push_back(cost);
    if (all.empty()) return;
    auto const want = std::min(all.size() - 1, each * through.size());
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(want));
    for (std::size_t g = 0; g < through.size(); ++g) {
        auto const least = *std::ranges::min_element(through[g]);
        for (std::size_t k = 0; k < through[g].size(); ++k) {
            auto const cheap = through[g][k] <= all[want];
            auto& use = allowed[g][k];
            if (at_best[g][k] > most) use = 0;
            if (cheap || (through[g][k] < far_start / 2 && through[g][k] <= least + 1)) use = 1;
        }
    }
}

/// The bound of the outcome's prices in 2^-20 rounds, exact.
std::int64_t exact_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                         AllPairPaths const& paths, PairOutcome const& outcome, Rounds starts)
{
    Lagrangian const costs(instance, groups, outcome.prices, starts);
    auto bound = costs.constant();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const price = outcome.group_prices[g];
        auto const after = (starts + groups[g].output - groups[g].arrival) * unit_price - price;
        bound += groups[g].count() * (price + std::min<std::int64_t>(0, after));
    }
    return bound + paths.least<std::int64_t>([&](std::size_t g, Rounds t) {
        return costs.cost(g, t) - outcome.group_prices[g];
    });
}

} // namespace

PairOutcome pair_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       PriceBound const& root, Rounds upper, Rounds starts,
                       PairSettings const& settings)
{
    CRX_EXPECT(starts >= 1 && root.domain.starts() >= starts);
    for (auto const& group : groups) CRX_EXPECT(group.arrival < starts);
    constexpr std::int64_t chunk = 100;            // steps on the same starts
    constexpr std::size_t each = 120;              // starts of a group, in the mean
    constexpr std::size_t most_kept = 150'000'000; // costs to the end
    PairOutcome outcome;
    PairStates const states(groups, instance.memory, settings.most_states);
    if (!states.built() || states.size() * static_cast<std::size_t>(starts) > most_kept)
        return outcome;
    outcome.states = states.size();
    AllPairPaths const all(groups, states, root.domain, starts);
    auto const of_look = 4 * all.arcs(); // twice back, once on, and once more for the exact bound
    std::int64_t arcs = of_look;
    if (arcs > settings.most_arcs) return outcome;
    PairRows rows(instance, groups, root, starts);
    PairClimb climb(rows, upper);
    auto best_prices = rows.first;
    OfStarts<char> allowed(groups.size(), std::vector<char>(static_cast<std::size_t>(starts), 0));
    rows.reduce(best_prices);
    auto through = all.through(rows.reduced), at_best = through;
    auto const bound_of = [&](OfStarts<float> const& costs) {
        auto least = 0.0; // a path without a start
        for (auto const& group : costs)
            least = std::min(least, double{*std::ranges::min_element(group)});
        return rows.constant + least;
    };
    auto best = bound_of(through), constant = rows.constant;
    while (climb.steps() < settings.steps && arcs < settings.most_arcs && !settings.limit.over() &&
           best <= static_cast<double>(upper - 1)) {
        choose_starts(through, at_best, best + 0.03 * std::abs(best) - constant, each, allowed);
        FewPairPaths few(groups, states, allowed);
        climb.begin(few, best_prices);
        for (std::int64_t k = 0; k < chunk && !settings.limit.over(); ++k) climb.step(few);
        arcs += chunk * static_cast<std::int64_t>(few.arcs());
        auto const then = best;
        for (auto share = 1.0; share > 0.1 && !settings.limit.over(); share /= 2) {
            auto prices = climb.best_prices();
            for (std::size_t r = 0; r < prices.size(); ++r)
                prices[r] = best_prices[r] + share * (prices[r] - best_prices[r]);
            rows.reduce(prices);
            auto bound = -std::numeric_limits<double>::max();
            if (share == 1.0) { // also where it is no better: these are the starts that lower it
                through = all.through(rows.reduced);
                bound = bound_of(through);
            } else {
                bound = rows.constant + double{all.least<float>([&](std::size_t g, Rounds t) {
                            return rows.reduced[g][static_cast<std::size_t>(t)];
                        })};
            }
            arcs += of_look;
            if (bound <= best) continue;
            best = bound;
            constant = rows.constant;
            best_prices = std::move(prices);
            at_best = through;
            break;
        }
        if (best - then < 1e-4 * std::abs(best) && climb.steps() > 4 * chunk) break;
    }
    outcome.steps = climb.steps();
    outcome.prices = rows.rows.prices(best_prices);
    for (std::size_t g = 0; g < groups.size(); ++g)
        outcome.group_prices.push_back(Prices::fixed(best_prices[rows.rows.starters_at() + g]));
    outcome.lower_bound = std::clamp<Rounds>(
        whole_bound(exact_bound(instance, groups, all, outcome, starts)), 0, upper);
    return outcome;
}

} // namespace crx::baseline

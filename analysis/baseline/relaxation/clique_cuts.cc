#include "analysis/baseline/relaxation/clique_cuts.hh"

#include <algorithm>

namespace crx::baseline {

StartDomain::StartDomain(std::vector<RequestGroup> const& groups, Rounds starts)
{
    for (auto const& group : groups) {
        allowed_.emplace_back(static_cast<std::size_t>(starts), char{1});
        std::fill_n(allowed_.back().begin(), std::min(group.arrival, starts), char{0});
    }
}

std::int64_t StartDomain::size() const
{
    std::int64_t size = 0;
    for (auto const& group : allowed_) size += std::count(group.begin(), group.end(), char{1});
    return size;
}

namespace {

struct Candidate
{
    StartColumn column;
    double value, reduced_cost;
};

/// Two starts of which at most one can be used.
class Exclusion
{
  public:
    Exclusion(std::vector<RequestGroup> const& groups, Tokens memory)
        : groups_(groups), memory_(memory)
    {
    }
    bool operator()(StartColumn a, StartColumn b) const
    {
        if (a.group == b.group && groups_[a.group].count() == 1) return true;
        return starts_conflict(groups_[a.group], a.start, groups_[b.group], b.start, memory_);
    }
    /// May the column be in a clique at all?
    bool with_itself(StartColumn a) const { return (*this)(a, a); }
    bool with_all(StartColumn a, std::vector<StartColumn> const& others) const
    {
        return std::ranges::all_of(others, [&](StartColumn b) {
            return !(a.group == b.group && a.start == b.start) && (*this)(a, b);
        });
    }

  private:
    std::vector<RequestGroup> const& groups_;
    Tokens memory_;
};

} // namespace

std::vector<Clique> broken_cliques(TimeIndexedLp const& lp, std::vector<RequestGroup> const& groups,
                                   Tokens memory, StartDomain const& domain, std::size_t most)
{
    Exclusion const exclude(groups, memory);
    std::vector<Candidate> all, used;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = groups[g].arrival; k <= lp.last_start(); ++k) {
            StartColumn const column{static_cast<std::int32_t>(g), static_cast<std::int32_t>(k)};
            if (!domain.allows(g, k) || !exclude.with_itself(column)) continue;
            all.push_back({column, lp.column_value(g, k), lp.reduced_cost(g, k)});
            if (all.back().value > 1e-6) used.push_back(all.back());
        }
    std::ranges::sort(all, {}, &Candidate::reduced_cost);
    std::ranges::sort(used, std::ranges::greater{}, &Candidate::value);

    struct Found
    {
        Clique clique;
        double broken;
    };
    std::vector<Found> found;
    std::vector<int> times_used(used.size(), 0);
    for (std::size_t seed = 0; seed < used.size(); ++seed) {
        if (times_used[seed] >= 2) continue;
        std::vector<StartColumn> members{used[seed].column};
        std::vector<std::size_t> places{seed};
        auto sum = used[seed].value;
        for (bool const own : {false, true}) // other requests first: they say more
            for (std::size_t u = 0; u < used.size(); ++u)
                if ((used[u].column.group == used[seed].column.group) == own &&
                    exclude.with_all(used[u].column, members)) {
                    members.push_back(used[u].column);
                    places.push_back(u);
                    sum += used[u].value;
                }
        if (sum < 1.01) continue;
        for (auto const place : places) ++times_used[place];
        found.push_back({{std::move(members), 0}, sum});
    }
    std::ranges::sort(found, std::ranges::greater{}, &Found::broken);
    if (found.size() > most) found.resize(most);
    std::vector<Clique> cliques;
    for (auto& [clique, broken] : found) {
        for (auto const& candidate : all)
            if (exclude.with_all(candidate.column, clique.members))
                clique.members.push_back(candidate.column);
        cliques.push_back(std::move(clique));
    }
    return cliques;
}

namespace {

/// Drops the starts that would bring the exact bound to `upper`. A removed start no longer counts
/// in least_cost, so the bound of what is left may be better than the Lagrangian's own; returned.
std::int64_t narrow_domain(Lagrangian const& exact, std::vector<RequestGroup> const& groups,
                           Rounds upper, StartDomain& domain, TimeIndexedLp& lp)
{
    constexpr auto one = std::int64_t{1} << Prices::fraction_bits;
    auto const limit = (upper - 1) * one;
    std::vector<std::int64_t> least(groups.size());
    auto bound = exact.constant();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        least[g] = (exact.starts() + groups[g].output - groups[g].arrival) * one;
        for (auto k = groups[g].arrival; k < exact.starts(); ++k)
            if (domain.allows(g, k)) least[g] = std::min(least[g], exact.cost(g, k));
        bound += least[g] * groups[g].count();
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = groups[g].arrival; k < exact.starts(); ++k)
            if (domain.allows(g, k) && bound - least[g] + exact.cost(g, k) > limit) {
                domain.remove(g, k);
                lp.remove_column(g, k);
            }
    return bound;
}

/// The program ends at a horizon; starts past it stay possible as far as the bound allows them.
void extend_past_horizon(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                         Rounds upper, std::int64_t bound, CliqueBound& result)
{
    constexpr auto one = std::int64_t{1} << Prices::fraction_bits;
    auto const horizon = result.domain.starts();
    if (bound > (upper - 1) * one) return;
    Lagrangian const exact(instance, groups, result.prices, horizon);
    Rounds latest = horizon - 1;
    std::vector<Rounds> last(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const& group = groups[g];
        auto least = (horizon + group.output - group.arrival) * one;
        for (auto k = group.arrival; k < horizon; ++k)
            if (result.domain.allows(g, k)) least = std::min(least, exact.cost(g, k));
        // bound - least + (k + o - a) <= upper - 1
        last[g] = (((upper - 1) * one - bound + least) >> Prices::fraction_bits) - group.output +
                  group.arrival;
        latest = std::max(latest, last[g]);
    }
    if (latest >= most_domain_entries / static_cast<Rounds>(groups.size())) {
        result.domain = StartDomain(groups, 0);
        return;
    }
    result.domain.extend(latest + 1);
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto k = std::max(horizon, last[g] + 1); k <= latest; ++k) result.domain.remove(g, k);
}

} // namespace

CliqueBound clique_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                         Rounds upper, Rounds last_start, TimeLimit const& limit)
{
    constexpr auto one = std::int64_t{1} << Prices::fraction_bits;
    for (auto const& group : groups) last_start = std::max(last_start, group.arrival);
    TimeIndexedLp lp(instance, groups, last_start);
    CliqueBound result{0, {}, StartDomain(groups, last_start + 1), 0, 0, 0};
    std::int64_t best = INT64_MIN;
    double last_value = 0;
    int slow_rounds = 0;
    for (;; ++result.rounds) {
        auto const solved = lp.solve(limit);
        // Later on it may be starts ruled out that leave no solution: prices then prove it.
        if (result.rounds == 0 && lp.infeasible()) break;
        auto prices = lp.prices();
        Lagrangian exact(instance, groups, prices, last_start + 1);
        auto const bound = narrow_domain(exact, groups, upper, result.domain, lp);
        if (bound > best) {
            best = bound;
            result.prices = std::move(prices);
        }
        result.value = lp.value();
        if (bound > (upper - 1) * one || !solved || limit.over()) break;
        slow_rounds = result.value - last_value < 1e-3 * result.value ? slow_rounds + 1 : 0;
        last_value = result.value;
        if (slow_rounds > 6) break;
        if (result.rounds % 5 == 4) lp.drop_slack_cliques();
        auto const cliques =
            broken_cliques(lp, groups, instance.memory, result.domain, 4 * groups.size() + 20);
        if (cliques.empty()) break;
        lp.add_cliques(cliques);
    }
    result.cliques = lp.cliques();
    // Prices of a program without a solution say nothing, and no prices give the sum of o.
    Rounds alone = 0;
    for (auto const& group : groups) alone += group.output * group.count();
    if (best <= (alone - 1) * one) {
        best = alone * one;
        result.prices = {};
    }
    extend_past_horizon(instance, groups, upper, best, result);
    result.lower_bound = best > (upper - 1) * one
                             ? upper
                             : std::max<Rounds>(0, (best + one - 1) >> Prices::fraction_bits);
    return result;
}

} // namespace crx::baseline

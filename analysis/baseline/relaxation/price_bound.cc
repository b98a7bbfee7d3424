#include "analysis/baseline/relaxation/price_bound.hh"

#include <algorithm>

namespace crx::baseline {

/// A table of costs of so many starts takes 256 MiB.
constexpr std::int64_t most_domain_entries = std::int64_t{1} << 25;

StartDomain::StartDomain(std::vector<RequestGroup> const& groups, Rounds starts)
{
    for (auto const& group : groups) {
        allowed_.emplace_back(static_cast<std::size_t>(starts), char{1});
        std::fill_n(allowed_.back().begin(), std::min(group.arrival, starts), char{0});
    }
}

PriceBound price_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       Rounds upper, Prices const& prices, Rounds starts)
{
    constexpr auto one = std::int64_t{1} << Prices::fraction_bits;
    auto const limit = (upper - 1) * one;
    for (;;) {
        Lagrangian const exact(instance, groups, prices, starts);
        auto const bound = exact.bound();
        if (bound > limit) return {upper, prices, StartDomain(groups, starts)};
        // A start past the table costs at least start + o - a.
        Rounds latest = 0;
        for (std::size_t g = 0; g < groups.size(); ++g)
            latest =
                std::max(latest, ((limit - bound + exact.least_cost(g)) >> Prices::fraction_bits) -
                                     groups[g].output + groups[g].arrival);
        if (latest >= most_domain_entries / static_cast<Rounds>(groups.size()))
            return {exact.opt_lower_bound(), prices, StartDomain(groups, 0)};
        if (latest >= starts) {
            starts = latest + 1;
            continue;
        }
        PriceBound result{exact.opt_lower_bound(), prices, StartDomain(groups, starts)};
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (auto k = groups[g].arrival; k < starts; ++k)
                if (bound - exact.least_cost(g) + exact.cost(g, k) > limit)
                    result.domain.remove(g, k);
        return result;
    }
}

} // namespace crx::baseline

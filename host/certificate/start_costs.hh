#pragma once

#include "host/certificate/certified_instance.hh"

namespace crx::certificate {

/// What each start of each request costs at the file's prices, in 2^-20 rounds.
struct StartCosts
{
    std::vector<std::vector<Price>> cost; ///< cost[i][k - a_i] for starts k = a_i .. last
    std::int64_t last = 0;                ///< from there on no start has a price but its own time
    Price constant = 0;                   ///< - sum of prices times right sides

    Price of(Request const& r, std::size_t i, std::int64_t k) const
    {
        return cost[i][static_cast<std::size_t>(k - r.arrival)];
    }
};

StartCosts start_costs(Certified const& certified);

/// The lower bound on OPT that the prices give: for any schedule, the sum of its starts' costs plus
/// the constant is at most TEL, because every priced row holds; and each request pays its cheapest
/// start at least. Rounded up to a whole number, and at least 0.
std::int64_t price_bound(StartCosts const& costs);

/// Throws std::invalid_argument if two starts of a clique can be used together.
void check_cliques(Certified const& certified);

} // namespace crx::certificate

#pragma once

#include "host/evidence/certificate/certified_instance.hh"

namespace crx::certificate {

/// Of a start in round k, in 2^-20 rounds: no start costs less by prices of rows.
inline Price own_latency(Request const& r, std::int64_t k)
{
    return Price{k + r.output - r.arrival} << fraction_bits;
}

/// What each start of each request costs at the file's prices, in 2^-20 rounds.
struct StartCosts
{
    std::vector<std::vector<Price>> cost; ///< cost[i][k - a_i] for starts k = a_i .. last
    std::int64_t last = 0;                ///< from there on no start has a price but its own time
    std::vector<Price> less;              ///< of each request, for starting once; or empty
    Price constant = 0;                   ///< what `less` has, - sum of prices times right sides

    /// Of a start in any round k >= a_i.
    Price of(Request const& r, std::size_t i, std::int64_t k) const
    {
        auto const of_rows =
            k <= last ? cost[i][static_cast<std::size_t>(k - r.arrival)] : own_latency(r, k);
        return less.empty() ? of_rows : of_rows - less[i];
    }
};

/// By the file's first prices.
StartCosts start_costs(Certified const& certified);

/// By the prices of paths.
StartCosts path_costs(Certified const& certified, PathPrices const& prices);

/// What a start of each request costs at most in a schedule with TEL < certified.upper, by the
/// first prices: the others cost their cheapest start at least.
std::vector<Price> spare_costs(Certified const& certified, StartCosts const& first);

/// The lower bound on OPT that the prices give: for any schedule, the sum of its starts' costs plus
/// the constant is at most TEL, because every priced row holds; and each request pays its cheapest
/// start at least. Rounded up to a whole number, and at least 0.
std::int64_t price_bound(StartCosts const& costs);

/// The largest of that, the sum of outputs and, up to 2,000 requests, the release bound.
std::int64_t plain_bound(Certified const& certified, StartCosts const& costs);

} // namespace crx::certificate

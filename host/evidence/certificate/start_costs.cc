#include "host/evidence/certificate/start_costs.hh"

#include <algorithm>

namespace crx::certificate {
namespace {

/// Units of a request that starts in round `start`, at time c / 2, in a family of peak rows.
std::int64_t units(Request const& r, std::int64_t start, std::int64_t c, PeakFamily const& family,
                   std::int64_t memory)
{
    if (r.prompt > family.largest_prompt) return 0;
    auto const k = family.k, end = start + r.output;
    std::int64_t twice_size = 0;
    if (c > 2 * start && c <= 2 * end)
        twice_size = 2 * (r.prompt + r.output) - (2 * end - c);
    else if (c > 2 * end && (k + 1) * (c - 2 * end + 2 * family.largest_prompt) <= 2 * memory)
        twice_size = 2 * (r.prompt + r.output) - k * (c - 2 * end);
    // The number of j >= 1 with size > j M / (k + 1).
    auto const scaled = (k + 1) * twice_size;
    return scaled > 2 * memory ? (scaled - 1) / (2 * memory) : 0;
}

} // namespace

StartCosts start_costs(Certified const& certified)
{
    StartCosts costs;
    auto const& prices = certified.memory_price;
    costs.last = static_cast<std::int64_t>(prices.size());
    for (auto const& family : certified.peaks)
        costs.last = std::max(costs.last, static_cast<std::int64_t>(family.price.size()) / 2 + 1);
    for (auto const& r : certified.requests) costs.last = std::max(costs.last, r.arrival);
    for (auto const& r : certified.requests) {
        auto& cost = costs.cost.emplace_back();
        for (auto k = r.arrival; k <= costs.last; ++k) {
            auto sum = own_latency(r, k);
            for (auto t = k + 1; t <= k + r.output && t < static_cast<std::int64_t>(prices.size());
                 ++t)
                sum += Price{prices[static_cast<std::size_t>(t)]} * held(r, k, t);
            for (auto const& family : certified.peaks) {
                auto const after = 2 * (k + r.output) + 2 * certified.memory / (family.k + 1);
                auto const end =
                    std::min(after + 1, static_cast<std::int64_t>(family.price.size()));
                for (auto c = 2 * k + 1; c < end; ++c)
                    sum += Price{family.price[static_cast<std::size_t>(c)]} *
                           units(r, k, c, family, certified.memory);
            }
            cost.push_back(sum);
        }
    }
    for (auto const price : prices) costs.constant -= Price{certified.memory} * price;
    for (auto const& family : certified.peaks)
        for (auto const price : family.price) costs.constant -= Price{family.k} * price;
    return costs;
}

StartCosts path_costs(Certified const& certified, PathPrices const& prices)
{
    auto rows = certified;
    rows.memory_price = prices.memory;
    rows.peaks = prices.peaks;
    auto costs = start_costs(rows);
    costs.less.assign(prices.requests.begin(), prices.requests.end());
    for (auto const price : costs.less) costs.constant += price;
    return costs;
}

std::vector<Price> spare_costs(Certified const& certified, StartCosts const& first)
{
    auto left = (Price{certified.upper - 1} << fraction_bits) - first.constant;
    for (auto const& cost : first.cost) left -= *std::ranges::min_element(cost);
    std::vector<Price> spare;
    for (auto const& cost : first.cost) spare.push_back(left + *std::ranges::min_element(cost));
    return spare;
}

std::int64_t price_bound(StartCosts const& costs)
{
    auto bound = costs.constant;
    for (auto const& cost : costs.cost) bound += *std::ranges::min_element(cost);
    if (bound <= 0) return 0;
    return static_cast<std::int64_t>((bound + (Price{1} << fraction_bits) - 1) >> fraction_bits);
}

} // namespace crx::certificate

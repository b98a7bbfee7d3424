#include "analysis/baseline/relaxation/lagrangian.hh"

#include <algorithm>

namespace crx::baseline {
namespace {

constexpr std::int64_t one = std::int64_t{1} << Prices::fraction_bits;

/// A sum that must fit in 64 bits; prices that large are nobody's optimum.
std::int64_t narrow(__int128 value)
{
    CRX_ENSURE(value <= INT64_MAX / 4 && value >= INT64_MIN / 4);
    return static_cast<std::int64_t>(value);
}

std::int64_t price_at(std::vector<std::int64_t> const& prices, std::size_t t)
{
    auto const price = t < prices.size() ? prices[t] : 0;
    CRX_EXPECT(price >= 0);
    return price;
}

/// The costs of the starts of any group, from sums of prices up to each time.
class StartCosts
{
  public:
    StartCosts(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
               Prices const& prices, Rounds starts)
        : groups_(groups), starts_(starts)
    {
        std::int64_t longest = 0;
        for (auto const& group : groups) {
            longest = std::max<std::int64_t>(longest, group.output);
            CRX_EXPECT(group.arrival < starts);
        }
        auto const times = static_cast<std::size_t>(starts + longest + 1);
        sum_.assign(times + 1, 0);
        moment_.assign(times + 1, 0);
        for (std::size_t t = 0; t < times; ++t) {
            auto const price = price_at(prices.memory, t);
            sum_[t + 1] = sum_[t] + price;
            moment_[t + 1] =
                moment_[t] + static_cast<__int128>(price) * static_cast<std::int64_t>(t);
        }
        for (auto const price : prices.memory)
            constant_ -= static_cast<__int128>(price) * instance.memory;
        for (auto const& peaks : prices.peaks) add_peaks(peaks, instance.memory);
    }

    __int128 constant() const { return constant_; }

    /// cost[k] of every start below `starts`; INT64_MAX / 4 before the arrival.
    void row(std::size_t g, std::vector<std::int64_t>& cost) const
    {
        // With L_t = sum of lambda up to t and K_t = sum of t lambda_t, the memory a request pays
        // for is (s - k) (L_{k+o} - L_k) + K_{k+o} - K_k.
        auto const& group = groups_[g];
        cost.assign(static_cast<std::size_t>(starts_), INT64_MAX / 4);
        for (auto k = group.arrival; k < starts_; ++k) {
            auto const from = static_cast<std::size_t>(k) + 1,
                       to = from + static_cast<std::size_t>(group.output);
            auto paid = static_cast<__int128>(k + group.output - group.arrival) * one +
                        (group.prompt - k) * (sum_[to] - sum_[from]) +
                        (moment_[to] - moment_[from]);
            for (auto const& family : peaks_)
                for (auto const& span : family.rows.spans(g)) {
                    auto const end = 2 * (k + group.output);
                    paid += family.sum[static_cast<std::size_t>(end + span.last)] -
                            family.sum[static_cast<std::size_t>(end + span.first)];
                }
            cost[static_cast<std::size_t>(k)] = narrow(paid);
        }
    }

    /// Least cost, starts past the table included.
    std::int64_t least(std::size_t g, std::vector<std::int64_t> const& cost) const
    {
        auto const& group = groups_[g];
        return std::min(narrow(static_cast<__int128>(starts_ + group.output - group.arrival) * one),
                        *std::min_element(cost.begin() + group.arrival, cost.end()));
    }

  private:
    struct Family
    {
        PeakRows rows;
        std::vector<__int128> sum;
    };

    void add_peaks(Prices::Peaks const& peaks, Tokens memory)
    {
        PeakRows rows(groups_, memory, peaks.k);
        auto const instants = rows.instants(starts_);
        std::vector<__int128> sum(instants + 1, 0);
        for (std::size_t c = 0; c < instants; ++c) sum[c + 1] = sum[c] + price_at(peaks.price, c);
        for (auto const price : peaks.price) constant_ -= static_cast<__int128>(price) * peaks.k;
        peaks_.push_back({std::move(rows), std::move(sum)});
    }

    std::vector<RequestGroup> const& groups_;
    Rounds starts_;
    std::vector<__int128> sum_, moment_;
    std::vector<Family> peaks_;
    __int128 constant_ = 0;
};

} // namespace

Lagrangian::Lagrangian(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       Prices const& prices, Rounds starts)
    : starts_(starts), memory_(prices.memory), cost_(groups.size()), least_(groups.size())
{
    StartCosts const costs(instance, groups, prices, starts);
    auto bound = costs.constant();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        costs.row(g, cost_[g]);
        least_[g] = costs.least(g, cost_[g]);
        bound += static_cast<__int128>(least_[g]) * groups[g].count();
    }
    constant_ = narrow(costs.constant());
    bound_ = narrow(bound);
}

Rounds Lagrangian::opt_lower_bound() const { return whole_bound(bound_); }

std::int64_t lagrangian_bound(OwnedInstance const& instance,
                              std::vector<RequestGroup> const& groups, Prices const& prices,
                              Rounds starts)
{
    StartCosts const costs(instance, groups, prices, starts);
    auto bound = costs.constant();
    std::vector<std::int64_t> row;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        costs.row(g, row);
        bound += static_cast<__int128>(costs.least(g, row)) * groups[g].count();
    }
    return narrow(bound);
}

Rounds whole_bound(std::int64_t bound)
{
    return bound <= 0 ? 0 : (bound + one - 1) >> Prices::fraction_bits;
}

} // namespace crx::baseline

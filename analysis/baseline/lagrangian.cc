#include "analysis/baseline/lagrangian.hh"

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

} // namespace

Lagrangian::Lagrangian(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       Prices const& prices, Rounds starts)
    : starts_(starts), memory_(prices.memory), cost_(groups.size()), least_(groups.size())
{
    // With L_t = sum of lambda up to t and K_t = sum of t lambda_t, the memory a request pays for
    // is (s - k) (L_{k+o} - L_k) + K_{k+o} - K_k.
    std::int64_t longest = 0;
    for (auto const& group : groups) {
        longest = std::max<std::int64_t>(longest, group.output);
        CRX_EXPECT(group.arrival < starts);
    }
    auto const times = static_cast<std::size_t>(starts + longest + 1);
    std::vector<__int128> sum(times + 1, 0), moment(times + 1, 0);
    __int128 constant = 0;
    for (std::size_t t = 0; t < times; ++t) {
        auto const price = memory_price(static_cast<Rounds>(t));
        CRX_EXPECT(price >= 0);
        sum[t + 1] = sum[t] + price;
        moment[t + 1] = moment[t] + static_cast<__int128>(price) * static_cast<std::int64_t>(t);
    }
    for (auto const price : prices.memory)
        constant -= static_cast<__int128>(price) * instance.memory;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const& group = groups[g];
        cost_[g].assign(static_cast<std::size_t>(starts), INT64_MAX / 4);
        for (auto k = group.arrival; k < starts; ++k) {
            auto const from = static_cast<std::size_t>(k) + 1, to = from + group.output;
            auto const paid =
                (group.prompt - k) * (sum[to] - sum[from]) + (moment[to] - moment[from]);
            cost_[g][static_cast<std::size_t>(k)] =
                narrow(static_cast<__int128>(k + group.output - group.arrival) * one + paid);
        }
    }
    for (auto const& clique : prices.cliques) {
        CRX_EXPECT(clique.price >= 0);
        constant -= clique.price;
        for (auto const& column : clique.members)
            cost_.at(column.group).at(column.start) += clique.price;
    }
    __int128 bound = constant;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const later = starts + groups[g].output - groups[g].arrival;
        least_[g] =
            std::min(narrow(static_cast<__int128>(later) * one),
                     *std::min_element(cost_[g].begin() + groups[g].arrival, cost_[g].end()));
        bound += static_cast<__int128>(least_[g]) * groups[g].count();
    }
    constant_ = narrow(constant);
    bound_ = narrow(bound);
}

Rounds Lagrangian::opt_lower_bound() const
{
    return bound_ <= 0 ? 0 : (bound_ + one - 1) >> Prices::fraction_bits;
}

} // namespace crx::baseline

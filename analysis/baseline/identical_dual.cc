#include "analysis/baseline/identical_dual.hh"

#include "analysis/statistics/wide_integer.hh"

#include <algorithm>

namespace crx::baseline {
namespace {

std::optional<Rounds> if_in_range(BigInteger const& bound)
{
    if (bound >= time_limit) return std::nullopt;
    return static_cast<Rounds>(bound);
}

} // namespace

bool are_identical(OwnedInstance const& instance)
{
    auto const equal = [](auto const& values) {
        return std::ranges::all_of(values, [&](auto v) { return v == values.front(); });
    };
    return instance.output.empty() || (equal(instance.output) && equal(instance.prompt) &&
                                       equal(instance.arrival) && instance.arrival.front() == 0);
}

std::optional<Rounds> identical_dual_bound(OwnedInstance const& instance)
{
    if (instance.output.empty()) return 0;
    if (!are_identical(instance)) return std::nullopt;
    BigInteger const n = instance.requests(), s = instance.prompt.front(),
                     o = instance.output.front(), M = instance.memory;
    BigInteger const beta = 2 * s + o + 1;
    // Over the common denominator 6 M beta o; terms = the number of positive lambda_t.
    BigInteger const denominator = 6 * M * beta * o;
    BigInteger const y = 3 * beta * beta * o * o * n - 2 * (o - 1) * (3 * s + 2 * o + 2) * M * o;
    if (y <= 0) return if_in_range(n * o);
    BigInteger const terms = (n * beta * o + 2 * M - 1) / (2 * M);
    BigInteger const prices = // M sum lambda_t = terms n - (M / (beta o)) terms (terms - 1)
        terms * n * denominator - 6 * M * M * terms * (terms - 1);
    BigInteger const objective = n * o * denominator + n * y - prices;
    return if_in_range((objective + denominator - 1) / denominator);
}

} // namespace crx::baseline

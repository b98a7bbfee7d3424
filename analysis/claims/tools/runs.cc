#include "analysis/claims/tools/runs.hh"

#include "analysis/baseline/hindsight.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace crx::claims {

OwnedInstance at_zero(Tokens memory, std::vector<Item> const& items)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (auto const& item : items) {
        instance.arrival.push_back(0);
        instance.prompt.push_back(item.prompt);
        instance.output.push_back(item.output);
        instance.lower.push_back(item.lower);
        instance.upper.push_back(item.upper);
    }
    return instance;
}

PolicySpec policy(std::string_view id, std::vector<std::int32_t> const& levels)
{
    auto const* info = find_policy(id);
    if (info == nullptr) throw std::logic_error("no policy " + std::string(id));
    PolicySpec spec;
    spec.kind = info->kind;
    for (auto const level : levels) spec.levels.level[spec.levels.count++] = level;
    return spec;
}

std::int64_t total_latency(std::string_view id, OwnedInstance const& instance, std::uint64_t seed,
                           std::int64_t number)
{
    return execute_single(policy(id), instance, seed, number).outcome.total_latency;
}

Quotient mean_over_orders(std::string_view id, OwnedInstance const& instance)
{
    std::vector<std::size_t> order(instance.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const spec = policy(id);
    Quotient mean{0, 0};
    do {
        auto one = instance;
        for (std::size_t i = 0; i < order.size(); ++i) {
            one.prompt[i] = instance.prompt[order[i]];
            one.output[i] = instance.output[order[i]];
            one.lower[i] = instance.lower[order[i]];
            one.upper[i] = instance.upper[order[i]];
        }
        mean.num += execute_single(spec, one, 1, 0).outcome.total_latency;
        ++mean.den;
    } while (std::ranges::next_permutation(order).found);
    auto const divisor = std::gcd(mean.num, mean.den);
    return {mean.num / divisor, mean.den / divisor};
}

OwnedInstance random_instance(std::mt19937_64& rng, RandomShape const& shape)
{
    auto const below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(n));
    };
    auto const memory = 2 + below(shape.most_memory - 1);
    auto const n = 1 + below(shape.most_requests);
    auto const common = below(memory);
    std::vector<Item> items;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = shape.common_prompt ? common : below(memory);
        auto const a = 1 + below(memory - s), b = 1 + below(memory - s), c = 1 + below(memory - s);
        auto const low = std::min({a, b, c}), high = std::max({a, b, c});
        auto const o = a + b + c - low - high;
        items.push_back({static_cast<std::int32_t>(s), static_cast<std::int32_t>(o),
                         static_cast<std::int32_t>(shape.known_lengths ? o : low),
                         static_cast<std::int32_t>(shape.known_lengths ? o : high)});
    }
    return at_zero(memory, items);
}

std::int64_t proven_optimum(OwnedInstance const& instance)
{
    auto const found = baseline::hindsight(instance, {.seconds = 60});
    if (!found.optimal()) throw std::runtime_error("a short form's optimum was not proven in time");
    return found.upper;
}

} // namespace crx::claims

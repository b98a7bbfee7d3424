#include "kernels/cpu/single.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/lists/warp_list.cuh"
#include "support/execute_policy.hh"
#include "support/list_policies.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

constexpr std::uint64_t seed = 7;

OwnedInstance random_instance(std::mt19937_64& rng, std::int32_t longest)
{
    OwnedInstance x;
    x.resize(2 + rng() % 60);
    auto const most_prompt = rng() % 2 == 0 ? 9 : longest;
    for (std::size_t i = 0; i < x.output.size(); ++i) {
        x.prompt[i] = static_cast<std::int32_t>(rng() % static_cast<unsigned>(most_prompt));
        x.output[i] = static_cast<std::int32_t>(1 + rng() % static_cast<unsigned>(longest));
        x.memory = std::max<Tokens>(x.memory, x.prompt[i] + x.output[i]);
    }
    x.memory += static_cast<Tokens>(rng() % static_cast<unsigned>(3 * longest));
    x.lower = x.upper = x.output;
    return x;
}

template <class P>
std::int64_t key_of(P const& policy, OwnedInstance const& x, std::size_t i)
{
    return policy.rank_key({x.arrival[i], x.prompt[i], x.output[i], x.lower[i], x.upper[i]});
}

/// Every outcome of the policy on the instance but the warp's; an engine each.
template <class P>
std::vector<Outcome> by_engines(P const& policy, OwnedInstance& x)
{
    auto const bytes = host_engine_bytes({}, x.requests());
    std::vector<std::max_align_t> block(bytes / sizeof(std::max_align_t) + 1);
    return {crx_test::execute_policy(policy, requests_of(x), seed, 0, block.data(), bytes),
            execute_on_host(policy, requests_of(x), seed, 0, block.data(), bytes)};
}

/// Nothing where the warp refuses.
template <class P>
std::optional<Outcome> by_warp(P const& policy, OwnedInstance& x)
{
    std::vector<std::max_align_t> block(1000);
    Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
    Outcome outcome;
    if (!execute_list_in_lanes(policy, requests_of(x), seed, 0, arena, nullptr, outcome))
        return std::nullopt;
    return outcome;
}

// Every engine of policies that work off an order serves requests in that of the whole keys, or
// says that it cannot. The order is sorted here once more and served by the prefix rule.
TEST(LargeKeys, NoEngineCutsThem)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int taken = 0, refused = 0;
    for (int k = 0; k < 400 && !testing::Test::HasFailure(); ++k) {
        auto x = random_instance(rng, k % 3 == 0 ? 50 : k % 3 == 1 ? 3000 : 100'000);
        crx_test::for_each_list_policy([&]<class P>(P const& policy) {
            SCOPED_TRACE(testing::Message() << P::id << ", instance " << k);
            auto const all = by_engines(policy, x);
            auto const warp = by_warp(policy, x);
            EXPECT_EQ(all[0], all[1]);
            if (warp) {
                EXPECT_EQ(*warp, all[0]);
            }
            if constexpr (P::sorted && !P::random_order) {
                std::vector<std::size_t> order(x.output.size());
                std::iota(order.begin(), order.end(), std::size_t{0});
                std::ranges::stable_sort(order, {},
                                         [&](std::size_t i) { return key_of(policy, x, i); });
                EXPECT_EQ(all[0].total_latency,
                          execute_in_order(requests_of(x), order).total_latency);
                auto const fit = key_of(policy, x, order.back()) >> 31 == 0;
                EXPECT_EQ(warp.has_value(), fit);
                ++(fit ? taken : refused);
            }
        });
    }
    EXPECT_GT(taken, 1000);
    EXPECT_GT(refused, 100);
}

} // namespace
} // namespace crx

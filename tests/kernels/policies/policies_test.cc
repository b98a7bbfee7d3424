#include "kernels/cpu/single.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"
#include "oracle/rules.hh"
#include "support/owned_instance.hh"
#include "support/policy_parameters.hh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <map>

namespace crx {
namespace {

PolicySpec spec_of(PolicyInfo const& info)
{
    return crx_test::with_parameters(info, 0, {4, {2, 5, 9, 30}});
}

RequestView random_view(std::mt19937_64& rng)
{
    auto const below = [&](std::uint64_t most) { return static_cast<std::int32_t>(rng() % most); };
    auto const most = rng() % 2 == 0 ? 20u : 1u << 30;
    auto const lower = 1 + below(most), output = lower + below(most / 2);
    return {below(most), below(most), output, lower, output + below(most / 2)};
}

// What a header says that its policy knows is what its functions read.
TEST(Policies, ReadOnlyWhatTheyMayKnow)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (auto const& info : policy_table())
        with_policy(spec_of(info), [&]<class P>(P const& policy) {
            SCOPED_TRACE(info.id);
            auto const same = [&](RequestView const& a, RequestView const& b) {
                EXPECT_EQ(policy.rank_key(a), policy.rank_key(b));
                EXPECT_EQ(policy.first_length(a), policy.first_length(b));
                if (P::cancelling != Cancelling::never) {
                    EXPECT_EQ(policy.next_length(a, 7, 5), policy.next_length(b, 7, 5));
                }
            };
            for (int k = 0; k < 200; ++k) {
                auto const view = random_view(rng);
                auto other = view;
                if (P::knows_lengths)
                    --other.lower, ++other.upper;
                else
                    other.output = other.lower;
                same(view, other);
                other = view;
                if (!P::plans_with_upper) ++other.upper;
                same(view, other);
            }
        });
}

// Engines that keep keys in fewer bits rely on it.
TEST(Policies, KeysLieInTheirRange)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (auto const& info : policy_table())
        with_policy(spec_of(info), [&]<class P>(P const& policy) {
            for (int k = 0; k < 1000 && P::sorted; ++k) {
                auto const a = random_view(rng), b = random_view(rng);
                RequestView const largest{std::max(a.arrival, b.arrival),
                                          std::max(a.prompt, b.prompt),
                                          std::max(a.output, b.output), std::max(a.lower, b.lower),
                                          std::max(a.upper, b.upper)};
                auto const range = key_range(policy, largest);
                for (auto const& view : {a, b}) {
                    EXPECT_GE(policy.rank_key(view), range.least) << info.id;
                    EXPECT_LE(policy.rank_key(view), range.largest) << info.id;
                }
            }
        });
}

oracle::Job job_of(RequestView const& r)
{
    oracle::Job job;
    job.request = {r.arrival, r.prompt, r.output, r.lower, r.upper};
    return job;
}

// Whichever of two requests the oracle's rule puts first has the lesser key, however large their
// numbers are: a key that is cut somewhere would keep its own order in every engine.
TEST(Policies, OrderRequestsAsTheOracleDoes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (auto const& info : policy_table())
        with_policy(spec_of(info), [&]<class P>(P const& policy) {
            SCOPED_TRACE(info.id);
            auto const rule = static_cast<oracle::Rule>(info.kind);
            bool const ranks = P::sorted && P::choice == Choice::ranked;
            for (int k = 0; k < 1000 && ranks; ++k) {
                auto const a = random_view(rng), b = random_view(rng);
                EXPECT_EQ(policy.rank_key(a) <=> policy.rank_key(b),
                          order_key(rule, job_of(a)).first <=> order_key(rule, job_of(b)).first);
            }
        });
}

// The numbers name random streams, and stores hold ids: neither may ever change.
// A new policy is added here, with the next number.
TEST(Policies, HaveTheirNumbersForEver)
{
    std::map<std::string, int> const numbers = {
        {"mc-sf", 0},    {"mc-sf-total", 1}, {"mc-benchmark", 2}, {"a-random", 3},
        {"a-max", 4},    {"a-min", 5},       {"a-min-evict", 6},  {"a-ell", 7},
        {"a-ladder", 8}, {"protect", 9},     {"clear", 10},
        {"fcfs", 11}};
    std::map<std::string, int> found;
    for (auto const& info : policy_table()) found[info.id] = static_cast<int>(info.kind);
    EXPECT_EQ(found, numbers);
    EXPECT_EQ(find_policy("no-such-policy"), nullptr);
}

// A policy that draws nothing says the same under every seed, and each of the others does not.
TEST(Policies, DrawWhereTheySaySo)
{
    for (auto const& info : policy_table()) {
        std::mt19937_64 rng(crx_test::test_seed());
        bool differs = false;
        for (int k = 0; k < 300; ++k) {
            auto const x = crx_test::owned(crx_test::random_instance(rng));
            differs = differs || execute_single(spec_of(info), x, 1, 0).start !=
                                     execute_single(spec_of(info), x, 2, 0).start;
        }
        EXPECT_EQ(differs, !info.draws_nothing) << info.id;
    }
}

// Where a header says that its policy serves as mc-sf does, it has mc-sf's total latency.
TEST(Policies, ServeAsShortestFirstWhereTheySaySo)
{
    for (auto const& info : policy_table()) {
        if (info.like_shortest_first == LikeShortestFirst::never) continue;
        std::mt19937_64 rng(crx_test::test_seed());
        for (int k = 0; k < 500; ++k) {
            auto given = crx_test::random_instance(rng);
            for (auto& r : given.requests) {
                r.arrival = 0;
                if (info.like_shortest_first != LikeShortestFirst::always)
                    r.prompt = given.requests.front().prompt;
                given.memory = std::max(given.memory, r.prompt + r.upper);
                if (info.like_shortest_first == LikeShortestFirst::with_one_prompt_and_lengths_told)
                    r.lower = r.upper = r.output;
            }
            auto const x = crx_test::owned(given);
            EXPECT_EQ(execute_single(spec_of(info), x, 1, k).outcome.total_latency,
                      execute_single(PolicySpec{}, x, 1, k).outcome.total_latency)
                << info.id << "\n"
                << crx_test::describe(given);
        }
    }
}

} // namespace
} // namespace crx

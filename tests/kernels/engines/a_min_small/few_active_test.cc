#include "kernels/backends/cpu/execute_host.hh"
#include "kernels/engines/a_min_small/variants.hh"
#include "kernels/policies/registry.cuh"
#include "oracle/oracle.hh"
#include "support/equal_runs.hh"
#include "support/few_forms.hh"
#include "support/learnt_requests.hh"
#include "support/logged_run.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::expect_equal;

struct Case
{
    PolicyKind kind;
    char const* id;
    Outlived outlived;
};
constexpr Case cases[] = {{PolicyKind::a_min, "a-min", Outlived::counted},
                          {PolicyKind::a_min_evict, "a-min-evict", Outlived::weightless}};

constexpr std::uint64_t seed = 7;

/// What execute_few_active says in a form, if it takes the instance.
std::optional<SingleRun> run_few(AMinSmallVariant const* form, Case const& c, OwnedInstance x,
                                 std::int64_t number)
{
    return crx_test::logged_run(
        x.output.size(), a_min_small_bytes(x.requests()), [&](auto const& log, Arena& arena) {
            return execute_few_active(c.outlived, requests_of(x), seed,
                                      stream_policy + static_cast<std::uint32_t>(c.kind),
                                      static_cast<std::uint64_t>(number), log, arena, form);
        });
}

class AMinOneInstance : public crx_test::InEachFewForm
{
};
CRX_IN_EACH_FEW_FORM(AMinOneInstance);

// 5,000 instances of up to 40 requests beside the oracle, which steps through all rounds, and the
// request engine.
TEST_P(AMinOneInstance, EveryRequestIsServedAsTheOracleSays)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t k = 0; k < 5000 && !HasFailure(); ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) r.arrival = 0;
        SCOPED_TRACE(testing::Message() << "instance " << k << "\n" << crx_test::describe(given));
        auto const x = crx_test::owned(given);
        for (auto const& c : cases) {
            auto const few = run_few(GetParam(), c, x, k);
            ASSERT_TRUE(few);
            expect_equal(*few, execute_single({c.kind, {}}, x, seed, k));
            auto const truth = oracle::simulate({c.id, {}}, given.requests, given.memory, seed,
                                                static_cast<std::uint64_t>(k));
            EXPECT_EQ(few->start, truth.start);
            EXPECT_EQ(few->completion, truth.completion);
            EXPECT_EQ(few->outcome.peak_memory, truth.peak_memory);
        }
    }
}

// Hundreds of requests, so that many classes wait and many raised lengths among them, and several
// vectors of them run; beside the request engine. Some have more than 64 at a time.
TEST_P(AMinOneInstance, LargerInstancesAreServedAsByTheRequestEngine)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int taken = 0;
    std::int64_t cancellations = 0;
    for (std::int64_t k = 0; k < 150 && !HasFailure(); ++k) {
        auto const prompt = static_cast<std::int32_t>(rng() % 200);
        auto const output = static_cast<std::int32_t>(1 + rng() % 400);
        auto const memory = prompt + output + static_cast<Tokens>(rng() % 6000);
        auto const x = crx_test::learnt_requests(rng, 1 + rng() % 500, prompt, output, memory);
        SCOPED_TRACE(testing::Message() << "instance " << k);
        for (auto const& c : cases) {
            auto const few = run_few(GetParam(), c, x, k);
            if (!few) continue;
            ++taken;
            cancellations += few->outcome.cancellations;
            expect_equal(*few, execute_single({c.kind, {}}, x, seed, k));
        }
    }
    EXPECT_GT(taken, 75);
    EXPECT_GT(cancellations, 3000);
}

// What a sweep does: the same outcome whether the instance is taken, and where it is given up
// half way.
TEST(ExecuteOnHost, IsOneOutcomeWhetherFewAreActiveOrMany)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (std::size_t const n : {64, 65, 300})
        for (Tokens const memory : {129, 130, 131, 400})
            for (auto const& c : cases) {
                auto x = crx_test::learnt_requests(rng, n, 0, 30, memory); // some 64 at a time
                x.output[0] = 1 + static_cast<std::int32_t>(n % 30);
                auto const expected = execute_single({c.kind, {}}, x, seed, 3).outcome;
                std::vector<std::byte> block(host_engine_bytes({c.kind, {}}, x.requests()));
                auto const outcome = with_policy({c.kind, {}}, [&](auto const& policy) {
                    return execute_on_host(policy, requests_of(x), seed, 3, block.data(),
                                           block.size());
                });
                EXPECT_EQ(outcome, expected) << c.id << ", n " << n << ", M " << memory;
            }
}

TEST_P(AMinOneInstance, TakesUpTo64AtATime)
{
    OwnedInstance x;
    x.memory = 1000;
    for (std::size_t const n : {1, 16, 17, 64, 65}) {
        x.resize(n);
        std::ranges::fill(x.output, 3);
        std::ranges::fill(x.lower, 2);
        std::ranges::fill(x.upper, 4);
        for (auto const& c : cases)
            EXPECT_EQ(run_few(GetParam(), c, x, 0).has_value(), n <= 64) << n;
    }
}

TEST_P(AMinOneInstance, TakesNothingPastItsLimits)
{
    std::mt19937_64 rng(1);
    auto const x = crx_test::learnt_requests(rng, 3, 5, 5, 20);
    EXPECT_TRUE(run_few(GetParam(), cases[0], x, 0));
    auto later = x, large = x, timed = x;
    later.arrival[1] = 1;
    EXPECT_FALSE(run_few(GetParam(), cases[0], later, 0));
    large.memory = a_min_small_memory;
    EXPECT_TRUE(run_few(GetParam(), cases[0], large, 0));
    ++large.memory;
    EXPECT_FALSE(run_few(GetParam(), cases[0], large, 0));
    timed.clock = {ClockKind::affine, 1000, 0, 0, 0};
    EXPECT_FALSE(run_few(GetParam(), cases[0], timed, 0));
    auto const most = crx_test::learnt_requests(rng, a_min_small_requests, 0, 3, 20);
    EXPECT_TRUE(run_few(GetParam(), cases[0], most, 0));
    auto const more = crx_test::learnt_requests(rng, a_min_small_requests + 1, 0, 3, 20);
    EXPECT_EQ(a_min_small_bytes(more.requests()), 0u);
    EXPECT_FALSE(run_few(GetParam(), cases[0], more, 0));
    large.memory = a_min_small_memory;
    large.prompt[1] = 1 << 20; // too long for a word that has the index too
    EXPECT_FALSE(run_few(GetParam(), cases[0], large, 0));
    large.prompt[1] = (1 << 20) - 1;
    for (auto const& c : cases) {
        auto const few = run_few(GetParam(), c, large, 0);
        ASSERT_TRUE(few);
        expect_equal(*few, execute_single({c.kind, {}}, large, seed, 0));
    }
    auto distant = x; // outputs too long for 32 bits
    distant.memory = a_min_small_memory;
    distant.output[2] = distant.lower[2] = distant.upper[2] = 1 << 23;
    EXPECT_FALSE(run_few(GetParam(), cases[0], distant, 0));
    distant.output[2] = distant.lower[2] = distant.upper[2] = (1 << 23) - 1;
    for (auto const& c : cases) {
        auto const few = run_few(GetParam(), c, distant, 0);
        ASSERT_TRUE(few);
        expect_equal(*few, execute_single({c.kind, {}}, distant, seed, 0));
    }
    distant.memory = distant.output[2]; // three one after the other: past round 2^24
    std::ranges::fill(distant.prompt, 0);
    std::ranges::fill(distant.output, (1 << 23) - 1);
    std::ranges::fill(distant.lower, (1 << 23) - 1);
    EXPECT_FALSE(run_few(GetParam(), cases[0], distant, 0));
}

} // namespace
} // namespace crx

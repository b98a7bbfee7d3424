#include "support/fiber_warp.hh"

#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/one_instance_engine.cuh"
#include "kernels/engines/lists/warp_list.cuh"
#include "kernels/model/volume_bound_warp.cuh"
#include "kernels/policies/registry.cuh"
#include "support/learnt_requests.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr std::uint64_t seed = 7;

/// What the threads of a warp say of an instance, each its own.
std::vector<std::optional<Outcome>> run_threads(PolicyKind kind, OwnedInstance& x,
                                                std::int64_t number, std::uint64_t order)
{
    // On a GPU an instance finds there what another has left.
    std::vector<std::byte> block(WaitingQueueByLength::arena_bytes(x.requests()) + 100,
                                 std::byte{0xff});
    std::vector<std::optional<Outcome>> said(Lanes::count);
    auto const requests = requests_of(x);
    crx_test::fiber_warp().run(order, [&] {
        Arena arena(block.data(), block.size());
        auto& own = said[threadIdx.x];
        with_policy({kind, {}}, [&]<class P>(P const& policy) {
            auto const instance = static_cast<std::uint64_t>(number);
            if constexpr (P::cancelling == Cancelling::on_overflow) {
                own = execute_a_min_small_by_warp(
                    P::outlived, requests, seed,
                    stream_policy + static_cast<std::uint32_t>(P::kind), instance, {}, arena);
            } else if constexpr (P::choice == Choice::ranked &&
                                 P::cancelling == Cancelling::never) {
                Outcome outcome;
                if (execute_list_in_lanes(policy, requests, seed, instance, arena, nullptr,
                                          outcome))
                    own = outcome;
            }
        });
    });
    return said;
}

/// Every thread says what the request engine says, or every one nothing; whether they said it.
bool expect_alike(PolicyKind kind, OwnedInstance& x, std::int64_t number)
{
    SCOPED_TRACE(testing::Message()
                 << "instance " << number << ", policy " << static_cast<int>(kind));
    auto const expected = execute_single({kind, {}}, x, seed, number).outcome;
    auto const said = run_threads(kind, x, number, 1000 + static_cast<unsigned>(number));
    for (auto const& own : said) {
        EXPECT_EQ(own.has_value(), said[0].has_value());
        if (own) {
            EXPECT_EQ(*own, expected);
        }
    }
    return said[0].has_value();
}

void expect_bound(OwnedInstance& x)
{
    std::vector<std::byte> block(WarpVolume::arena_bytes(x.requests()));
    std::vector<std::int64_t> said(Lanes::count);
    crx_test::fiber_warp().run(5, [&] {
        Arena arena(block.data(), block.size());
        said[threadIdx.x] = WarpVolume(arena, x.requests()).execute(requests_of(x));
    });
    for (auto const bound : said) EXPECT_EQ(bound, volume_bound(x));
}

// Threads run ahead of each other as far as they may, in a random order each time.
TEST(WarpThreads, DoNotDependOnWhoRunsFirst)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t k = 0; k < 200 && !testing::Test::HasFailure(); ++k) {
        auto given = crx_test::random_instance(rng);
        for (auto& r : given.requests) {
            r.arrival = 0;
            r.upper = r.output;
        }
        auto x = crx_test::owned(given);
        for (auto const kind : {ShortestFirst::kind, RandomOrder::kind, MaxLength::kind,
                                MinLength::kind, MinLengthEvict::kind})
            EXPECT_TRUE(expect_alike(kind, x, k));
        expect_bound(x);
    }
}

TEST(WarpThreads, DoNotDependOnItWhereSeveralVectorsAreInUse)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int taken = 0;
    for (std::int64_t k = 0; k < 10 && !testing::Test::HasFailure(); ++k) {
        auto const prompt = static_cast<std::int32_t>(rng() % 20);
        auto const output = static_cast<std::int32_t>(1 + rng() % 200);
        auto x = crx_test::learnt_requests(rng, 100 + rng() % 100, prompt, output,
                                           prompt + 2 * output + static_cast<Tokens>(rng() % 50));
        for (auto const kind :
             {ShortestFirst::kind, ShortestTotalFirst::kind, RandomOrder::kind, MinLength::kind})
            taken += expect_alike(kind, x, k);
        expect_bound(x);
    }
    EXPECT_GT(taken, 30);
}

// Many of one length: places in the class in front are far from its head, so that more is moved
// than at once.
TEST(WarpThreads, DoNotDependOnItWhereLongArraysAreMoved)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (std::int64_t k = 0; k < 2 && !testing::Test::HasFailure(); ++k) {
        auto x = crx_test::learnt_requests(rng, 600, 10, 1, 300);
        EXPECT_TRUE(expect_alike(MinLength::kind, x, k));
    }
}

} // namespace
} // namespace crx

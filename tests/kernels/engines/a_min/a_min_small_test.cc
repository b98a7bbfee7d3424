#include "kernels/cpu/single.hh"
#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/policies/min_length.cuh"
#include "kernels/random/word_stream.cuh"
#include "oracle/oracle.hh"
#include "support/learnt_requests.hh"
#include "support/owned_instance.hh"
#include "support/simd_levels.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <numeric>

namespace crx {
namespace {

constexpr std::uint64_t seed = 7;
constexpr PolicySpec a_min{MinLength::kind, {}};
constexpr auto stream = stream_policy + static_cast<std::uint32_t>(MinLength::kind);

/// What execute_a_min_small says of these instances, numbers `first` and on; of those it does not
/// take, finished is 0. Where `wide`, in lanes of 32 bits, as one behind them needs those.
std::vector<Outcome> run_group(SimdLevel level, std::vector<OwnedInstance>& given,
                               std::int64_t first, bool wide = false)
{
    auto last = OwnedInstance(given.back());
    last.memory = a_min_small_memory;
    last.resize(1);
    last.arrival[0] = last.prompt[0] = 0;
    last.output[0] = last.lower[0] = last.upper[0] = 1 << 20;
    std::vector<Requests> requests;
    std::int64_t most = 0;
    for (auto& x : given) {
        requests.push_back(requests_of(x));
        most = std::max(most, x.requests());
    }
    if (wide) requests.push_back(requests_of(last));
    std::vector<std::byte> block(a_min_small_batch_bytes(most, level));
    Arena arena(block.data(), block.size());
    std::optional<Outcome> outcomes[a_min_small_batch_size];
    execute_a_min_small({requests.data(),
                         static_cast<int>(requests.size()),
                         seed,
                         stream,
                         static_cast<std::uint64_t>(first),
                         {},
                         arena,
                         outcomes},
                        level);
    Outcome unknown;
    unknown.finished = 0;
    std::vector<Outcome> runs;
    for (std::size_t k = 0; k < given.size(); ++k) runs.push_back(outcomes[k].value_or(unknown));
    return runs;
}

template <class T>
std::int64_t sum_of(std::vector<T> const& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

class AMinSmallBatch : public crx_test::InEachLevel
{
};
CRX_IN_EACH_LEVEL(AMinSmallBatch);

// 5,000 instances of up to 40 requests, of their own size and memory each, in groups of 1 to 31
// in lanes of 16 and of 32 bits, beside the oracle, which steps through all rounds, and the request
// engine.
TEST_P(AMinSmallBatch, EveryRequestIsServedAsTheOracleSays)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t first = 0; first < 5000 && !HasFailure();) {
        auto const count = 1 + rng() % (a_min_small_batch_size - 1);
        std::vector<crx_test::Instance> given;
        std::vector<OwnedInstance> owned;
        for (std::size_t k = 0; k < count; ++k) {
            given.push_back(crx_test::random_instance(rng));
            for (auto& r : given.back().requests) r.arrival = 0;
            owned.push_back(crx_test::owned(given.back()));
        }
        auto const runs = run_group(GetParam(), owned, first, rng() % 2 == 0);
        for (std::size_t k = 0; k < count; ++k, ++first) {
            SCOPED_TRACE(testing::Message()
                         << "instance " << first << ", lane " << k << " of " << count << "\n"
                         << crx_test::describe(given[k]));
            EXPECT_EQ(runs[k], execute_single(a_min, owned[k], seed, first).outcome);
            auto const truth = oracle::simulate({"a-min", {}}, given[k].requests, given[k].memory,
                                                seed, static_cast<std::uint64_t>(first));
            EXPECT_EQ(runs[k].total_latency, sum_of(truth.completion));
            EXPECT_EQ(runs[k].first_token_latency,
                      sum_of(truth.start) + static_cast<std::int64_t>(truth.start.size()));
            EXPECT_EQ(runs[k].cancellations, truth.cancellations);
            EXPECT_EQ(runs[k].peak_memory, truth.peak_memory);
        }
    }
}

// Hundreds of requests: classes and shifts of more than one vector, many raised lengths, more than
// sixteen at a time. Groups of different sizes; some instances are given up, and their neighbours
// must not notice.
TEST_P(AMinSmallBatch, LargerInstancesAreServedAsByTheRequestEngine)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int taken = 0, given_up = 0;
    std::int64_t cancellations = 0;
    for (int group = 0; group < 14 && !HasFailure(); ++group) {
        auto const first = std::int64_t{100} * group;
        std::vector<OwnedInstance> owned;
        for (int k = 0; k < a_min_small_batch_size - 1; ++k) {
            auto const prompt = static_cast<std::int32_t>(rng() % 200);
            auto const output = static_cast<std::int32_t>(1 + rng() % 400);
            auto const memory = prompt + output + static_cast<Tokens>(rng() % 6000);
            owned.push_back(
                crx_test::learnt_requests(rng, 1 + rng() % 500, prompt, output, memory));
        }
        auto const runs = run_group(GetParam(), owned, first, group % 2 == 1);
        for (std::size_t k = 0; k < owned.size(); ++k) {
            SCOPED_TRACE(testing::Message() << "instance " << first << " + " << k);
            if (runs[k].finished == 0) {
                ++given_up;
                continue;
            }
            ++taken;
            cancellations += runs[k].cancellations;
            EXPECT_EQ(runs[k],
                      execute_single(a_min, owned[k], seed, first + static_cast<std::int64_t>(k))
                          .outcome);
        }
    }
    EXPECT_GT(taken, 160);
    EXPECT_GT(given_up, 3);
    EXPECT_GT(cancellations, 6000);
}

// Hundreds have one length, so that those moved are more than one vector and the one drawn lies far
// behind; the least prompt is taken and must be found again.
TEST_P(AMinSmallBatch, LargeClassesAreServedAsByTheRequestEngine)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    std::vector<OwnedInstance> owned(a_min_small_batch_size - 1);
    for (auto& x : owned) {
        auto const n = 300 + rng() % 700;
        x.memory = 2000;
        x.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            x.prompt[i] = static_cast<std::int32_t>(rng() % 300);
            x.output[i] = static_cast<std::int32_t>(2 + rng() % 60);
            x.lower[i] = static_cast<std::int32_t>(1 + rng() % 2);
            x.upper[i] = 61;
        }
    }
    for (bool const wide : {false, true}) {
        auto const runs = run_group(GetParam(), owned, 0, wide);
        for (std::size_t k = 0; k < owned.size() && !HasFailure(); ++k) {
            SCOPED_TRACE(testing::Message() << "instance " << k << (wide ? ", wide" : ""));
            ASSERT_EQ(runs[k].finished, 1);
            EXPECT_EQ(runs[k],
                      execute_single(a_min, owned[k], seed, static_cast<std::int64_t>(k)).outcome);
        }
    }
}

// The largest outputs and memory that lanes of 16 bits take, and such as they do not; rounds
// and events go past 2^16, and requests outlive what was said of them by thousands of rounds.
TEST_P(AMinSmallBatch, LimitsOfShortLanes)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    constexpr std::int32_t most_output = (1 << 13) - 1;
    constexpr Tokens most_memory = (1 << 15) - 1 - (1 << 13);
    std::int64_t makespan = 0, events = 0;
    for (int group = 0; group < 3; ++group) {
        std::vector<OwnedInstance> owned(a_min_small_batch_size);
        for (auto& x : owned) {
            bool const many_cancelled = &x == &owned.back();
            auto const n = many_cancelled ? 2000 : 100 + rng() % 100;
            x.memory = group == 1 ? most_memory + 1 + rng() % 8192 : most_memory;
            x.resize(n);
            if (many_cancelled) {
                std::ranges::fill(x.lower, 1);
                std::ranges::fill(x.prompt, 500);
                std::ranges::fill(x.output, most_output - 1000);
                std::ranges::fill(x.upper, most_output);
            }
            for (std::size_t i = 0; i < n && !many_cancelled; ++i) {
                auto const near = static_cast<std::int32_t>(rng() % (rng() % 2 == 0 ? 3 : 3000));
                bool const past = group == 2 && near < 2;
                x.output[i] =
                    most_output - near + (past ? 2 + static_cast<std::int32_t>(rng() % 8000) : 0);
                x.lower[i] = 1 + static_cast<std::int32_t>(rng() % x.output[i]);
                x.upper[i] = std::max(x.output[i], most_output);
                auto const room = static_cast<std::uint64_t>(x.memory - x.output[i]);
                x.prompt[i] = static_cast<std::int32_t>(room - rng() % (rng() % 4 == 0 ? 3 : room));
            }
        }
        auto const runs = run_group(GetParam(), owned, 0);
        for (std::size_t k = 0; k < owned.size() && !HasFailure(); ++k) {
            SCOPED_TRACE(testing::Message() << "group " << group << ", instance " << k);
            ASSERT_EQ(runs[k].finished, 1);
            EXPECT_EQ(runs[k],
                      execute_single(a_min, owned[k], seed, static_cast<std::int64_t>(k)).outcome);
            makespan = std::max(makespan, runs[k].makespan);
            events = std::max(events, runs[k].events);
        }
    }
    EXPECT_GT(makespan, 1 << 18);
    EXPECT_GT(events, 1 << 16);
}

// Several at a time, some cancelled, past rounds 2^30 and 2^31 of lanes of 32 bits.
TEST_P(AMinSmallBatch, LateRoundsOfWideLanes)
{
    std::mt19937_64 rng(crx_test::test_seed() + 4);
    std::vector<OwnedInstance> owned(5);
    for (auto& x : owned) {
        x.memory = 3 << 23;
        x.resize(1500);
        std::ranges::fill(x.prompt, 0);
        std::ranges::fill(x.upper, 1 << 23);
        for (std::size_t i = 0; i < x.output.size(); ++i) {
            x.output[i] = (1 << 22) + static_cast<std::int32_t>(rng() % (1 << 22));
            x.lower[i] = x.output[i] - static_cast<std::int32_t>(rng() % (1 << 21));
        }
    }
    auto const runs = run_group(GetParam(), owned, 0);
    std::int64_t cancellations = 0;
    for (std::size_t k = 0; k < owned.size() && !HasFailure(); ++k) {
        SCOPED_TRACE(testing::Message() << "instance " << k);
        ASSERT_EQ(runs[k].finished, 1);
        EXPECT_GT(runs[k].makespan, std::int64_t{1} << 31);
        cancellations += runs[k].cancellations;
        EXPECT_EQ(runs[k],
                  execute_single(a_min, owned[k], seed, static_cast<std::int64_t>(k)).outcome);
    }
    EXPECT_GT(cancellations, 1000);
}

TEST_P(AMinSmallBatch, TakesWhatOneAloneTakes)
{
    std::mt19937_64 rng(1);
    auto const x = crx_test::learnt_requests(rng, 3, 5, 5, 20);
    std::vector<OwnedInstance> owned(a_min_small_batch_size, x);
    owned[1].arrival[1] = 1;
    owned[2].memory = a_min_small_memory;
    owned[3].memory = a_min_small_memory + 1;
    owned[4].clock = {ClockKind::affine, 1000, 0, 0, 0};
    owned[5].memory = owned[6].memory = owned[7].memory = owned[8].memory = owned[9].memory =
        a_min_small_memory;
    owned[5].prompt[1] = 1 << 20;
    owned[6].prompt[1] = (1 << 20) - 1;
    owned[7].output[2] = owned[7].lower[2] = owned[7].upper[2] = 1 << 23;
    owned[8].output[2] = owned[8].lower[2] = owned[8].upper[2] = (1 << 23) - 1;
    // One after the other: past round 2^32. One alone has no room for that.
    owned[9].resize(600);
    std::ranges::fill(owned[9].arrival, 0);
    std::ranges::fill(owned[9].prompt, 0);
    std::ranges::fill(owned[9].output, (1 << 23) - 1);
    owned[9].lower = owned[9].upper = owned[9].output;
    owned[9].memory = owned[9].output[0];
    owned[10] = crx_test::learnt_requests(rng, a_min_small_requests, 0, 3, 20);
    std::size_t const at_a_time[] = {1, 16, 17, 64, 65};
    for (std::size_t k = 11; k < 16; ++k) {
        auto& many = owned[k];
        auto const n = at_a_time[k - 11];
        many.memory = 1000;
        many.resize(n);
        std::ranges::fill(many.prompt, 0);
        std::ranges::fill(many.output, 3);
        std::ranges::fill(many.lower, 2);
        std::ranges::fill(many.upper, 4);
    }
    auto const runs = run_group(GetParam(), owned, 0);
    for (std::size_t k = 0; k < owned.size(); ++k) {
        bool const outside =
            k == 1 || k == 3 || k == 4 || k == 5 || k == 7 || owned[k].output.size() == 65;
        EXPECT_EQ(runs[k].finished == 0, outside) << k;
        if (runs[k].finished != 0)
            EXPECT_EQ(runs[k],
                      execute_single(a_min, owned[k], seed, static_cast<std::int64_t>(k)).outcome);
    }
    EXPECT_EQ(a_min_small_batch_bytes(a_min_small_requests + 1), 0u);
}

TEST_P(AMinSmallBatch, StopsWhenAsked)
{
    std::mt19937_64 rng(1);
    auto x = crx_test::learnt_requests(rng, 4000, 0, 30, 100);
    std::ranges::fill(x.prompt, 5); // few at a time
    std::vector<Requests> requests(a_min_small_batch_size, requests_of(x));
    std::vector<std::byte> block(a_min_small_batch_bytes(4000));
    Arena arena(block.data(), block.size());
    std::optional<Outcome> outcomes[a_min_small_batch_size];
    int asked = 0;
    ScheduleLog ask;
    ask.abort_asked = [](void* count) { return ++*static_cast<int*>(count) == 3; };
    ask.abort_context = &asked;
    execute_a_min_small(
        {requests.data(), a_min_small_batch_size, seed, stream, 0, ask, arena, outcomes},
        GetParam());
    EXPECT_EQ(asked, 3);
}

} // namespace
} // namespace crx

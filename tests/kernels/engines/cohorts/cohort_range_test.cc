#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"
#include "support/latency_near_limit.hh"
#include "support/random_composition.hh"
#include "support/run_cohort.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::by_cohorts;
using crx_test::by_requests;
using crx_test::ExactLatency;
using crx_test::latency_limit;
using crx_test::OneByOne;

void expect_out_of_range(Outcome const& outcome)
{
    EXPECT_EQ(outcome.finished, 0);
    EXPECT_EQ(outcome.reason, Unfinished::out_of_range);
}

/// What a sweep counts of mc-sf with this engine.
OutcomeSums swept(Workload const& w, RandomLaw engine)
{
    Cell cell;
    cell.workload = w;
    cell.policies = {{ShortestFirst::kind, {}}};
    cell.laws = {engine};
    return launch_host(cell, {0, 1}).front().sums;
}

// The formula, on 300 instances that the request engine runs.
TEST(LatencyNearLimit, OneByOneIsAsLongAsItSays)
{
    std::mt19937_64 rng(1);
    for (int k = 0; k < 300; ++k) {
        auto const o = 2 + static_cast<std::int32_t>(rng() % 60);
        auto const v = o / 2 + 1 + static_cast<std::int32_t>(rng() % ((o + 1) / 2));
        if (v >= o) continue;
        OneByOne const runs{v, o, 1 + static_cast<std::int64_t>(rng() % 9)};
        auto const outcome = by_requests({ShortestFirst::kind, {}}, runs.workload(), 0);
        ASSERT_EQ(static_cast<std::int64_t>(runs.latency()), outcome.total_latency)
            << v << " " << o << " " << runs.n;
    }
}

// TEL is 2^62 - 1, 2^62 and 2^62 + 1: the last that is in range and the first that are not, in
// every way that mc-sf is run.
TEST(LatencyNearLimit, EveryWayOfShortestFirstEndsAtTheSameTotal)
{
    PolicySpec const mc_sf{ShortestFirst::kind, {}};
    for (int past = -1; past <= 1; ++past) {
        auto const target = latency_limit + static_cast<Unsigned128>(past);
        auto const runs = crx_test::one_by_one(target);
        ASSERT_TRUE(runs.latency() == target);
        auto const w = runs.workload();
        SCOPED_TRACE(crx_test::describe(w));
        auto const cohorts = by_cohorts(mc_sf, w, 0), requests = by_requests(mc_sf, w, 0);
        for (auto const& outcome : {cohorts, requests}) {
            if (past >= 0) {
                expect_out_of_range(outcome);
                continue;
            }
            EXPECT_EQ(outcome.finished, 1);
            EXPECT_EQ(outcome.total_latency, static_cast<std::int64_t>(target));
        }
        if (past < 0) {
            EXPECT_EQ(cohorts.first_token_latency, requests.first_token_latency);
        }
        for (auto const engine : {RandomLaw::cohort, RandomLaw::request}) {
            auto const sums = swept(w, engine);
            EXPECT_EQ(sums.count, past < 0 ? 1 : 0);
            EXPECT_TRUE(sums.latency == (past < 0 ? target : 0));
            EXPECT_EQ(sums.unfinished_by[static_cast<int>(Unfinished::out_of_range)],
                      past < 0 ? 0 : 1);
        }
    }
}

/// n requests of length o, alike to all policies; told [o / 3, o].
Workload one_class(std::int64_t n)
{
    constexpr std::int32_t o = 2'000'000'011;
    Workload w;
    w.output_kind = OutputKind::composition;
    w.requests = n;
    w.memory = o;
    w.output_value = {o};
    w.output_count = {n};
    w.interval = {IntervalKind::common, o / 3, o, 100, 0, 1};
    return w;
}

// One class, so nothing is random and both engines run the same: up to the same n they finish.
TEST(LatencyNearLimit, HiddenLengthsEndWhereTheRequestEngineDoes)
{
    for (auto const kind : {RandomOrder::kind, MaxLength::kind, PromoteLower::kind, Ladder::kind}) {
        PolicySpec spec{kind, {}};
        if (kind == Ladder::kind) spec.levels = {3, {700'000'000, 900'000'000, 1'900'000'000}};
        std::int64_t low = 30'000, high = 70'000; // finishes, does not
        expect_out_of_range(by_cohorts(spec, one_class(high), 0));
        while (high - low > 1) {
            auto const n = (low + high) / 2;
            (by_cohorts(spec, one_class(n), 0).finished != 0 ? low : high) = n;
        }
        SCOPED_TRACE(low);
        auto cohorts = by_cohorts(spec, one_class(low), 0);
        auto const requests = by_requests(spec, one_class(low), 0);
        EXPECT_GT(cohorts.total_latency, time_limit / 10 * 9);
        cohorts.events = requests.events;
        EXPECT_EQ(cohorts, requests);
        expect_out_of_range(by_requests(spec, one_class(high), 0));
        for (auto const more : {5'000, 40'000, 100'000, 200'000}) // wrapped more than once
            expect_out_of_range(by_cohorts(spec, one_class(high + more), 0));
    }
}

/// n requests of length u, of which the policy knows that it is no less than l; `together` of them
/// fit in memory, and run in batches.
Workload batches(std::int64_t n, std::int32_t s, std::int32_t l, std::int32_t u,
                 std::int64_t together)
{
    Workload w;
    w.seed = 5;
    w.output_kind = OutputKind::composition;
    w.requests = n;
    w.memory = together * (s + u);
    w.prompt_constant = s;
    w.output_value = {u};
    w.output_count = {n};
    w.interval = {IntervalKind::common, l, u, 100, 0, 1};
    return w;
}

Outcome learned(PolicyKind kind, Workload const& w, ScheduleLog const& log)
{
    auto const view = view_of(w);
    PolicySpec const spec{kind, {}};
    auto const bytes = cohort_bytes(spec, view);
    auto const block =
        std::make_unique_for_overwrite<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1);
    return execute_cohort(spec, view, w.output_count.data(), 0, block.get(), bytes, log);
}

bool volume_is_out_of_range(Workload const& w)
{
    std::vector<std::max_align_t> block(
        volume_by_class_bytes(view_of(w)) / sizeof(std::max_align_t) + 1);
    return volume_by_class(view_of(w), w.output_count.data(), block.data(),
                           block.size() * sizeof(std::max_align_t)) == 0;
}

/// It ends as it must: in range with the sum that is added up beside it, else past it.
Outcome expect_exact(PolicyKind kind, Workload const& w)
{
    SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << ", " << crx_test::describe(w));
    ExactLatency exact;
    auto const outcome = learned(kind, w, exact.log());
    if (outcome.finished != 0) {
        EXPECT_TRUE(exact.total() == static_cast<Unsigned128>(outcome.total_latency));
        EXPECT_LT(outcome.total_latency, time_limit);
        EXPECT_FALSE(volume_is_out_of_range(w));
        EXPECT_LE(outcome.wasted_tokens, outcome.total_latency);
    } else {
        expect_out_of_range(outcome);
    }
    return outcome;
}

// Nearly 2^32 requests. What is past the range by the volume bound is so under every policy. Under
// a-min one of each batch is cancelled.
TEST(LatencyNearLimit, LearnedLengthsGiveUpInTime)
{
    auto const near = batches(4'294'967'290, 1 << 20, 512, 1024, 2600);
    auto const outcome = expect_exact(MinLength::kind, near);
    EXPECT_EQ(outcome.finished, 1);
    EXPECT_GT(outcome.total_latency, time_limit / 2);
    EXPECT_GT(outcome.cancellations, 0);
    for (auto const kind : {MinLength::kind, MinLengthEvict::kind}) {
        auto const far = batches(4'294'967'290, 1 << 20, 1024, 1024, 1200);
        EXPECT_TRUE(volume_is_out_of_range(far));
        expect_out_of_range(learned(kind, far, {}));
        auto const few = batches(1 << 21, 1 << 20, 1024, 1024, 1); // but 2^31 rounds
        EXPECT_EQ(expect_exact(kind, few).finished, 1);
    }
}

} // namespace
} // namespace crx

#include "kernels/engines/cohorts/learned_wide.hh"

#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "support/random_composition.hh"
#include "support/run_cohort.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

struct Run
{
    Outcome outcome;
    std::vector<TimelinePoint> timeline;
};

void record(void* timeline, Rounds time, Tokens held, std::int64_t active, std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

/// What a form says (none: LearnedLengthsEngine), and at which events.
Run run(PolicyKind kind, Workload const& w, std::int64_t instance, LearnedWide const* form)
{
    auto const view = view_of(w);
    PolicySpec const spec{kind, {}};
    auto const bytes = form != nullptr ? form->bytes(view) : cohort_bytes(spec, view);
    std::vector<std::max_align_t> block(bytes / sizeof(std::max_align_t) + 1);
    Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
    Run run;
    ScheduleLog const log{nullptr, nullptr, nullptr, record, &run.timeline};
    auto const number = static_cast<std::uint64_t>(instance);
    auto const* const counts = w.output_count.data();
    run.outcome = form != nullptr ? form->execute(kind, view, counts, number, arena, log)
                                  : execute_by_cohorts(spec, view, counts, number, arena, log);
    return run;
}

/// The same integers at the same events by every form that this processor has.
void expect_equal(PolicyKind kind, Workload const& w, std::int64_t instance)
{
    SCOPED_TRACE(testing::Message()
                 << (kind == PolicyKind::a_min ? "a-min" : "a-min-evict") << ", seed " << w.seed
                 << ", instance " << instance << ", " << crx_test::describe(w));
    ASSERT_TRUE(has_learned_wide(view_of(w)));
    auto const plain = run(kind, w, instance, nullptr);
    for (auto const& form : learned_wide_forms()) {
        SCOPED_TRACE(form.processor);
        auto const wide = run(kind, w, instance, &form);
        EXPECT_EQ(plain.outcome.total_latency, wide.outcome.total_latency);
        EXPECT_EQ(plain.outcome.events, wide.outcome.events);
        EXPECT_EQ(plain.outcome, wide.outcome);
        EXPECT_TRUE(plain.timeline == wide.timeline);
    }
}

constexpr PolicyKind kinds[] = {PolicyKind::a_min, PolicyKind::a_min_evict};

bool has_processor() { return !learned_wide_forms().empty(); }

// 12,000 compositions of up to 200 requests under either policy, with outputs down to one token.
TEST(LearnedWide, EqualsThePlainEngine)
{
    if (!has_processor()) GTEST_SKIP() << "a processor without AVX2";
    std::mt19937_64 rng(crx_test::test_seed() + 900);
    for (int k = 0; k < 12000 && !HasFailure(); ++k) {
        auto const w = crx_test::random_composition(rng, 1 + k % 12);
        for (auto const kind : kinds) expect_equal(kind, w, k);
    }
}

// Draws among one, two, four vectors of cohorts and more, rooms of several vectors, and memory up
// to the most that is taken, where every number is still exact.
TEST(LearnedWide, EqualsThePlainEngineInCrowds)
{
    if (!has_processor()) GTEST_SKIP() << "a processor without AVX2";
    std::mt19937_64 rng(crx_test::test_seed() + 901);
    for (int k = 0; k < 100 && !HasFailure(); ++k) {
        auto const w = k % 4 == 0   ? crx_test::crowded_composition(rng, 500, 40000)
                       : k % 4 == 1 ? crx_test::crowded_composition(rng, 100, (1 << 24) - 1)
                                    : crx_test::crowded_composition(rng, 150, 8000);
        expect_equal(kinds[k / 4 % 2], w, k);
    }
}

TEST(LearnedWide, SaysWhereItDoesNotApply)
{
    if (!has_processor()) GTEST_SKIP() << "a processor without AVX2";
    Workload w;
    w.memory = (1 << 24) - 1;
    w.interval.upper = 512;
    EXPECT_TRUE(has_learned_wide(view_of(w)));
    ++w.memory;
    EXPECT_FALSE(has_learned_wide(view_of(w)));
    --w.memory;
    ++w.interval.upper;
    EXPECT_FALSE(has_learned_wide(view_of(w)));
}

} // namespace
} // namespace crx

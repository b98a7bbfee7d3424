#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/policies/min_length.cuh"
#include "support/run_cohort.hh"
#include "support/test_seed.hh"
#include "support/two_sample.hh"
#include "support/with_replacement.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr int periods = 8;
constexpr std::int64_t runs = 4000;

/// completed[k][c]: instances with c completions in period k, of `length` rounds; the last is open.
using Completed = std::array<crx_test::Totals, periods>;

void add_run(std::vector<TimelinePoint> const& timeline, std::int64_t n, Rounds length,
             Completed& completed)
{
    std::array<std::int64_t, periods> count{};
    std::int64_t before = 0;
    for (auto const& point : timeline) {
        auto const done = n - point.active - point.waiting;
        auto const period = std::min<Rounds>(point.time / length, periods - 1);
        count[static_cast<std::size_t>(period)] += done - before;
        before = done;
    }
    for (int k = 0; k < periods; ++k)
        ++completed[static_cast<std::size_t>(k)][count[static_cast<std::size_t>(k)]];
}

void record(void* timeline, Rounds time, Tokens held, std::int64_t active, std::int64_t waiting)
{
    static_cast<std::vector<TimelinePoint>*>(timeline)->push_back({time, held, active, waiting});
}

Workload two_point()
{
    Workload w;
    w.seed = crx_test::test_seed();
    w.output_kind = OutputKind::composition;
    w.requests = 120;
    w.memory = 150;
    w.prompt_constant = 1;
    w.output_value = {4, 9, 20};
    w.output_count = {60, 20, 40};
    w.interval = {IntervalKind::common, 4, 20, 100, 0, 1};
    return w;
}

Completed by_requests(PolicyKind kind, Workload const& w, Rounds length)
{
    Completed completed;
    for (std::int64_t k = 0; k < runs; ++k)
        add_run(execute_single({kind, {}}, generate_single(w, k), w.seed, k).timeline, w.requests,
                length, completed);
    return completed;
}

template <class Execute>
Completed by_engine(Workload const& w, Rounds length, Execute execute)
{
    std::vector<std::max_align_t> block(1 << 16);
    Completed completed;
    for (std::int64_t k = runs; k < 2 * runs; ++k) {
        Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
        std::vector<TimelinePoint> timeline;
        execute(static_cast<std::uint64_t>(k), arena,
                ScheduleLog{nullptr, nullptr, nullptr, record, &timeline});
        add_run(timeline, w.requests, length, completed);
    }
    return completed;
}

double largest_distance(Completed const& one, Completed const& other)
{
    double largest = 0;
    for (std::size_t k = 0; k < periods; ++k)
        largest = std::max({largest, crx_test::distance(one[k], other[k]),
                            crx_test::mean_distance(one[k], other[k])});
    return largest;
}

// H0: in each of eight periods the number of completions has one law in both engines. False alarm
// 2e-9 a period and policy, 3.2e-8 in all.
TEST(CohortEngineInLaw, CompletionsByPeriod)
{
    auto const w = two_point();
    for (auto const kind : {MinLength::kind, MinLengthEvict::kind}) {
        Rounds const length = 12;
        auto const cohorts =
            by_engine(w, length, [&](auto k, Arena& arena, ScheduleLog const& log) {
                execute_by_cohorts({kind, {}}, view_of(w), w.output_count.data(), k, arena, log);
            });
        EXPECT_LT(largest_distance(by_requests(kind, w, length), cohorts), 1);
    }
}

TEST(CohortEngineInLaw, FaultsAreCaughtByPeriod)
{
    auto w = two_point();
    w.memory = 300; // large groups at the start
    auto const requests = by_requests(MinLength::kind, w, 4);
    auto const wrong = by_engine(w, 4, [&](auto k, Arena& arena, ScheduleLog const& log) {
        auto const composition = take_composition(arena, view_of(w), w.output_count.data());
        LearnedLengthsEngine<Outlived::counted, crx_test::WithReplacement> engine(
            composition, 3, most_learning_cohorts(view_of(w)), Learns::reached,
            WordStream(w.seed, 21, k), arena);
        engine.execute(log);
    });
    EXPECT_GT(largest_distance(requests, wrong), 1);
    // And the other reading is another law.
    auto const other = by_engine(w, 4, [&](auto k, Arena& arena, ScheduleLog const& log) {
        execute_by_cohorts({MinLengthEvict::kind, {}}, view_of(w), w.output_count.data(), k, arena,
                           log);
    });
    EXPECT_GT(largest_distance(requests, other), 1);
}

} // namespace
} // namespace crx

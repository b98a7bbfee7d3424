#include "host/simulate/attempts.hh"

#include "support/random_case.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

/// What every cancelled run of a request must agree with: the engine's counts and its timeline.
namespace crx {
namespace {

// At every event the requests that run, by their attempts, hold what the engine says.
TEST(Attempts, HoldTheMemoryOfTheTimeline)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int with_cancellations = 0;
    for (int number = 0; number < 60; ++number) {
        crx_test::RandomCase c;
        crx_test::make_random_case(rng, c);
        auto instance = c.instance(number);
        instance.clock = {};
        for (auto const& spec : crx_test::every_policy(c.longest)) {
            auto const& info = policy_info(spec.kind);
            bool fits = instance.requests() <= most_requests_with_attempts;
            for (std::size_t i = 0; i < instance.output.size(); ++i)
                fits &= instance.prompt[i] +
                            (info.plans_with_upper ? instance.upper : instance.output)[i] <=
                        instance.memory;
            if (!fits) continue;
            SCOPED_TRACE(std::string(info.id) + ", case " + std::to_string(number));
            auto const run = execute_single(spec, instance, 7, number);
            auto const cancelled = cancelled_runs(spec, instance, 7, number);
            if (run.outcome.finished == 0) continue;
            std::vector<std::int32_t> count(instance.output.size());
            Tokens wasted = 0;
            for (auto const& one : cancelled) {
                ++count[one.request];
                wasted += one.end - one.start;
            }
            // Never one too many; a list that lacks some is told from one that is whole by its
            // length.
            auto const listed = static_cast<std::int64_t>(cancelled.size());
            ASSERT_LE(listed, run.outcome.cancellations);
            if (listed != run.outcome.cancellations) continue;
            EXPECT_EQ(count, run.cancellations);
            EXPECT_EQ(wasted, run.outcome.wasted_tokens);
            with_cancellations += cancelled.empty() ? 0 : 1;
            for (auto const& point : run.timeline) {
                Tokens held = 0;
                auto const add = [&](std::size_t i, Instant from, Instant to) {
                    if (from < point.time && point.time <= to)
                        held += instance.prompt[i] + point.time - from;
                };
                for (auto const& one : cancelled) add(one.request, one.start, one.end);
                for (std::size_t i = 0; i < count.size(); ++i)
                    add(i, run.start[i], run.completion[i]);
                ASSERT_EQ(held, point.held) << "at " << point.time;
            }
        }
    }
    EXPECT_GT(with_cancellations, 20);
}

} // namespace
} // namespace crx

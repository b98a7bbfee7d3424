#include "kernels/cpu/path_replay.hh"
#include "tests/host/experiment/small_paths.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

// A prompt in the system is in the batch or waits, and there are never more than have arrived.
TEST(PathReplay, CountsEveryPromptInTheSystemOnce)
{
    auto const setting = setting_of(small_paths("id = 'wait'\nthresholds = 'least'"));
    for (std::int64_t path = 0; path < 5; ++path) {
        auto const replay = replay_path(setting.cell(setting.policies.front()), path);
        auto const& last = replay.tallies.back();
        ASSERT_GT(replay.timeline.size(), 20u);
        ASSERT_GT(last.completed, 20);
        for (auto const& point : replay.timeline) {
            EXPECT_GE(point.waiting, 0);
            EXPECT_LE(point.waiting + point.active, last.arrivals);
        }
        // What is served once is in a batch once a token: two types, of one and two tokens.
        std::int64_t served = 0;
        for (auto const& point : replay.timeline) served += point.active;
        EXPECT_EQ(served, last.batch_prompts);
        // At the end there are those of the last batch, those that waited, and new ones; less what
        // the last batch completed.
        auto const& end = replay.timeline.back();
        EXPECT_LE(end.waiting, last.in_system());
    }
}

} // namespace
} // namespace crx

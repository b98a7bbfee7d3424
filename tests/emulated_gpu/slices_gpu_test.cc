// Long instances in slices on an emulated GPU: the host's integers, and an end between slices.
#include "emulated_gpu/fresh_gpu.hh"
#include "emulated_gpu/launch.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/engines/cohorts/cohort.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr InstanceRange range{3, 40};

class EmulatedSlices : public crx_test::FreshGpu
{
  protected:
    /// Under all policies, by the portable engines, in slices of so many events.
    static std::vector<Cell> cells(std::int64_t events)
    {
        std::vector<Cell> all;
        for (auto const& test : selftest_cases()) {
            if (!test.name.starts_with("no prompts") && !test.name.starts_with("Poisson") &&
                !test.name.starts_with("affine clock, a rate"))
                continue;
            Cell cell{test.workload, selftest_policies(test), {true, true}};
            cell.baseline[static_cast<int>(BaselineKind::release)] = !cell.workload.clock.affine();
            cell.gpu_choice = {"portable", false, true, events};
            all.push_back(cell);
            if (test.workload.output_kind != OutputKind::composition) continue;
            std::erase_if(cell.policies, [&](PolicySpec const& spec) {
                return !cohort_refusal(spec, view_of(cell.workload)).empty();
            });
            cell.laws.assign(cell.policies.size(), RandomLaw::cohort);
            all.push_back(cell);
        }
        EXPECT_GE(all.size(), 4u);
        return all;
    }
};

TEST_F(EmulatedSlices, GiveTheHostsIntegers)
{
    for (auto const& whole : cells(0)) {
        auto const expected = launch_host(whole, range);
        auto const before = emulated::launches();
        EXPECT_EQ(launch_device(whole, range), expected);
        auto const undivided = emulated::launches() - before;
        for (std::int64_t const events : {1, 2, 9}) {
            auto cell = whole;
            cell.gpu_choice.slice_events = events;
            auto const first = emulated::launches();
            EXPECT_EQ(launch_device(cell, range), expected) << events;
            EXPECT_GT(emulated::launches() - first, undivided + 10);
        }
    }
}

// A slice that is lost is seen: the GPU leaves out a kernel between the first and the last.
TEST_F(EmulatedSlices, ALostSliceIsSeen)
{
    for (auto cell : cells(1)) {
        cell.policies.resize(1);
        cell.laws.resize(cell.laws.empty() ? 0 : 1);
        for (auto& wanted : cell.baseline) wanted = false;
        auto const expected = launch_host(cell, range);
        for (int const slice : {3, 4, 5}) { // behind what writes instances, and the first slice
            changed_gpu().launches_to_lose = slice;
            try {
                EXPECT_NE(launch_device(cell, range), expected) << slice;
            } catch (std::runtime_error const&) { // a sum that cannot be
            }
            renew();
        }
    }
}

// Who asks for an end waits for no instance: what runs is given up after the grace.
TEST_F(EmulatedSlices, AnEndIsAskedForBetween)
{
    for (auto const& cell : cells(1)) {
        auto const before = emulated::launches();
        auto const whole = launch_device(cell, range, {});
        EXPECT_EQ(whole.count, range.count);
        EXPECT_EQ(whole.tally, launch_host(cell, range));
        auto const undisturbed = emulated::launches() - before;
        int asked = 0;
        StopCondition condition;
        condition.stop_asked = [&] { return ++asked > 5; };
        condition.grace = 0;
        auto const stopped_before = emulated::launches();
        auto const stopped = launch_device(cell, range, condition);
        EXPECT_EQ(stopped.count, 0);
        EXPECT_LT(emulated::launches() - stopped_before, undisturbed / 2);
        EXPECT_EQ(emulated::bytes_in_use(), 0u);

        asked = -1'000'000; // asked in time, but what runs ends within the grace
        condition.grace = 1e9;
        EXPECT_EQ(launch_device(cell, range, condition).count, range.count);
    }
}

} // namespace
} // namespace crx

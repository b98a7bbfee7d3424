// What a plan says of a GPU and of what the cores do beside it.
#include "host/sweep/gpu_plan.hh"

#include "host/experiment/experiment.hh"
#include "scratch_experiment.hh"

#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace crx_test {
namespace {

using namespace crx;

struct GpuPlan : testing::Test
{
    GpuPlan()
    {
        auto const plan = plan_of(Experiment::read(file.path(), {}));
        for (auto const& point : plan.grid("memories"))
            cells.push_back(plan.make_cell("memories", point));
        launch = [this](std::span<LaunchPart const> parts, StopCondition const&) {
            ++calls;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            LaunchedParts done;
            for (auto const& part : parts)
                done.parts.push_back({Tally(2), stopped ? 0 : part.range.count, {}});
            if (fault) done.error = std::make_exception_ptr(std::runtime_error("out of order"));
            return done;
        };
    }
    std::string text(double core_seconds, bool alone = false) const
    {
        Backend backend{"cuda", "a GPU", "running on a GPU", {{launch, {}, 2, 1000, 16}, {}}};
        if (alone) backend.executors.resize(1);
        return gpu_plan_text(backend, cells, {core_seconds, 1e8, 16}, 1'000'000,
                             [] { return false; });
    }
    static void expect_part(std::string const& text, std::string const& part)
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
    }
    ScratchExperiment file;
    std::vector<PlannedCell> cells;
    Launch launch;
    int calls = 0;
    bool stopped = false, fault = false;
};

// A thousand instances take 20 ms or, on a busy machine, some more: 10^8 about 2000 s. Sixteen
// cores that take 16 ms an instance take 10^5 s.
TEST_F(GpuPlan, SaysWhatEachTakesAndThatBothShare)
{
    auto const shared = text(16e-3);
    EXPECT_EQ(calls, 2);
    expect_part(shared, "running on a GPU\nGPU: ");
    expect_part(shared, " s an instance in a call of 1000, ");
    expect_part(shared, " for all that it takes\ntogether: about ");
    auto const at = shared.find(" % of the instances on the GPU");
    ASSERT_NE(at, std::string::npos) << shared;
    auto const share = std::stod(shared.substr(shared.rfind(' ', at - 1)));
    EXPECT_GT(share, 80);
    EXPECT_LT(share, 98.1);
    EXPECT_EQ(text(16e-3, true).find("together"), std::string::npos);
}

TEST_F(GpuPlan, SaysWhereTheCoresAloneEndSooner)
{
    expect_part(text(1e-10), "together: nothing for the GPU, the cores alone end sooner\n");
}

TEST_F(GpuPlan, SaysWhatCannotBeMeasured)
{
    stopped = true;
    expect_part(text(1e-3), "GPU: not one instance ended in time\n");
    fault = true;
    expect_part(text(1e-3), "GPU: out of order\n");
    cells.front().cell.workload.requests = 70'000;
    fault = stopped = false;
    cells.front().cell.laws.clear();
    expect_part(text(1e-3), "on the CPU alone: 50 % of the cells measured: no GPU runs ");
}

TEST_F(GpuPlan, OfTheCoresAloneSaysOnlyWhy)
{
    EXPECT_EQ(gpu_plan_text({"cpu", "", "running on the CPU: because", {{}}}, cells, {}, 1, {}),
              "running on the CPU: because\n");
}

} // namespace
} // namespace crx_test

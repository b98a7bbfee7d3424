// The program on an emulated GPU: how it ends where the GPU fails, and which GPU it takes.
#include "../host/run_program.hh"
#include "../host/sweep/scratch_experiment.hh"

#include <fstream>
#include <gtest/gtest.h>

namespace crx_test {
namespace {

class EmulatedProgram : public testing::Test
{
  protected:
    /// `gpu`: variables of the environment (program_gpu.cc).
    Ending run(std::string const& gpu, std::string const& arguments)
    {
        return run_command("cd " + experiment.folder(".") + " && " + gpu + " " + CRX_PROGRAM + " " +
                           arguments + " 2>&1");
    }
    std::string sweep(std::string const& store) const
    {
        return "sweep small.toml --threads 1 --set stop.instances=40 --db " + store;
    }
    ScratchExperiment experiment;
};

void expect_part(Ending const& ending, std::string const& part)
{
    EXPECT_NE(ending.text.find(part), std::string::npos) << ending.text;
}

// A fault is for good: every later call fails, frees on the way out among them. Whatever launch it
// hits, the program says what it kept, and the same command makes the same store of it.
TEST_F(EmulatedProgram, AFaultOnTheGpuEndsWithWhatWasKept)
{
    // More than the first batch takes.
    auto const swept = [&](std::string const& store) {
        return sweep(store) + " --set stop.instances=800 --backend cuda";
    };
    auto const undisturbed = run("", swept("whole.db"));
    ASSERT_EQ(undisturbed.status, 0) << undisturbed.text;
    expect_part(undisturbed, "running on emulated GPU");
    auto const expected = run("", "export whole.db").text;
    int faults = 0, chunks_kept = 0;
    for (int after = 0;; after += 1 + after / 2) {
        auto const fault = "CRX_EMULATED_FAULT_AFTER=" + std::to_string(after);
        auto const pools = after % 2 == 0 ? " CRX_EMULATED_POOLS=0" : "";
        auto const ending = run(fault + pools, swept("fault.db"));
        if (ending.status == 0) break; // there are not so many launches
        ++faults;
        EXPECT_EQ(ending.status, 1) << ending.text;
        expect_part(ending, "an illegal memory access was encountered");
        expect_part(ending, "\n  kept: ");
        expect_part(ending, "to go on, give the same command again");
        chunks_kept += ending.text.find(", 0 instances in all") == std::string::npos;
    }
    EXPECT_GE(faults, 4);
    EXPECT_GE(chunks_kept, 1);
    EXPECT_EQ(run("", "export fault.db").text, expected);
}

TEST_F(EmulatedProgram, ABrokenContractIsSaidAndEndsWithStatusOne)
{
    auto const ending = run("", "selftest --backend cuda --break-contract");
    EXPECT_EQ(ending.status, 1);
    expect_part(ending, "broken contract: slot != 70");
    expect_part(ending, "unspecified launch failure");
}

TEST_F(EmulatedProgram, OldGpusAreRefusedWithTheReason)
{
    auto const old = "CRX_EMULATED_CAPABILITY=75";
    std::string const reason = "emulated GPU has compute capability 7.5, needed is 8.0 or more";
    auto const sweep_on_cpu = run(old, sweep("old.db"));
    EXPECT_EQ(sweep_on_cpu.status, 0);
    expect_part(sweep_on_cpu, "running on the CPU; no CUDA: " + reason);
    auto const refused = run(old, sweep("refused.db") + " --backend cuda");
    EXPECT_EQ(refused.status, 2);
    expect_part(refused, reason);
    expect_part(run(old, "info"), "CUDA: none (" + reason + ")");
    EXPECT_EQ(run("CRX_EMULATED_CAPABILITY=86", sweep("newer.db") + " --backend cuda").status, 0);
}

// A GPU takes 65,536 requests an instance at most: the cell that has more goes to the CPU, the
// other does not.
TEST_F(EmulatedProgram, CellsThatNoGpuTakesRunOnTheCpu)
{
    for (std::string const backend : {"cpu", "cuda"}) {
        auto const ending = run("", "sweep small.toml --threads 1 --set workload.requests=70000 "
                                    "--set stop.instances=2 --set run.engine=request --backend " +
                                        backend + " --db " + backend + ".db");
        ASSERT_EQ(ending.status, 0) << ending.text;
    }
    EXPECT_EQ(run("", "export cpu.db").text, run("", "export cuda.db").text);
    auto const engines = run("", "info --engines small.toml --set workload.requests=70000").text;
    EXPECT_NE(engines.find("there are more than 65536 requests"), std::string::npos) << engines;
}

TEST_F(EmulatedProgram, ThePlanSaysWhatTheGpuDoes)
{
    std::string const plan = "sweep small.toml --threads 1 --plan --set stop.instances=300";
    auto const both = run("", plan).text;
    expect_part({0, both}, "\nrunning on emulated GPU and on the CPU, so that both end together\n"
                           "GPU: ");
    expect_part({0, both}, " for all that it takes\ntogether: ");
    auto const alone = run("", plan + " --backend cuda").text;
    expect_part({0, alone}, "\nrunning on emulated GPU\nGPU: ");
    EXPECT_EQ(alone.find("together:"), std::string::npos) << alone;
    EXPECT_EQ(run("", plan + " --backend cpu").text.find("GPU"), std::string::npos);
    expect_part(run("", "info --engines small.toml"),
                "small: 2 cells\n--backend auto: running on emulated GPU and on the CPU, ");
}

// A signal in the middle of an instance of minutes: the launch is given up. Planted and caught: one
// that is not.
TEST_F(EmulatedProgram, StopsInsideALongInstance)
{
    std::ofstream(experiment.folder("long.toml")) << R"toml(
[experiment]
name = "long"
seed = 1
[run]
engine = "request"
[stop]
instances = 1
[workload]
requests = 60000
memory = 600
prompt = 1
output = { law = "uniform", lower = 1, upper = 500 }
interval = { rule = "support" }
[[policy]]
id = "a-min-evict"
[[sweep]]
name = "one"
)toml";
    auto const ending = run("timeout --foreground --preserve-status -k 240 2",
                            "sweep long.toml --backend cuda --db long.db");
    EXPECT_EQ(ending.status, 143) << ending.text;
    expect_part(ending, "crx: stopped by SIGTERM\n  kept: ");
    expect_part(ending, "to go on, give the same command again");
}

TEST_F(EmulatedProgram, SaysWhereTheTimeOfLaunchesWent)
{
    auto const timed = run("", sweep("timed.db") + " --gpu-times");
    EXPECT_EQ(timed.status, 0);
    for (auto const* const task : {"time of launches: other ", "allocation ", "engines ", "sums "})
        expect_part(timed, task);
    auto const refused = run("", sweep("cores.db") + " --gpu-times --backend cpu");
    EXPECT_EQ(refused.status, 2);
    expect_part(refused, "--gpu-times needs a CUDA device; this would be running on the CPU");
}

TEST_F(EmulatedProgram, TakesTheDeviceThatIsNamed)
{
    EXPECT_EQ(run("CRX_EMULATED_GPUS=2", sweep("1.db") + " --device 1").status, 0);
    auto const missing = run("CRX_EMULATED_GPUS=2", sweep("2.db") + " --device 2");
    EXPECT_EQ(missing.status, 2);
    expect_part(missing, "--device = 2\n  not accepted: must be a CUDA device that can be used: "
                         "there is no device 2, the last one is 1");
    auto const unused = run("", sweep("3.db") + " --device 0 --backend cpu");
    EXPECT_EQ(unused.status, 2);
    expect_part(unused, "left out with --backend cpu");
}

} // namespace
} // namespace crx_test

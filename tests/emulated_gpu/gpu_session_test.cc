// scripts/gpu_session, to its end on an emulated GPU: both files whole, whatever fails on the way.
#include "../host/run_program.hh"
#include "support/temporary_folder.hh"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace crx_test {
namespace {

using nlohmann::json;

class EmulatedGpuSession : public testing::Test
{
  protected:
    /// `gpu`: variables of the environment (program_gpu.cc).
    Ending run(std::string const& gpu, std::string const& arguments = {})
    {
        return run_command("cd " + folder.path().string() + " && " + gpu +
                           " " CRX_SOURCE_DIR "/scripts/gpu_session --quick --crx " CRX_PROGRAM
                           " --bench " CRX_BENCH " --out out " +
                           arguments + " 2>&1");
    }
    json read() const
    {
        std::ifstream file(folder.path() / "out" / "gpu-session.json");
        return json::parse(file);
    }
    /// NVIDIA's tools as these tests have them: ncu runs the program, the others do nothing.
    std::string tools() const
    {
        auto const put = [&](std::string const& name, std::string const& script) {
            auto const file = folder.path() / "tools" / name;
            std::ofstream(file) << "#!/bin/sh\n" << script << '\n';
            std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        };
        std::filesystem::create_directory(folder.path() / "tools");
        put("ncu", "while [ \"$1\" != " CRX_PROGRAM " ]; do shift; done; exec \"$@\"");
        put("compute-sanitizer", "exit 0");
        put("nvidia-smi", "echo a GPU");
        return "PATH=" + (folder.path() / "tools").string() + ":$PATH";
    }
    TemporaryFolder folder;
};

/// All CUDA sources of the project.
std::string cuda_sources()
{
    std::string all;
    for (auto const& entry : std::filesystem::directory_iterator(CRX_SOURCE_DIR "/kernels/cuda")) {
        std::ifstream file(entry.path());
        all.append(std::istreambuf_iterator<char>(file), {});
    }
    return all;
}

json const& step(json const& all, std::string const& name)
{
    for (auto const& one : all["steps"])
        if (one["name"] == name) return one;
    static json const none;
    ADD_FAILURE() << "no step " << name << " in " << all.dump(1);
    return none;
}

TEST_F(EmulatedGpuSession, RunsToItsEnd)
{
    auto const ending = run(tools());
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_NE(ending.text.find("nothing failed in "), std::string::npos);
    auto const all = read();
    EXPECT_EQ(all["failed"], 0);
    for (auto const* const name : {"the program", "self-test, few instances", "a broken contract",
                                   "sweep two_point on the GPU", "sweep small: the same sums",
                                   "sweep cells: the same sums", "sweep varied: the same sums",
                                   "sweep paths: the same sums", "the plan of a sweep for a GPU"})
        EXPECT_EQ(step(all, name)["result"], "passed") << name;
    EXPECT_NE(step(all, "sweep small on the GPU")["output"].get<std::string>().find("sums "),
              std::string::npos);
    auto const rows = step(all, "every engine beside all cores")["output"].get<std::string>();
    EXPECT_NE(rows.find("gpu/small n:50,M:40/mc-sf/requests/as a sweep"), std::string::npos);
    EXPECT_EQ(rows.find("ERROR OCCURRED"), std::string::npos);
    // Tools leave the clocks alone, and are asked for kernels that there are, on cases enough.
    auto const sources = cuda_sources();
    int kernels = 0;
    for (auto const& one : all["steps"]) {
        auto const command = one["command"].get<std::string>();
        EXPECT_EQ(one["result"], "passed") << one["name"];
        if (command.starts_with("ncu")) {
            EXPECT_NE(command.find("--clock-control none"), std::string::npos);
        }
        if (command.starts_with("compute-sanitizer")) {
            EXPECT_NE(command.find("--larger 33"), std::string::npos);
        }
        std::regex const named("(regex:|kns=)([a-z_]+)");
        for (std::sregex_iterator k(command.begin(), command.end(), named), end; k != end; ++k) {
            ++kernels;
            EXPECT_TRUE(
                std::regex_search(sources, std::regex("\\s" + (*k)[2].str() + "\\([^;{]*\\{")))
                << (*k)[2];
        }
    }
    EXPECT_EQ(kernels, 5 + 2 * 3);
    std::ifstream text(folder.path() / "out" / "gpu-session.txt");
    std::string const written(std::istreambuf_iterator<char>(text), {});
    EXPECT_NE(written.find("gpu/varied n:20"), std::string::npos);
}

// Wrong integers, or a GPU that faults, end the session after the first stage: time stays for
// another try, and both files are whole.
TEST_F(EmulatedGpuSession, EndsWhereTheFirstStageFails)
{
    auto const ending = run("CRX_EMULATED_FAULT_AFTER=40");
    EXPECT_EQ(ending.status, 1);
    auto const all = read();
    EXPECT_EQ(all["failed"], 1);
    auto const& failed = step(all, "self-test, few instances");
    EXPECT_EQ(failed["result"], "failed");
    EXPECT_EQ(failed["status"], 1);
    EXPECT_NE(failed["output"].get<std::string>().find("illegal memory access"), std::string::npos);
    EXPECT_NE(ending.text.find("self-test, few instances: exit status 1, not 0"), std::string::npos)
        << ending.text;
    EXPECT_EQ(all["steps"].back()["name"], "memcheck of the smallest");
    EXPECT_EQ(run("CRX_EMULATED_CAPABILITY=70").status, 1);
    auto const early = read();
    auto const& unseen = step(early, "the GPU is seen");
    EXPECT_EQ(unseen["result"], "failed");
    EXPECT_NE(unseen["reason"].get<std::string>().find("has compute capability 7.0"),
              std::string::npos);
}

// A trap that goes unnoticed fails its step, though the status is that of one that is seen.
// Planted: the GPU loses the kernel.
TEST_F(EmulatedGpuSession, SeesATrapThatGoesUnnoticed)
{
    auto const lost = run_command("CRX_EMULATED_LOSE_AFTER=0 " CRX_PROGRAM
                                  " selftest --backend cuda --break-contract 2>&1");
    EXPECT_EQ(lost.status, 1);
    EXPECT_EQ(lost.text.find("device_checks.cu:"), std::string::npos) << lost.text;
    EXPECT_NE(lost.text.find("went unnoticed"), std::string::npos) << lost.text;
}

TEST_F(EmulatedGpuSession, RefusesWhatItDoesNotKnow)
{
    EXPECT_EQ(run("", "--hours 1").status, 2);
    EXPECT_EQ(run("", "--seconds soon").status, 2);
    EXPECT_EQ(run("", "--crx /nowhere/crx").status, 2);
    auto const ending = run("", "--seconds 0");
    EXPECT_EQ(ending.status, 1);
    EXPECT_EQ(step(read(), "the program")["reason"], "0 seconds are over");
}

} // namespace
} // namespace crx_test

// scripts/first_card, to its end on an emulated GPU: both files whole, whatever fails on the way.
#include "../host/run_program.hh"
#include "support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

using nlohmann::json;

class EmulatedFirstCard : public testing::Test
{
  protected:
    /// `gpu`: variables of the environment (program_gpu.cc).
    Ending run(std::string const& gpu, std::string const& arguments = {})
    {
        return run_command("cd " + folder.path().string() + " && " + gpu +
                           " " CRX_SOURCE_DIR "/scripts/first_card --quick --crx " CRX_PROGRAM
                           " --out out " +
                           arguments + " 2>&1");
    }
    json read() const
    {
        std::ifstream file(folder.path() / "out" / "first-card.json");
        return json::parse(file);
    }
    TemporaryFolder folder;
};

json const& step(json const& all, std::string const& name)
{
    for (auto const& one : all["steps"])
        if (one["name"] == name) return one;
    static json const none;
    ADD_FAILURE() << "no step " << name << " in " << all.dump(1);
    return none;
}

TEST_F(EmulatedFirstCard, RunsToItsEnd)
{
    auto const ending = run("");
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_NE(ending.text.find("nothing failed in "), std::string::npos);
    auto const all = read();
    EXPECT_EQ(all["failed"], 0);
    for (auto const* const name : {"the program", "self-test, few instances", "a broken contract",
                                   "sweep two_point on the GPU", "sweep small: the same sums",
                                   "sweep varied: the same sums", "sweep paths: the same sums"})
        EXPECT_EQ(step(all, name)["result"], "passed") << name;
    EXPECT_NE(step(all, "sweep small on the GPU")["output"].get<std::string>().find("sums "),
              std::string::npos);
    auto const& cases = step(all, "every engine beside all cores")["data"]["cases"];
    EXPECT_EQ(cases.size(), 14u);
    for (auto const& one : cases)
        for (auto const& variant : one["variants"]) EXPECT_EQ(variant["equal"], true) << one;
    EXPECT_EQ(step(all, "compute-sanitizer memcheck")["result"], "left out");
    std::ifstream text(folder.path() / "out" / "first-card.txt");
    std::string const written(std::istreambuf_iterator<char>(text), {});
    EXPECT_NE(written.find("varied, n = 20"), std::string::npos);
}

// Every program meets a fault of the GPU at its fortieth launch: one that launches so often fails,
// is named with what the GPU said, and the others go on.
TEST_F(EmulatedFirstCard, SaysWhatFailsAndGoesOn)
{
    auto const ending = run("CRX_EMULATED_FAULT_AFTER=40");
    EXPECT_EQ(ending.status, 1);
    auto const all = read();
    EXPECT_GE(all["failed"].get<int>(), 3);
    auto const& failed = step(all, "self-test, few instances");
    EXPECT_EQ(failed["result"], "failed");
    EXPECT_EQ(failed["status"], 1);
    EXPECT_NE(failed["output"].get<std::string>().find("illegal memory access"), std::string::npos);
    EXPECT_NE(ending.text.find("self-test, few instances: exit status 1, not 0"), std::string::npos)
        << ending.text;
    EXPECT_EQ(step(all, "a broken contract")["result"], "passed");
    EXPECT_EQ(step(all, "sweep small on the cores")["result"], "passed");
    auto const& cases = step(all, "every engine beside all cores")["data"]["cases"];
    EXPECT_NE(cases.back()["variants"].back()["failure"].get<std::string>().find("illegal"),
              std::string::npos);
}

TEST_F(EmulatedFirstCard, RefusesWhatItDoesNotKnow)
{
    EXPECT_EQ(run("", "--hours 1").status, 2);
    EXPECT_EQ(run("", "--minutes soon").status, 2);
    EXPECT_EQ(run("", "--crx /nowhere/crx").status, 2);
    auto const ending = run("", "--minutes 0");
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(step(read(), "the program")["reason"], "0 minutes are over");
}

} // namespace
} // namespace crx_test

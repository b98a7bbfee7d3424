#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

class BaselineCommand : public testing::Test
{
  protected:
    void SetUp() override
    {
        // H-SF needs 16, another order 15.
        write("four.csv", "prompt,output\n0,3\n0,2\n0,2\n0,3\n");
    }
    void write(std::string const& name, std::string const& content)
    {
        std::ofstream(folder / name) << content;
    }
    Ending run(std::string const& arguments)
    {
        return run_program("baseline --instance four.csv " + arguments, folder.path());
    }

    TemporaryFolder folder;
};

TEST_F(BaselineCommand, ProvesTheOptimumAndWritesSchedulesThatCheck)
{
    auto const ending = run("--memory 4 --json --schedules out/deep");
    ASSERT_EQ(ending.status, 0) << ending.text;
    auto const object = nlohmann::json::parse(ending.text);
    EXPECT_TRUE(object["optimal"]);
    EXPECT_EQ(object["upper"], 15);
    for (auto const& schedule : object["schedules"]) {
        auto const id = schedule["id"].get<std::string>();
        if (id == "h-sf") {
            EXPECT_EQ(schedule["total_latency"], 16);
        }
        auto const check = run("--memory 4 --check out/deep/" + id + ".csv");
        EXPECT_EQ(check.status, 0);
        EXPECT_EQ(check.text, "out/deep/" + id + ".csv: a schedule, total latency (TEL) " +
                                  schedule["total_latency"].dump() + "\n");
    }
    auto const text = run("--memory 4");
    EXPECT_NE(text.text.find("OPT = 15, proven"), std::string::npos) << text.text;
}

TEST_F(BaselineCommand, WritesACertificateThatChecks)
{
    ASSERT_EQ(run("--memory 4 --certificate opt.json").status, 0);
    auto const check = run("--memory 4 --check opt.json");
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.text.find("opt.json: OPT = 15, proven by "), 0u) << check.text;
    auto const taken = run_program("baseline --instance opt.json", folder.path());
    EXPECT_NE(taken.text.find("opt.json: is the certificate of an optimum, where a witness is "
                              "expected"),
              std::string::npos)
        << taken.text;
    auto const other = run("--memory 5 --check opt.json");
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.text.find("memory: 4 is written, --memory is 5"), std::string::npos)
        << other.text;
    write("opt.json", "{");
    EXPECT_NE(run("--memory 4 --check opt.json").text.find("opt.json: parse error"),
              std::string::npos);
    write("opt.json", "{}");
    EXPECT_NE(run("--memory 4 --check opt.json").text.find("optimum_certificate: 2 is expected"),
              std::string::npos);
}

TEST_F(BaselineCommand, ReadsAWitness)
{
    std::string const witness = CRX_SOURCE_DIR "/claims/witnesses/h_sf_beaten.json";
    auto const brackets = [&](std::string const& arguments) {
        return run_program("baseline --instance " + arguments, folder.path()).text;
    };
    auto const own = brackets(witness);
    EXPECT_NE(own.find("OPT = 12, proven"), std::string::npos) << own;
    EXPECT_NE(brackets(witness + " --memory 1000").find("M = 1000\n"), std::string::npos);
    EXPECT_EQ(brackets("four.csv"),
              "crx: command line: --memory\n  missing: must be given with a CSV\n");
}

// TEL of n requests that run one after the other is o n (n + 1) / 2: 2^63.5 in all.
TEST_F(BaselineCommand, RefusesWhereNoScheduleIsInRange)
{
    std::string rows = "prompt,output\n";
    for (int k = 0; k < 78'000; ++k) rows += "0,2147483647\n";
    write("four.csv", rows);
    auto const ending = run("--memory 2147483647");
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.text.find("four.csv: no schedule was found whose total latency is below 2^62"),
              std::string::npos)
        << ending.text;
}

TEST_F(BaselineCommand, SchedulesThatAreNoneAreRefused)
{
    auto const refused = [&](std::string const& rows, std::string const& why) {
        write("s.csv", "id,start\n" + rows);
        auto const ending = run("--memory 4 --check s.csv");
        EXPECT_EQ(ending.status, 2);
        EXPECT_EQ(ending.text, "crx: s.csv" + why + "\n");
    };
    refused("0,0\n1,0\n2,0\n3,9\n", ": no schedule: 6 tokens are held at time 2, more than M = 4");
    refused("0,0\n1,3\n2,5\n", ": request 3 has no row");
    refused("0,0\n1,3\n1,5\n3,9\n", ":4: request 1 is named twice");
    refused("0,0\n7,3\n", ":3: no request of the instance has the id \"7\"");
}

// By hand, M = 3, three requests of three tokens, at 0, 5 and 5. release at tau = 5: 3 + volume of
// the other two, max(3, 6 / 3) + max(3, 12 / 3) = 7. The optimum is 3 + 3 + 6.
TEST_F(BaselineCommand, ArrivalsHaveTheirOwnBoundAndName)
{
    write("late.csv", "prompt,output,arrival\n0,3,0\n0,3,5\n0,3,5\n");
    auto const json = [&](std::string const& file) {
        auto const ending = run_program("baseline --instance " + file +
                                            " --memory 3 --json --schedules out --nodes 1000",
                                        folder.path(), false);
        EXPECT_EQ(ending.status, 0) << ending.text;
        return nlohmann::json::parse(ending.text);
    };
    auto const bound = [](nlohmann::json const& object, std::string const& id) {
        for (auto const& row : object["lower_bounds"])
            if (row["id"] == id) return row["value"];
        return nlohmann::json("no such bound");
    };
    auto const late = json("late.csv");
    EXPECT_EQ(bound(late, "release"), 10);
    EXPECT_TRUE(bound(late, "volume").is_null());
    EXPECT_EQ(late["upper"], 12);
    EXPECT_EQ(late["schedules"][0]["id"], "mc-sf");
    EXPECT_TRUE(std::filesystem::exists(folder / "out/mc-sf.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/h-sf.csv"));
    auto const together = json("four.csv");
    EXPECT_TRUE(bound(together, "release").is_null());
    EXPECT_FALSE(bound(together, "volume").is_null());
    EXPECT_EQ(together["schedules"][0]["id"], "h-sf");
}

TEST_F(BaselineCommand, BadOptionsAreRefused)
{
    auto const limit = run("--memory 4 --time-limit 0");
    EXPECT_EQ(limit.status, 2);
    EXPECT_EQ(limit.text,
              "crx: command line: --time-limit = 0\n  not accepted: must be a number of "
              "seconds above 0, at most 10000000\n");
    auto const memory = run("--memory 2");
    EXPECT_EQ(memory.status, 2);
    EXPECT_NE(memory.text.find("exceeds M = 2"), std::string::npos);
    auto const place = run("--memory 4 --schedules four.csv");
    EXPECT_EQ(place.status, 2);
    EXPECT_EQ(place.text, "crx: command line: --schedules = four.csv\n  not accepted: must be a "
                          "folder, or a place where one can be made\n");
}

} // namespace
} // namespace crx_test

#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>

namespace crx_test {
namespace {

class SortedLpCommand : public testing::Test
{
  protected:
    Ending run(std::string const& rows, std::string const& arguments)
    {
        std::ofstream(folder / "some.csv") << "prompt,output,arrival\n" + rows;
        return run_program("simulate --instance some.csv " + arguments, folder.path());
    }

    TemporaryFolder folder;
};

// By hand: all three fit from round 0 (3 tokens at time 1, 2 at time 2), so no program and no
// schedule is below 2 + 1 + 1.
TEST_F(SortedLpCommand, GivesAScheduleAndTheProgramsValue)
{
    auto const ending = run("0,2,0\n0,1,0\n0,1,0\n", "--memory 3 --policy sorted-lp --json");
    ASSERT_EQ(ending.status, 0) << ending.text;
    EXPECT_NE(ending.text.find("LP relaxation 4.000000"), std::string::npos) << ending.text;
    EXPECT_NE(ending.text.find("\"total_latency\": 4"), std::string::npos) << ending.text;
    EXPECT_NE(ending.text.find("\"policy\": \"sorted-lp\""), std::string::npos) << ending.text;
    auto const swap = run("0,2,0\n0,1,0\n0,1,0\n", "--memory 3 --policy lp-swap --json");
    EXPECT_EQ(swap.status, 0);
    EXPECT_NE(swap.text.find("\"total_latency\""), std::string::npos) << swap.text;
}

TEST_F(SortedLpCommand, RefusesArrivalsAndForeignOptions)
{
    auto const later = run("0,2,0\n0,1,3\n", "--memory 3 --policy lp-swap");
    EXPECT_EQ(later.status, 2);
    EXPECT_NE(later.text.find("crx: some.csv: lp-swap needs every arrival at 0\n"),
              std::string::npos)
        << later.text;
    auto const selector = run("0,2,0\n", "--memory 3 --policy sorted-lp --selector exact");
    EXPECT_EQ(selector.status, 2);
    EXPECT_NE(selector.text.find("only sorted-f takes one"), std::string::npos) << selector.text;
    auto const levels = run("0,2,0\n", "--memory 3 --policy sorted-lp --levels 1,2");
    EXPECT_EQ(levels.status, 2);
    EXPECT_NE(levels.text.find("sorted-lp takes no levels"), std::string::npos) << levels.text;
}

} // namespace
} // namespace crx_test

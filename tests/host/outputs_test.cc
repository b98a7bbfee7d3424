#include "host/experiment/small_experiment.hh"
#include "host/experiment/trace_panel_experiment.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

/// Outputs that would destroy what a command reads or another output: each command refuses them.
namespace crx {
namespace {

class Outputs : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::ofstream(folder / "small.toml") << small_experiment;
        std::ofstream(folder / "lengths.csv") << "prompt,output\n1,2\n";
        std::ofstream(folder / "trace.toml") << trace_panel_experiment;
        std::filesystem::create_directory(folder / "out");
        std::ofstream(folder / "out/h-sf.csv") << "prompt,output\n1,2\n";
        for (auto const* command : {"sweep small.toml --backend cpu --db s.svg",
                                    "sweep trace.toml --backend cpu --db trace.db"}) {
            auto const ending = crx_test::run_program(command, folder.path());
            ASSERT_EQ(ending.status, 0) << ending.text;
        }
    }

    std::string content(std::string const& name) const
    {
        std::ifstream in(folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// Runs a command that must be refused and leave these files as they are.
    void refused(std::string const& arguments, std::string const& because,
                 std::vector<std::string> const& files) const
    {
        std::vector<std::string> before;
        for (auto const& name : files) before.push_back(content(name));
        auto const ending = crx_test::run_program(arguments, folder.path());
        EXPECT_EQ(ending.status, 2) << arguments << "\n" << ending.text;
        EXPECT_NE(ending.text.find("not accepted: must be another file"), std::string::npos)
            << arguments << "\n"
            << ending.text;
        EXPECT_NE(ending.text.find(because), std::string::npos) << ending.text;
        for (std::size_t k = 0; k < files.size(); ++k)
            EXPECT_EQ(content(files[k]), before[k]) << arguments << ": " << files[k];
    }

    crx_test::TemporaryFolder folder;
};

// A name says what a file holds.
TEST_F(Outputs, ExportsGoByTheirEnding)
{
    auto const refusal = crx_test::run_program("export s.svg -o t.parquet", folder.path());
    EXPECT_EQ(refusal.status, 2);
    EXPECT_NE(
        refusal.text.find("-o = t.parquet\n  not accepted: must be CSV or JSON, as Parquet is "
                          "not available"),
        std::string::npos)
        << refusal.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "t.parquet"));
    auto const other = crx_test::run_program("export s.svg -o t.feather", folder.path());
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.text.find("must be a file of comma-separated values (.csv) or of JSON (.json)"),
              std::string::npos)
        << other.text;
    EXPECT_EQ(crx_test::run_program("export s.svg --format parquet", folder.path()).status, 2);
    EXPECT_EQ(crx_test::run_program("export s.svg --json --format csv", folder.path()).status, 2);
    EXPECT_EQ(crx_test::run_program("export s.svg -o t --format json", folder.path()).status, 0);
    EXPECT_EQ(content("t").front(), '[');
    EXPECT_EQ(crx_test::run_program("export s.svg -o /dev/null", folder.path()).status, 0);
    EXPECT_EQ(crx_test::run_program("export s.svg -o t.json", folder.path()).status, 0);
    EXPECT_EQ(content("t.json").front(), '[');
    EXPECT_EQ(crx_test::run_program("export s.svg -o t.csv", folder.path()).status, 0);
    EXPECT_TRUE(content("t.csv").starts_with("sweep,cell,"));
}

TEST_F(Outputs, OfStoresAreOtherFiles)
{
    refused("export s.svg -o s.svg", "than DB (s.svg)", {"s.svg"});
    refused("export s.svg -o trace.db", "an SQLite database", {"trace.db"});
    for (std::string const option : {"--write-instance", "--timeline", "--plot"})
        refused("replay s.svg --cell 0 --instance 0 --policy a-max " + option + " s.svg",
                option + " = s.svg\n", {"s.svg"});
    refused("replay s.svg --cell 0 --instance 0 --policy a-max --timeline a.csv --write-instance "
            "./a.csv",
            "one would overwrite the other", {});
    EXPECT_FALSE(std::filesystem::exists(folder / "a.csv"));
    refused("replay trace.db --cell 0 --instance 0 --policy mc-sf --timeline lengths.csv",
            "than the trace (", {"lengths.csv"});
}

TEST_F(Outputs, OfTheOthersAreNoStores)
{
    refused("instance theorem-1-full --memory 10000 -o trace.db", "an SQLite database",
            {"trace.db"});
    refused("instance 3-partition --numbers 8,9,10,8,8,11 -o trace.db", "an SQLite database",
            {"trace.db"});
    refused("baseline --instance out/h-sf.csv --memory 10 --schedules out",
            "than --instance (out/h-sf.csv)", {"out/h-sf.csv"});
}

} // namespace
} // namespace crx

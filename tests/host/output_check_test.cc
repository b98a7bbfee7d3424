#include "host/output_file.hh"

#include "host/error.hh"
#include "support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>

namespace crx {
namespace {

class OutputCheck : public testing::Test
{
  protected:
    OutputCheck()
    {
        std::ofstream(folder / "in.csv") << "prompt,output\n";
        std::ofstream(folder / "other.db") << std::string("SQLite format 3\0 and more", 25);
        std::filesystem::create_directory(folder / "sub");
    }

    /// What is said of these outputs of a command that reads in.csv and adds to new.db.
    std::string refusal(std::vector<NamedFile> outputs) const
    {
        for (auto& output : outputs)
            if (!output.file.empty() && output.file.is_relative())
                output.file = folder / output.file.string();
        try {
            check_outputs(
                outputs,
                {{"--in", folder / "in.csv"}, {"--db", folder / "new.db"}, {"--left-out", ""}});
        } catch (InputError const& refused) {
            return refused.what();
        }
        return {};
    }

    crx_test::TemporaryFolder folder;
};

TEST_F(OutputCheck, TakesWhatDestroysNothing)
{
    std::ofstream(folder / "old.csv") << "of an earlier run";
    EXPECT_EQ(refusal({{"-o", "old.csv"}, {"--more", "more.csv"}, {"--plot", ""}}), "");
    EXPECT_EQ(refusal({{"-o", "/dev/null"}, {"--more", "/dev/null"}}), "");
    EXPECT_EQ(refusal({{"-o", "in.csv-walk"}}), "");
}

TEST_F(OutputCheck, RefusesInputsHoweverSpelt)
{
    auto const sub = folder / "sub";
    std::filesystem::create_symlink("../in.csv", sub / "soft.csv");
    std::filesystem::create_hard_link(folder / "in.csv", sub / "hard.csv");
    std::filesystem::create_directory_symlink("..", sub / "up");
    for (auto const* name :
         {"in.csv", "./in.csv", "sub/../in.csv", "sub/soft.csv", "sub/hard.csv", "sub/up/in.csv"})
        EXPECT_EQ(refusal({{"-o", name}}),
                  "command line: -o = " + (folder / name).string() +
                      "\n  not accepted: must be another file than --in (" +
                      (folder / "in.csv").string() + "), which would be overwritten");
}

TEST_F(OutputCheck, RefusesAStoreThatIsStillToBeMade)
{
    std::filesystem::create_symlink("../new.db", folder / "sub" / "link.csv");
    for (auto const* name : {"new.db", "sub/../new.db", "sub/link.csv"})
        EXPECT_NE(refusal({{"-o", name}}).find("another file than --db ("), std::string::npos)
            << name;
    for (auto const* name : {"new.db-wal", "new.db-shm", "new.db-journal", "new.db-writer"})
        EXPECT_NE(refusal({{"-o", name}}).find("a part of the store"), std::string::npos) << name;
}

TEST_F(OutputCheck, RefusesAnyDatabase)
{
    EXPECT_NE(refusal({{"-o", "other.db"}}).find("this one is an SQLite database"),
              std::string::npos);
    EXPECT_NE(refusal({{"-o", "other.db-wal"}}).find("a part of the SQLite database"),
              std::string::npos);
}

TEST_F(OutputCheck, RefusesTwoOutputsInOne)
{
    std::filesystem::create_symlink("../new.csv", folder / "sub" / "link.csv");
    for (auto const* name : {"new.csv", "sub/../new.csv", "sub/link.csv"})
        EXPECT_EQ(refusal({{"-o", "new.csv"}, {"--more", name}}),
                  "command line: --more = " + (folder / name).string() +
                      "\n  not accepted: must be another file than -o (" +
                      (folder / "new.csv").string() + "): one would overwrite the other");
}

TEST_F(OutputCheck, NamesTheOptionOfAPlaceThatIsNotThere)
{
    EXPECT_EQ(refusal({{"--more", "nowhere/a.csv"}}),
              (folder / "nowhere/a.csv").string() +
                  ": cannot be written there: No such file or directory\n  choose another place "
                  "with --more FILE");
}

} // namespace
} // namespace crx

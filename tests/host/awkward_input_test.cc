#include "host/input/text_file.hh"
#include "support/sanitized.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// Inputs that once ended in the text of an exception: a message says what is wrong.
namespace crx {
namespace {

using crx_test::run_program;

TEST(AwkwardInput, EmptyValuesAreRefused)
{
    for (std::string const arguments :
         {"export ''", "panels ''", "rank ''", "check ''",
          "replay '' --cell 0 --instance 0 --policy a-max", "bounds --s ''",
          "bounds chen-3.3 --alpha ''", "spectrum --u ''", "sweep ''", "fluid ''",
          "instance adaptive --memory ''"}) {
        auto const ending = run_program(arguments);
        EXPECT_EQ(ending.status, 2) << arguments << "\n" << ending.text;
        EXPECT_NE(ending.text.find("not accepted"), std::string::npos) << arguments << "\n"
                                                                       << ending.text;
    }
}

TEST(AwkwardInput, TextsThatAreNotUtf8AreRefusedWithTheirPlace)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "a.csv") << "id,prompt,output\ngood,1,2\n\xff,1,2\n";
    for (std::string const arguments :
         {"simulate --instance a.csv --memory 9 --policy a-max --json",
          "baseline --instance a.csv --memory 9"})
        EXPECT_EQ(run_program(arguments, folder.path()).with_status(),
                  "crx: a.csv:3: the id is not UTF-8\nstatus 2");
    auto const set =
        run_program("sweep " CRX_SOURCE_DIR "/experiments/chen/chen_theorem_5_2.toml --db "
                    "a.db --set \"experiment.title=$(printf '\\377')\"",
                    folder.path());
    EXPECT_EQ(set.with_status(), "crx: --set experiment.title: is not UTF-8\nstatus 2");
}

TEST(AwkwardInput, MoreThreadsThanTheMachineStartsAreRefused)
{
    if (crx_test::sanitized) GTEST_SKIP() << "sanitizers take much address space";
    crx_test::TemporaryFolder const folder;
    auto const ending = crx_test::run_command(
        "cd '" + folder.path().string() + "' && ulimit -v 1000000 && " + CRX_PROGRAM +
        " sweep " CRX_SOURCE_DIR
        "/experiments/chen/chen_theorem_5_2.toml --threads 4096 --backend cpu "
        "2>&1");
    EXPECT_EQ(ending.status, 2) << ending.text;
    EXPECT_NE(ending.text.find("--threads = 4096\n  not accepted: must be at most "),
              std::string::npos)
        << ending.text;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Utf8, IsWhatTheStandardSays)
{
    for (auto const* text : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                             "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "α ℓ"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (auto const* text :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xed\xa0\x80",
          "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "a\xfe"})
        EXPECT_FALSE(is_utf8(text)) << text;
}

} // namespace
} // namespace crx

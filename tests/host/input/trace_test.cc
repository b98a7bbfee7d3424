#include "host/input/trace.hh"

#include "host/error.hh"
#include "scratch_file.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

TEST(Trace, DropsRowsWithoutPromptOrOutput)
{
    ScratchFile const file("question_length,answer_length\n1,2\n0,3\n4,0\n5,6\n");
    auto const rows = read_trace(file.path());
    EXPECT_EQ(rows.prompt, (std::vector<std::int32_t>{1, 5}));
    EXPECT_EQ(rows.output, (std::vector<std::int32_t>{2, 6}));
    EXPECT_EQ(rows.zero_rows, 2);
}

TEST(Trace, TakesTheColumnsItIsTold)
{
    ScratchFile const file("a,b,prompt,output\n1,2,3,4\n");
    auto const rows = read_trace(file.path(), "b", "a");
    EXPECT_EQ(rows.prompt, std::vector<std::int32_t>{2});
    EXPECT_EQ(rows.output, std::vector<std::int32_t>{1});
}

TEST(Trace, HashTellsLengthsApart)
{
    ScratchFile const one("prompt,output\n1,2\n"), other("prompt,output\n2,1\n"),
        same("output,prompt\n2,1\n");
    EXPECT_NE(read_trace(one.path()).hash, read_trace(other.path()).hash);
    EXPECT_EQ(read_trace(one.path()).hash, read_trace(same.path()).hash);
}

TEST(Trace, PublishedFilesHaveTheRowsThatAreSaidOfThem)
{
    auto const folder = std::filesystem::path(CRX_SOURCE_DIR) / "../shared/data";
    if (!std::filesystem::exists(folder / "lmsys_lengths_sample.csv"))
        GTEST_SKIP() << "no trace data in " << folder.lexically_normal();
    auto const lmsys = read_trace(folder / "lmsys_lengths_sample.csv");
    EXPECT_EQ(lmsys.prompt.size() + static_cast<std::size_t>(lmsys.zero_rows), 100000u);
    EXPECT_EQ(lmsys.zero_rows, 151);
    EXPECT_EQ(read_trace(folder / "arxiv_summarization.csv").prompt.size(), 28257u);
    EXPECT_EQ(read_trace(folder / "azure_conv_2023.csv").prompt.size(), 19366u);
}

} // namespace

} // namespace crx

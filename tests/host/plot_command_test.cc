#include "host/experiment/small_experiment.hh"
#include "host/input/scratch_file.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// `crx plot` in the user's style, from a store that `crx sweep` made.
namespace crx {
namespace {

class PlotCommand : public testing::Test
{
  protected:
    PlotCommand()
        : file(small_experiment + "[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\ntitle = \"P\"\n")
    {
        EXPECT_EQ(
            crx_test::run_program("sweep " + file.path().string() + " --db x.db", file.folder())
                .status,
            0);
    }
    crx_test::Ending plot(std::string const& options) const
    {
        return crx_test::run_program("plot x.db " + options, file.folder());
    }
    std::string svg(std::string const& options) const
    {
        auto const ending = plot(options + " -o x.svg");
        EXPECT_EQ(ending.status, 0) << ending.text;
        std::ifstream in(file.folder() / "x.svg");
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void refuses(std::string const& options, std::string const& why) const
    {
        auto const ending = plot(options);
        EXPECT_EQ(ending.status, 2) << options;
        EXPECT_NE(ending.text.find(why), std::string::npos) << ending.text;
    }
    ScratchFile file;
};

bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(PlotCommand, LeavesOutTitlesAndSmallPrint)
{
    auto const all = svg("");
    EXPECT_TRUE(has(all, ">A small experiment<") && has(all, ">P<") && has(all, "seed")) << all;
    auto const bare = svg("--no-title --no-caption");
    EXPECT_FALSE(has(bare, ">A small experiment<") || has(bare, ">P<") || has(bare, "seed"))
        << bare;
}

TEST_F(PlotCommand, HasTheWidthThatIsAskedFor)
{
    EXPECT_TRUE(has(svg(""), "width=\"576\"")); // 360 points
    // 1.6 units of the picture a point: 241.2 points.
    EXPECT_TRUE(has(svg("--width 3.35in --font-size 7"), "width=\"386\""));
}

TEST_F(PlotCommand, DrawsAPanelThatTheExperimentDoesNotHave)
{
    auto const own = svg("--x alpha --y mean-makespan --log-x --policies a-max");
    EXPECT_TRUE(has(own, "last completion")) << own;
    EXPECT_FALSE(has(own, ">P<"));
    for (auto const* alone :
         {"--y mean-makespan", "--series alpha", "--sweep alpha", "--baseline h-sf",
          "--worst-over alpha", "--where alpha=0.5", "--log-x", "--log-y"})
        refuses(alone, "needs --x");
    refuses("--x alpah", "did you mean alpha?");
    refuses("--x alpha --y makespan", "mean-makespan");
    refuses("--x alpha --where alpha", "must be AXIS=NUMBER");
    refuses("--x alpha --where alpha=0.77", "must be one of the axis's values");
    refuses("--x alpha --panels x.toml", "only one of them");
    refuses("--policies a-mx", "did you mean a-max?");
}

TEST_F(PlotCommand, TakesTheFormatWhereTheNameDoesNotSayIt)
{
    EXPECT_EQ(plot("--format tex -o figure").status, 0);
    std::ifstream in(file.folder() / "figure");
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "% Made by crx plot. The preamble needs:");
    EXPECT_EQ(plot("--format eps").text, "x.eps\n");
    refuses("-o x.gif", "must be a file name that ends in .svg, .pdf, .png, .eps or .tex");
    refuses("--format gif", "not in {svg,pdf,png,eps,tex}");
    EXPECT_EQ(plot("-o x.gif --format png").status, 0); // told, so no guess is needed
}

} // namespace
} // namespace crx

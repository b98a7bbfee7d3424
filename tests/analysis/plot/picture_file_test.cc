#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/picture_file.hh"
#include "analysis/plot/script.hh"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace crx::plot {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(fs::path const& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Figure small_figure(std::string const& title)
{
    Panel panel;
    panel.title = escape(title);
    panel.series.push_back({"s", {0, 0, Stroke::none, 1}, {{1, 2, 1.9, 2.1}, {2, 3, 2.8, 3.2}}});
    panel.curves.push_back({"c", {1, -1, Stroke::dashed, 1}, {{1, 2, {}, {}}, {2, gap, {}, {}}}});
    return {"", "", {panel}, 0};
}

class PictureFile : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::string name = (fs::temp_directory_path() / "crx-picture-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override { fs::remove_all(folder); }

    std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    fs::path folder;
};

TEST(KeySamples, AreVectorsBecauseCairoBeginsALineWithAWedge)
{
    auto figure = small_figure("");
    auto const script = gnuplot_script(figure, PictureFormat::png, "/picture.png");
    auto const overlay = script.substr(script.rfind("plot NaN"));
    EXPECT_NE(overlay.find("with vectors nohead"), std::string::npos) << overlay; // the curve's
    EXPECT_NE(overlay.find("with points"), std::string::npos) << overlay;         // the series's
    EXPECT_EQ(overlay.find("with lines"), std::string::npos) << overlay;
    EXPECT_EQ(script.find("with vectors nohead lc rgb '#0072B2'"),
              script.rfind("with vectors nohead lc rgb '#0072B2'")); // the sample alone
    figure.panels[0].curves[0].points = {{1, 2, {}, {}}, {3, 2, {}, {}}};
    auto const level = gnuplot_script(figure, PictureFormat::png, "/picture.png");
    EXPECT_NE(level.find("$one using (1):(2):(2):(0) with vectors nohead"), std::string::npos);
    EXPECT_EQ(level.find("with lines"), std::string::npos) << level;
}

TEST(Bars, GoDownToTheFrameWhereALogarithmCannotShowTheirEnds)
{
    auto figure = small_figure("");
    auto& panel = figure.panels[0];
    panel.y.logarithmic = true;
    panel.series[0].points = {{1, 2, 0.5, 4}, {2, 3, -4, 10}};
    auto const script = gnuplot_script(figure, PictureFormat::png, "/picture.png");
    auto const data = script.substr(script.find("$p0s0 << EOD"));
    EXPECT_NE(data.find("\n1 2 0.5 4\n2 3 "), std::string::npos) << data.substr(0, 200);
    EXPECT_EQ(data.find("\n2 3 -"), std::string::npos) << data.substr(0, 200);
    panel.y.logarithmic = false;
    EXPECT_NE(gnuplot_script(figure, PictureFormat::png, "/picture.png").find("\n2 3 -4 10\n"),
              std::string::npos);
}

TEST_F(PictureFile, EveryFormatIsWholeAndTheSameTwice)
{
    for (std::string const extension : {"svg", "pdf", "png"}) {
        draw(small_figure("t"), folder / ("a." + extension));
        draw(small_figure("t"), folder / ("b." + extension));
        auto const bytes = bytes_of(folder / ("a." + extension));
        EXPECT_GT(bytes.size(), 1000u);
        EXPECT_TRUE(bytes == bytes_of(folder / ("b." + extension))) << extension;
    }
    EXPECT_EQ(files(), 6u) << "nothing else is left behind";
}

TEST_F(PictureFile, TextFromUsersIsPrintedAndNotRun)
{
    std::string const title = "it's {x}_1 `touch crx-was-here` $(ls) \"q\" @ & ~ \\\n!touch no";
    draw(small_figure(title), folder / "a.svg");
    auto const svg = bytes_of(folder / "a.svg");
    EXPECT_NE(svg.find("it's {x}_1 `touch crx-was-here` $(ls) \"q\" @ &amp; ~ \\ !touch no"),
              std::string::npos);
    EXPECT_FALSE(fs::exists("crx-was-here"));
    EXPECT_FALSE(fs::exists("no"));
}

TEST_F(PictureFile, AwkwardFileNamesAreJustNames)
{
    auto const file = folder / "| it's `a` $b.svg";
    draw(small_figure("t"), file);
    EXPECT_TRUE(fs::exists(file));
}

TEST_F(PictureFile, AFailureLeavesThePictureThatWasThere)
{
    std::ofstream(folder / "a.svg") << "old";
    // A gnuplot that stops half way.
    std::ofstream(folder / "gnuplot") << "#!/bin/sh\nhead -c 100 > /dev/null\n";
    fs::permissions(folder / "gnuplot", fs::perms::owner_all);
    std::string const path = std::getenv("PATH");
    setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
    EXPECT_THROW(draw(small_figure("t"), folder / "a.svg"), PlotError);
    setenv("PATH", path.c_str(), 1);
    fs::remove(folder / "gnuplot");
    EXPECT_EQ(bytes_of(folder / "a.svg"), "old");
    EXPECT_EQ(files(), 1u);
    EXPECT_THROW(draw(small_figure("t"), folder / "none" / "a.svg"), PlotError);
    fs::create_directory(folder / "b.svg"); // a folder of that name cannot be replaced
    EXPECT_THROW(draw(small_figure("t"), folder / "b.svg"), PlotError);
    EXPECT_EQ(files(), 2u);
}

TEST_F(PictureFile, WithoutGnuplotThePackageIsNamed)
{
    std::string const path = std::getenv("PATH");
    setenv("PATH", folder.c_str(), 1);
    std::string message;
    try {
        draw(small_figure("t"), folder / "a.svg");
    } catch (PlotError const& error) {
        message = error.what();
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("gnuplot-nox"), std::string::npos) << message;
    EXPECT_EQ(files(), 0u);
}

TEST(PictureFormat, IsReadFromTheExtension)
{
    EXPECT_EQ(picture_format("a.SVG"), PictureFormat::svg);
    EXPECT_EQ(picture_format("b.c.pdf"), PictureFormat::pdf);
    EXPECT_EQ(picture_format("x/y.png"), PictureFormat::png);
    EXPECT_FALSE(picture_format("a.jpg") || picture_format("svg") || picture_format("a."));
}

} // namespace
} // namespace crx::plot

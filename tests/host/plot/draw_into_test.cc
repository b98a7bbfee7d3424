#include "host/plot/draw_into.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/picture_file.hh"
#include "host/error.hh"
#include "support/temporary_folder.hh"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace crx {
namespace {

namespace fs = std::filesystem;
using plot::PlotError;

std::string bytes_of(fs::path const& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

plot::Figure small_figure(std::string const& title)
{
    plot::Panel panel;
    panel.title = plot::escape(title);
    panel.series.push_back(
        {"s", {0, 0, plot::Stroke::none, 1}, {{1, 2, 1.9, 2.1}, {2, 3, 2.8, 3}}});
    return {"", "", {panel}, 0};
}

class DrawInto : public testing::Test
{
  protected:
    std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }
    crx_test::TemporaryFolder folder;
};

TEST_F(DrawInto, EveryFormatIsWholeAndTheSameTwice)
{
    for (std::string const extension : {"svg", "pdf", "png", "eps", "tex"}) {
        draw_into(small_figure("t"), folder / ("a." + extension));
        draw_into(small_figure("t"), folder / ("b." + extension));
        auto const bytes = bytes_of(folder / ("a." + extension));
        EXPECT_GT(bytes.size(), 1000u) << extension;
        EXPECT_TRUE(bytes == bytes_of(folder / ("b." + extension))) << extension;
    }
    EXPECT_EQ(files(), 10u) << "nothing else is left behind";
}

TEST_F(DrawInto, AwkwardFileNamesAreJustNames)
{
    fs::create_directory(folder / "a''b\\n");
    for (std::string const name : {"| it's `a` $b.svg", "a''b\\n/''.svg"}) {
        draw_into(small_figure("t"), folder / name);
        EXPECT_TRUE(fs::exists(folder / name)) << name;
    }
}

TEST_F(DrawInto, AFailureLeavesThePictureThatWasThere)
{
    std::ofstream(folder / "a.svg") << "old";
    // A gnuplot that stops half way.
    std::ofstream(folder / "gnuplot") << "#!/bin/sh\nhead -c 100 > /dev/null\n";
    fs::permissions(folder / "gnuplot", fs::perms::owner_all);
    std::string const path = std::getenv("PATH");
    setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
    EXPECT_THROW(draw_into(small_figure("t"), folder / "a.svg"), PlotError);
    setenv("PATH", path.c_str(), 1);
    fs::remove(folder / "gnuplot");
    EXPECT_EQ(bytes_of(folder / "a.svg"), "old");
    EXPECT_EQ(files(), 1u);
    EXPECT_THROW(draw_into(small_figure("t"), folder / "none/a.svg"), InputError);
    fs::create_directory(folder / "b.svg"); // a folder of that name cannot be replaced
    EXPECT_THROW(draw_into(small_figure("t"), folder / "b.svg"), InputError);
    EXPECT_EQ(files(), 2u);
}

TEST_F(DrawInto, WithoutGnuplotThePackageIsNamed)
{
    std::string const path = std::getenv("PATH");
    setenv("PATH", folder.path().c_str(), 1);
    std::string message;
    try {
        draw_into(small_figure("t"), folder / "a.svg");
    } catch (PlotError const& error) {
        message = error.what();
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("gnuplot-nox"), std::string::npos) << message;
    EXPECT_EQ(files(), 0u);
}

} // namespace
} // namespace crx

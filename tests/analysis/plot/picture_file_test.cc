#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/gnuplot_process.hh"
#include "analysis/plot/picture_file.hh"
#include "analysis/plot/script.hh"

#include <gtest/gtest.h>

#include <filesystem>

namespace crx::plot {
namespace {

Figure small_figure(std::string const& title)
{
    Panel panel;
    panel.title = escape(title);
    panel.series.push_back({"s", {0, 0, Stroke::none, 1}, {{1, 2, 1.9, 2.1}, {2, 3, 2.8, 3.2}}});
    panel.curves.push_back({"c", {1, -1, Stroke::dashed, 1}, {{1, 2, {}, {}}, {2, gap, {}, {}}}});
    return {"", "", {panel}, 0};
}

TEST(KeySamples, AreVectorsBecauseCairoBeginsALineWithAWedge)
{
    auto figure = small_figure("");
    auto const script = gnuplot_script(figure, PictureFormat::png);
    auto const overlay = script.substr(script.rfind("plot NaN"));
    EXPECT_NE(overlay.find("with vectors nohead"), std::string::npos) << overlay; // the curve's
    EXPECT_NE(overlay.find("with points"), std::string::npos) << overlay;         // the series's
    EXPECT_EQ(overlay.find("with lines"), std::string::npos) << overlay;
    EXPECT_EQ(script.find("with vectors nohead lc rgb '#0072B2'"),
              script.rfind("with vectors nohead lc rgb '#0072B2'")); // the sample alone
    figure.panels[0].curves[0].points = {{1, 2, {}, {}}, {3, 2, {}, {}}};
    auto const level = gnuplot_script(figure, PictureFormat::png);
    EXPECT_NE(level.find("$one using (1):(2):(2):(0) with vectors nohead"), std::string::npos);
    EXPECT_EQ(level.find("with lines"), std::string::npos) << level;
}

TEST(Bars, GoDownToTheFrameWhereALogarithmCannotShowTheirEnds)
{
    auto figure = small_figure("");
    auto& panel = figure.panels[0];
    panel.y.logarithmic = true;
    panel.series[0].points = {{1, 2, 0.5, 4}, {2, 3, -4, 10}};
    auto const script = gnuplot_script(figure, PictureFormat::png);
    auto const data = script.substr(script.find("$p0s0 << EOD"));
    EXPECT_NE(data.find("\n1 2 0.5 4\n2 3 "), std::string::npos) << data.substr(0, 200);
    EXPECT_EQ(data.find("\n2 3 -"), std::string::npos) << data.substr(0, 200);
    panel.y.logarithmic = false;
    EXPECT_NE(gnuplot_script(figure, PictureFormat::png).find("\n2 3 -4 10\n"), std::string::npos);
}

TEST(Picture, TextsArriveAsTheyAre)
{
    for (std::string const title :
         {"'tis", "a''b", "''", "it's {x}_1 `touch crx-was-here` $(ls) \"q\" @ ~ \\ %s", "\\140",
          "end \\"}) {
        auto const svg = picture(small_figure(title), PictureFormat::svg);
        EXPECT_NE(svg.find(">" + title + "<"), std::string::npos) << title;
    }
    EXPECT_FALSE(std::filesystem::exists("crx-was-here"));
    auto const svg = picture(small_figure("a]]>b <&> ]]>"), PictureFormat::svg);
    EXPECT_EQ(svg.find("]]>"), std::string::npos);
    EXPECT_NE(svg.find("a]]&gt;b &lt;&amp;"), std::string::npos);
}

TEST(Picture, WhatGnuplotRefusesIsAnError)
{
    EXPECT_THROW(run_gnuplot("set terminal svg\nset label ''' a' at 0,0\nplot x\n"), PlotError);
    EXPECT_THROW(run_gnuplot("exit status 3\n"), PlotError);
    EXPECT_EQ(run_gnuplot("set print '-'\nprint 'said'\n"), "said\n");
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

#include "analysis/plot/pgfplots.hh"

#include "analysis/plot/palette.hh"
#include "analysis/plot/tex_text.hh"

#include <gtest/gtest.h>

namespace crx::plot {
namespace {

bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

TEST(TexText, SetsWhatEnhancedTextSetsAndEscapesTheRest)
{
    EXPECT_EQ(tex_text("{/:Italic A}_{max}"), "\\textit{A}\\textsubscript{{max}}");
    EXPECT_EQ(tex_text("x^{-1/2}, 5 × 10^6"),
              "x\\textsuperscript{{-1/2}}, 5 $\\times$ 10\\textsuperscript{6}");
    EXPECT_EQ(tex_text("α = {/:Italic ℓ}/u"), "$\\alpha$ = \\textit{$\\ell$}/u");
    EXPECT_EQ(tex_text("50 % \\_ \\{ \\\\ $ # a\\^b"),
              "50 \\% \\_ \\{ \\textbackslash{} \\$ \\# a\\textasciicircum{}b");
    EXPECT_EQ(tex_text("{/:Italic open"), "\\textit{open}"); // every brace is closed
}

Figure figure()
{
    Panel panel;
    panel.title = "T";
    panel.x.logarithmic = true;
    panel.series.push_back({"s", {0, 0, Stroke::solid, 1}, {{1, 2, 1.9, 2.25}, {10, 3, {}, {}}}});
    panel.curves.push_back({"", {1, -1, Stroke::dashed, 1}, {{1, 2, {}, {}}, {10, gap, {}, {}}}});
    return {"", "caption", {panel}, 0};
}

TEST(Pgfplots, HasTheDataWithItsIntervals)
{
    auto const text = pgfplots_text(figure());
    EXPECT_TRUE(has(text, "\nx y plus minus\n1 2 0.25 0.1\n10 3 0 0\n};\n\\addlegendentry{s}\n"))
        << text;
    EXPECT_TRUE(has(text, "\n1 2\n10 nan\n};\n\\pgfplotsset{/pgfplots/forget plot}\n")) << text;
    EXPECT_TRUE(has(text, "xmode=log, ymode=normal")) << text;
    EXPECT_TRUE(has(text, "title={T}")) << text;
    EXPECT_TRUE(has(text, "% Caption: caption\n")) << text;
    EXPECT_TRUE(has(text, "\\definecolor{crxvermilion}{HTML}{D55E00}")) << text;
}

// A logarithm has no place for the lower end, and pgfplots would drop the point.
TEST(Pgfplots, BarsGoDownToTheFrameWhereALogarithmCannotShowTheirEnds)
{
    auto drawn = figure();
    drawn.panels[0].y.logarithmic = true;
    drawn.panels[0].y.low = 1;
    drawn.panels[0].series[0].points[0].low = -5;
    EXPECT_TRUE(has(pgfplots_text(drawn), "\n1 2 0.25 1\n")) << pgfplots_text(drawn);
}

TEST(Palette, ManyValuesOfAnOrderGoFromDarkToLight)
{
    auto const luminance = [](std::string_view code) {
        auto const part = [&](std::size_t at) {
            return static_cast<double>(std::stoi(std::string(code.substr(at, 2)), nullptr, 16));
        };
        return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
    };
    for (std::size_t i = 1; i < ramp.size(); ++i)
        EXPECT_GT(luminance(ramp[i]), luminance(ramp[i - 1])) << i;
    EXPECT_EQ(colour_code(ramp_colour(0, 20)), ramp.front());
    EXPECT_EQ(colour_code(ramp_colour(19, 20)), ramp.back());
    EXPECT_EQ(colour_code(ramp_colour(0, 1)), ramp.front());
}

} // namespace
} // namespace crx::plot

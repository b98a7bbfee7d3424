#include "analysis/plot/layout.hh"

#include "analysis/plot/enhanced_text.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::plot {
namespace {

/// Two panels with keys of their own, of labels as long as given.
Figure two_panels(std::size_t length)
{
    Figure figure;
    for (int i = 0; i < 2; ++i) {
        Panel panel;
        panel.x.label = "x";
        panel.y.label = "y";
        for (int k = 0; k < 5; ++k)
            panel.series.push_back({std::string(length, static_cast<char>('a' + k)),
                                    {k + i, k},
                                    {{1, 1, {}, {}}, {2, 2, {}, {}}}});
        figure.panels.push_back(panel);
    }
    return figure;
}

TEST(Layout, KeysEndWhereTheirPanelsDo)
{
    for (std::size_t length = 1; length <= 30; ++length) {
        auto const layout = lay_out(two_panels(length));
        ASSERT_EQ(layout.keys.size(), 2u);
        for (std::size_t i = 0; i < 2; ++i) {
            auto const& panel = layout.panels[i];
            EXPECT_LE(layout.keys[i].left + layout.keys[i].key.width,
                      panel.left + panel.width + 1e-9)
                << length;
            EXPECT_GE(layout.keys[i].left, i == 0 ? 0 : layout.panels[0].left + panel.width)
                << length;
        }
    }
}

TEST(Layout, TakesTheWidthAndTheSizeOfTextThatAreAskedFor)
{
    auto figure = two_panels(3);
    figure.title = "A title of some words that does not fit into one line of a narrow figure";
    figure.width = 241;
    for (int const columns : {1, 2})
        for (double const size : {6.0, 8.0, 11.0}) {
            figure.columns = columns;
            figure.font_size = size;
            auto const layout = lay_out(figure);
            EXPECT_EQ(layout.width, 241);
            for (auto const& panel : layout.panels) {
                EXPECT_GT(panel.left, 0);
                EXPECT_GT(panel.width, 30);
                EXPECT_LE(panel.left + panel.width, 241);
            }
            for (auto const& text : layout.texts) {
                auto const across = text.upright ? 0 : text.size * text_width(text.text) / 2;
                EXPECT_LE(text.x + across, 241) << text.text << " at " << size;
                EXPECT_NEAR(std::fmod(text.size * 8 / size, 0.5), 0, 1e-9); // all in proportion
            }
            // One below the other, or side by side.
            EXPECT_EQ(layout.panels[0].top == layout.panels[1].top, columns == 2);
        }
    figure.columns = 5; // of two panels
    EXPECT_EQ(lay_out(figure).panels[1].top, lay_out(figure).panels[0].top);
    EXPECT_GT(lay_out(figure).panels[1].left, 115);
}

} // namespace
} // namespace crx::plot

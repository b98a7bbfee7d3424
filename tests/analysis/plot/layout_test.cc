#include "analysis/plot/layout.hh"

#include "analysis/plot/enhanced_text.hh"

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

} // namespace
} // namespace crx::plot

#include "analysis/plot/enhanced_text.hh"

#include <gtest/gtest.h>

namespace crx::plot {
namespace {

TEST(EnhancedText, EscapeLeavesNothingForGnuplotToRead)
{
    EXPECT_EQ(escape("a_b^{c}@&~\\d"), "a\\_b\\^\\{c\\}\\@\\&\\~\\\\d");
    EXPECT_EQ(escape("one\ntwo\tthree"), "one two three");
    EXPECT_EQ(escape("α = ℓ/u"), "α = ℓ/u");
}

TEST(EnhancedText, QuotedTextCannotEndItsString)
{
    EXPECT_EQ(quote("it's `date` \"x\""), R"("it's \140date\140 \042x\042")");
    EXPECT_EQ(quote("a\nsystem 'b'"), "\"a system 'b'\"");
}

TEST(EnhancedText, NamesOfThePapersAreSetAsThere)
{
    EXPECT_EQ(typeset("A_max at each alpha"), "{/:Italic A}_{max} at each α");
    EXPECT_EQ(typeset("A_l, A_maximal"), "{/:Italic A}_{ℓ}, A\\_maximal");
    EXPECT_EQ(typeset_legend("A_{l}, {/Symbol a}, u = {/Symbol \\245}"),
              "{/:Italic A}_{ℓ}, α, u = ∞");
}

TEST(EnhancedText, WidthCountsWhatIsSeen)
{
    EXPECT_DOUBLE_EQ(text_width("ab"), 1.112);
    EXPECT_DOUBLE_EQ(text_width("{/:Italic A}"), 0.667);
    EXPECT_DOUBLE_EQ(text_width("\\_"), 0.556);
    EXPECT_DOUBLE_EQ(text_width("A_{ab}"), 0.667 + 0.8 * 1.112);
    EXPECT_DOUBLE_EQ(text_width("α"), 0.6);
    EXPECT_GT(text_width("{unclosed"), 0); // ends, whatever it is given
}

TEST(EnhancedText, LinesBreakAtSpacesOutsideBraces)
{
    EXPECT_EQ(wrap("aa bb cc", 2.6), (std::vector<std::string>{"aa bb", "cc"}));
    EXPECT_EQ(wrap("{/:Italic A}_{max} x", 0.1),
              (std::vector<std::string>{"{/:Italic A}_{max}", "x"}));
    EXPECT_TRUE(wrap("", 10).empty());
    EXPECT_EQ(wrap_evenly("aa bb cc dd", 4.3), (std::vector<std::string>{"aa bb", "cc dd"}));
}

} // namespace
} // namespace crx::plot

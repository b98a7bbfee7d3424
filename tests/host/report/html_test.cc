#include "host/report/html.hh"

#include "analysis/plot/enhanced_text.hh"

#include <gtest/gtest.h>

/// Texts of an experiment on the page: shown as they are, whatever they hold.
namespace crx::report {
namespace {

TEST(ReportHtml, ShowsEveryMarkAsItIs)
{
    EXPECT_EQ(escaped("</script><b a='1' c=\"2\">&]]>"),
              "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;]]&gt;");
    EXPECT_EQ(escaped(std::string("a\0b\x1f", 4) + "ℓ"), "a b ℓ");
}

TEST(ReportHtml, SetsEnhancedTextAsAFigureDoes)
{
    EXPECT_EQ(html_of_enhanced("{/:Italic A}_{min} = 10^{-3}, {/:Bold x} y_1"),
              "<i>A</i><sub>min</sub> = 10<sup>-3</sup>, <b>x</b> y<sub>1</sub>");
    EXPECT_EQ(plain_of_enhanced("{/:Italic A}_{ℓ}, 10^{-3}"), "A_ℓ, 10^-3");
    // What a user wrote comes back as it was, through the escapes of figures.
    std::string const hostile = "{a}_b^c @d &e ~f \\g <i>\"'</script>]]> A-max";
    EXPECT_EQ(html_of_enhanced(plot::typeset(hostile)), escaped(hostile));
    EXPECT_EQ(plain_of_enhanced(plot::typeset(hostile)), hostile);
}

TEST(ReportHtml, EndsWithAnUnfinishedGroup)
{
    EXPECT_EQ(html_of_enhanced("{/:Italic"), "<i></i>");
    EXPECT_EQ(html_of_enhanced("{/:Italic}b"), "<i></i>b");
    EXPECT_EQ(html_of_enhanced("a_"), "a<sub></sub>");
    EXPECT_EQ(html_of_enhanced("}a\\"), "a\\");
}

TEST(ReportHtml, KeepsJsonInsideItsElement)
{
    nlohmann::ordered_json const value{{"a", "</script><!--"}};
    auto const text = json_in_script(value);
    EXPECT_EQ(text.find('<'), std::string::npos) << text;
    EXPECT_EQ(nlohmann::ordered_json::parse(text), value);
}

TEST(ReportHtml, EncodesPicturesOfAnyLength)
{
    // RFC 4648, section 10.
    std::string const begin = "data:image/svg+xml;base64,";
    EXPECT_EQ(svg_address(""), begin);
    EXPECT_EQ(svg_address("f"), begin + "Zg==");
    EXPECT_EQ(svg_address("fo"), begin + "Zm8=");
    EXPECT_EQ(svg_address("foo"), begin + "Zm9v");
    EXPECT_EQ(svg_address("foobar"), begin + "Zm9vYmFy");
}

} // namespace
} // namespace crx::report

#include "host/experiment/axis.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

std::vector<double> axis(std::string const& written)
{
    auto const document = parse_toml("a = " + written, "x.toml");
    return read_axis(document.table.front().value, "a");
}

using Values = std::vector<double>;

TEST(Axis, ListsAreSorted) { EXPECT_EQ(axis("[3, 1.5, 2]"), (Values{1.5, 2, 3})); }

TEST(Axis, LinearRangesHaveRoundDecimals)
{
    auto const values = axis("{ from = 0.02, to = 1.0, points = 50 }");
    ASSERT_EQ(values.size(), 50u);
    // In doubles 0.02 + 2 * 0.02 is 0.06 but 0.02 + 28 * 0.02 is 0.5800000000000001.
    EXPECT_EQ(values[2], 0.06);
    EXPECT_EQ(values[28], 0.58);
    EXPECT_EQ(values.back(), 1);
}

TEST(Axis, StepsKeepTheLastPoint)
{
    EXPECT_EQ(axis("{ from = 0.1, to = 0.3, step = 0.1 }"), (Values{0.1, 0.2, 0.3}));
    EXPECT_EQ(axis("{ from = 1, to = 2, step = 0.4 }"), (Values{1, 1.4, 1.8}));
    EXPECT_EQ(axis("{ from = 1, to = 1, step = 5 }"), Values{1});
}

TEST(Axis, LogarithmicRangesMultiply)
{
    EXPECT_EQ(axis("{ from = 0.01, to = 100, points = 5, scale = \"log\" }"),
              (Values{0.01, 0.1, 1, 10, 100}));
    // sqrt(2) to 12 digits
    EXPECT_EQ(axis("{ from = 1, to = 2, points = 3, scale = \"log\" }")[1], 1.41421356237);
}

TEST(Axis, EndsMayBeExpressions)
{
    EXPECT_EQ(axis("{ from = \"1/4\", to = \"sqrt(4)\", points = 2 }"), (Values{0.25, 2}));
}

} // namespace

} // namespace crx

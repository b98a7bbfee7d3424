#include "analysis/bounds/curve_catalogue.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace crx::bounds {
namespace {

TEST(CurveCatalogue, NamesAreUniqueAndDescribed)
{
    std::set<std::string> ids;
    for (auto const& curve : curve_catalogue()) {
        EXPECT_TRUE(ids.insert(curve.id).second) << curve.id;
        EXPECT_FALSE(curve.statement.empty());
        EXPECT_FALSE(curve.source.empty());
        EXPECT_FALSE(curve.legend.empty());
        EXPECT_EQ(find_curve(curve.id), &curve);
    }
    EXPECT_EQ(find_curve("no-such-curve"), nullptr);
}

TEST(CurveCatalogue, EveryCurveHasAValueAtAnOrdinaryPointAndNoneAtNaN)
{
    CurveParameters const ordinary = {
        {"alpha", 0.25}, {"w", 0.5}, {"q", 0.7}, {"u", 100}, {"s", 0}};
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CurveParameters const nowhere = {
        {"alpha", nan}, {"w", nan}, {"q", nan}, {"u", nan}, {"s", nan}};
    for (auto const& curve : curve_catalogue()) {
        auto const value = curve.evaluate(ordinary);
        ASSERT_TRUE(value) << curve.id;
        EXPECT_GE(*value, 1) << curve.id;
        EXPECT_FALSE(curve.evaluate(nowhere)) << curve.id;
        EXPECT_THROW(curve.evaluate({}), std::invalid_argument) << curve.id;
    }
}

TEST(CurveCatalogue, ParametersOfAShapeAgree)
{
    auto const* curve = find_curve("chen-5.1-general");
    auto const by_lengths = curve->evaluate({{"l", 5}, {"u", 20}, {"s", 10}});
    auto const by_alpha = curve->evaluate({{"alpha", 0.25}, {"s_over_u", 0.5}});
    auto const mixed = curve->evaluate({{"alpha", 0.25}, {"u", 20}, {"s", 10}});
    EXPECT_DOUBLE_EQ(*by_lengths, *by_alpha);
    EXPECT_DOUBLE_EQ(*by_lengths, *mixed);
    EXPECT_DOUBLE_EQ(*find_curve("chen-5.1")->evaluate({{"l", 5}, {"u", 20}}), 1.375);
}

} // namespace
} // namespace crx::bounds

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
    CurveParameters const ordinary = {{"alpha", 0.25}, {"w", 0.5}, {"q", 0.7},
                                      {"u", 100},      {"s", 0},   {"peak_share", 0.25}};
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CurveParameters const nowhere = {{"alpha", nan}, {"w", nan}, {"q", nan},
                                     {"u", nan},     {"s", nan}, {"peak_share", nan}};
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

TEST(CurveCatalogue, TheLogarithmicBoundIsOneWithoutPromptsOnly)
{
    auto const* curve = find_curve("log-bound");
    double const at_zero = 1.25 + std::log(1e6) / 4;
    EXPECT_DOUBLE_EQ(*curve->evaluate({{"l", 1}, {"u", 1e6}, {"s", 0}}), at_zero);
    EXPECT_DOUBLE_EQ(*curve->evaluate({{"alpha", 1e-6}, {"s_over_u", 0}}), at_zero);
    // rho is 13.3 at l = 1, u = 10^6, s = 100 (crx spectrum).
    EXPECT_FALSE(curve->evaluate({{"l", 1}, {"u", 1e6}, {"s", 100}}));
    EXPECT_FALSE(curve->evaluate({{"alpha", 1e-6}, {"u", 1e6}, {"s", 100}}));
    EXPECT_FALSE(curve->evaluate({{"alpha", 1e-6}, {"s", 100}}));
    EXPECT_FALSE(curve->evaluate({{"alpha", 1e-6}, {"s_over_u", 1e-4}}));
    EXPECT_FALSE(curve->evaluate({{"alpha", 1}, {"s_over_u", 1}}));
}

TEST(CurveCatalogue, AReaderKnowsWhatWasRead)
{
    CurveParameters const all = {{"alpha", 0.5},    {"l", 5}, {"u", 10},  {"s", 2},
                                 {"s_over_u", 0.2}, {"t", 1}, {"w", 0.1}, {"q", 0.5}};
    auto const read = [&](char const* id) {
        CurveReader const reader(all);
        find_curve(id)->function(reader);
        return reader.read();
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(read("chen-3.3"), Names{"alpha"});
    EXPECT_EQ(read("a-min-two-point"), (Names{"l", "u", "s", "t"}));
    EXPECT_EQ(read("chen-5.3"), Names{"q"});
    EXPECT_EQ(read("chen-4.6-geometric"), (Names{"q", "u", "s"}));
}

TEST(CurveCatalogue, NeverNaNAtLargeOdds)
{
    for (double const t : {1e140, 1e149, 1e151, 1e160, 1e200, 1e308})
        for (auto const* id :
             {"a-max-two-point", "a-random-two-point", "a-min-two-point", "a-ell-two-point"}) {
            // The limits at t = infinity, with a = b = 0.1: 1/b for A_max, 1 for the others.
            auto const value = find_curve(id)->function(CurveReader({{"alpha", 0.1}, {"t", t}}));
            EXPECT_DOUBLE_EQ(value, std::string(id) == "a-max-two-point" ? 10 : 1) << id << t;
        }
}

} // namespace
} // namespace crx::bounds

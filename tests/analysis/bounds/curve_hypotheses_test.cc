#include "analysis/bounds/curve_catalogue.hh"

#include <gtest/gtest.h>

namespace crx::bounds {
namespace {

using Texts = std::vector<std::string>;

TEST(CurveHypotheses, EveryCurveHasThem)
{
    for (auto const& curve : curve_catalogue())
        EXPECT_NE(hypotheses_of(curve.id), nullptr) << curve.id;
    EXPECT_EQ(hypotheses_of("none"), nullptr);
}

TEST(CurveHypotheses, WhatFailsIsNamed)
{
    auto const& on_two_points = *hypotheses_of("chen-5.1");
    EXPECT_EQ(failed_hypotheses(on_two_points, {}), Texts{});
    CurveCase at{BaselineKind::volume, true, true, 20., 50., true, true};
    EXPECT_EQ(failed_hypotheses(on_two_points, at),
              (Texts{"over H-SF", "for prompts of 0", "for outputs of two lengths",
                     "for requests that all arrive at 0", "for rounds of one length"}));
    auto const& of_opt = *hypotheses_of("a-max-any-outputs");
    at = {BaselineKind::best_found, false, true, 20., 50.};
    EXPECT_EQ(failed_hypotheses(of_opt, at), Texts{"for u that divides M"});
    at = {BaselineKind::opt_lower, false, true, 25., 50.};
    EXPECT_EQ(failed_hypotheses(of_opt, at), Texts{"over OPT and schedules"});
    at = {BaselineKind::h_sf, true, false, 20., 50.};
    EXPECT_EQ(failed_hypotheses(*hypotheses_of("chen-3.4-corrected"), at),
              (Texts{"for prompts of 0", "for u = M"}));
}

TEST(CurveHypotheses, ACurveOfTheFluidRatioSaysSo)
{
    EXPECT_FALSE(hypotheses_of("chen-3.3")->limit);
    auto const& curve = *hypotheses_of("log-bound");
    EXPECT_TRUE(curve.limit);
    EXPECT_EQ(all_hypotheses(curve).back(), limit_text);
    EXPECT_EQ(failed_hypotheses(curve, {}), Texts{}); // of no instance is it known that it fails
}

} // namespace
} // namespace crx::bounds

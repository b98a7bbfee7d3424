#pragma once

#include "analysis/spectrum/growth.hh"

#include <functional>
#include <string>
#include <vector>

namespace crx::spectrum {

struct FigurePoint
{
    double x, y;
};

/// Points (x, function(x)) for `count` steps of x from low to high, evenly or in equal ratios.
std::vector<FigurePoint> sampled(double low, double high, int count, bool logarithmic,
                                 std::function<double(double)> const& function);

/// Points (u, function(u)) at whole u from 1 to last only, about evenly in ln u.
std::vector<FigurePoint> sampled_whole(double last,
                                       std::function<double(std::int64_t)> const& function);

/// A curve, or single points. Lines of one `group` belong together and differ in `kind`, one of
/// those of the catalogue's curves (docs/protocol.md). Labels are text of documents.
struct FigureLine
{
    std::string label, kind;
    int group;
    std::vector<FigurePoint> points;
};

struct FigureAxis
{
    std::string label;
    bool logarithmic = false;
    double low = 0, high = 1;
};

struct FigurePanel
{
    std::string title;
    FigureAxis x, y;
    std::vector<FigureLine> points, curves; ///< computed points; closed forms
};
using Figure = std::vector<FigurePanel>;

/// CHEN Figure 1 and its extension: rho against u with the published fit, the proven
/// bound and H_u; below it the local slope d rho / d ln u against 1/4. l = 1, s = 0.
///
/// Contract: at least one point.
Figure growth_figure(std::span<GrowthPoint const> points);

/// CHEN Figure 2 and its extension: two-point suprema of A_min and A_l against alpha for
/// s/u = 0 (as published), 0.1, 1 and infinity, with their crossings.
Figure two_point_figure();

/// CHEN Figure 3 and its extension: geometric (left) and linear-geometric (right) ratios against q,
/// u infinite, for s = 0 (as published), 1, 10 and 100, with the published 1.7 and 14/9.
Figure laws_figure();

/// One curve of rho against 1/alpha.
struct AlphaCurve
{
    std::int64_t l;
    double s;
    std::vector<double> inverse_alpha;
    std::vector<double> rho;
};

/// rho against 1/alpha for several l and s, with 5/4 + ln(1/alpha)/4 (proven at s = 0) and
/// (1 + alpha^-1/2)/2 (the limit of long prompts).
Figure alpha_figure(std::span<AlphaCurve const> curves);

} // namespace crx::spectrum

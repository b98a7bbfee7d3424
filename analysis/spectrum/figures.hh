#pragma once

#include "analysis/spectrum/growth.hh"

#include <filesystem>
#include <span>

namespace crx::spectrum {

/// CHEN Figure 1 and its extension: rho against u with the published fit, the proven
/// bound and H_u; below it the local slope d rho / d ln u against 1/4. l = 1, s = 0.
///
/// All figures: the file's extension (.svg, .pdf, .png) picks the format; another one is refused
/// with std::domain_error. Throws std::runtime_error if gnuplot leaves no file.
void draw_growth(std::filesystem::path const& file, std::span<GrowthPoint const> points);

/// CHEN Figure 2 and its extension: two-point suprema of A_min and A_l against alpha for
/// s/u = 0 (as published), 0.1, 1 and infinity, with their crossings.
void draw_two_point(std::filesystem::path const& file);

/// CHEN Figure 3 and its extension: geometric (left) and linear-geometric (right) ratios against q,
/// u infinite, for s = 0 (as published), 1, 10 and 100, with the published 1.7 and 14/9.
void draw_laws(std::filesystem::path const& file);

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
void draw_alpha(std::filesystem::path const& file, std::span<AlphaCurve const> curves);

} // namespace crx::spectrum

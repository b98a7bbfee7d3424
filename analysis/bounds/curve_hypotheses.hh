#pragma once

#include "kernels/model/requests.cuh"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx::bounds {

/// What a curve of the catalogue is about. Where one of these fails it says nothing of the points
/// beside it: it may lie below them without being refuted.
struct CurveHypotheses
{
    std::string_view id;
    bool of_opt = false;      ///< proven against OPT; else against H-SF alone
    bool no_prompts = false;  ///< s = 0
    bool two_lengths = false; ///< every output is l or u
    bool u_divides_m = false;
};

/// Those of a curve; null where there is no such curve.
CurveHypotheses const* hypotheses_of(std::string_view id);

/// What is known of a cell; what is not known fails no hypothesis.
struct CurveCase
{
    BaselineKind baseline = BaselineKind::h_sf;
    std::optional<bool> prompts;       ///< any
    std::optional<bool> other_lengths; ///< outputs of three values or more may occur
    std::optional<double> u, memory;
    bool arrivals = false, affine = false;
};

/// All of a curve's hypotheses, in the words of failed_hypotheses.
std::vector<std::string> all_hypotheses(CurveHypotheses const& curve);

/// The hypotheses that fail, in words that end "it is .."; empty: the curve holds as it stands.
std::vector<std::string> failed_hypotheses(CurveHypotheses const& curve, CurveCase const& at);

} // namespace crx::bounds

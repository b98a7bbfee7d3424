#pragma once

#include "analysis/plot/figure.hh"
#include "kernels/policies/policy_spec.cuh"

#include <optional>
#include <string_view>

namespace crx {

/// Which policy a curve of the catalogue speaks of, and how it is drawn: an upper bound dashed, a
/// claimed lower bound dotted, the value on a construction dash-dotted, a value in the fluid
/// picture solid.
struct CurveLook
{
    std::optional<PolicyKind> policy;
    plot::Stroke stroke;
};

/// Looks of a curve; of one that is not known here: grey and long-dashed.
CurveLook curve_look(std::string_view id);

} // namespace crx

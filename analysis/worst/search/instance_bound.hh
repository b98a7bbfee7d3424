#pragma once

#include "analysis/bounds/curve_catalogue.hh"
#include "kernels/cpu/single.hh"

#include <functional>
#include <optional>

namespace crx::worst {

/// The value of a curve of the catalogue for instances as it speaks of them: all told the same
/// [l, u], one prompt length s, all at 0. Nothing where an instance is no such one, or where one of
/// the curve's hypotheses fails. Odds w are those of the instance's outputs. Throws
/// std::invalid_argument for a curve that needs more than that. The curve must outlive it.
std::function<std::optional<double>(OwnedInstance const&)>
instance_bound(bounds::Curve const& curve);

} // namespace crx::worst

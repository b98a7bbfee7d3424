#pragma once

#include "analysis/plot/figure.hh"
#include "host/experiment/experiment.hh"
#include "kernels/policies/policy_spec.cuh"

namespace crx {

/// A policy's name as the papers set it, in enhanced text; mc-sf is H-SF where all requests arrive
/// at 0 (CHEN), and MC-SF else (JAILLET). A label that the experiment gave is
/// printed as it stands, but for the id where it begins with it: "a-ladder, doubling".
std::string policy_text(PolicyEntry const& policy, bool all_at_zero = true);

/// Colour and shape of each policy of an experiment: the same in every figure, but for a second
/// policy of the same id, which gets what is free.
std::vector<plot::Style> policy_styles(std::vector<PolicyEntry> const& policies);

/// Colour of a policy wherever it is drawn.
int policy_colour(PolicyKind kind);

} // namespace crx

#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// A policy's name as the papers set it, in the text of documents; mc-sf is H-SF where all requests
/// arrive at 0 (CHEN), and MC-SF else (JAILLET). A label that the experiment gave is printed as it
/// stands, but for the id where it begins with it: "a-ladder, doubling".
std::string policy_text(PolicyEntry const& policy, bool all_at_zero = true);

/// What follows the id in a label that begins with it.
std::string policy_variant(PolicyEntry const& policy);

/// Which policy a curve of the catalogue speaks of, by its id; empty: of none. And what it is:
/// "upper" or "lower" bound, value on a "construction", in the "fluid" picture, or "general".
struct CurveSubject
{
    std::string_view policy, kind = "general";
};
CurveSubject curve_subject(std::string_view curve);

/// Whether a curve of the catalogue speaks of the policy of that id.
bool speaks_of(std::string_view curve, std::string const& policy);

} // namespace crx

#pragma once

#include "host/experiment/experiment.hh"

#include <string>
#include <string_view>

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

// Texts of documents are plain UTF-8 with mathematics in dollars, as matplotlib and TeX read it;
// docs/protocol.md lists what stands inside.

/// Plain text as text that prints just that: dollars are escaped, control characters are spaces.
std::string escape(std::string_view plain);

/// Plain text with the names of the papers as they set them: A_max, A_min, A_l, A_random with a
/// slanted A and a subscript, and the word alpha as the Greek letter. All else as escape().
std::string typeset(std::string_view plain);

/// "n" as a slanted letter.
std::string slanted(std::string_view letter);

/// Plain words as a subscript: "max" and "share" as max with share below.
std::string with_subscript(std::string_view text, std::string_view below);

} // namespace crx

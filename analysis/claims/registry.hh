#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// Every claim, paper by paper, in the order of the text.
std::vector<Claim> const& all_claims();

/// Null where there is none of that id.
Claim const* find_claim(std::string_view id);

} // namespace crx::claims

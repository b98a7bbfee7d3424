#pragma once

#include "host/evidence/claims/claim.hh"

namespace crx::claims {

/// Claims as Markdown, paper by paper: how many have each verdict, then what each says and what
/// shows it. docs/claims.md ends with that of the program's claims.
std::string claims_list(std::vector<Claim> const& list);

/// Text broken at spaces so that no line is longer than `width`, each line after the first behind
/// `indent`; the first one begins in column `column`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t column = 0);

} // namespace crx::claims

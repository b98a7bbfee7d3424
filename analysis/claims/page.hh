#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// docs/claims.md as it should be: every claim, paper by paper, a table and what is behind each
/// row.
std::string claims_page();

/// Text broken at spaces so that no line is longer than `width`, each line after the first behind
/// `indent`; the first one begins in column `column`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t column = 0);

} // namespace crx::claims

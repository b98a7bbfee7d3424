#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// "JAILLET", as the program's documents name the paper.
std::string_view name_of(Paper paper);
/// "exact identity", "search", ...
std::string_view name_of(Method method);
/// "broken as printed", ...
std::string_view name_of(Verdict verdict);

} // namespace crx::claims

#pragma once

#include <string>
#include <vector>

namespace crx {

/// The accepted name nearest to a wrong one, by insertions, deletions, changes and exchanges of
/// neighbouring letters; empty if none is near enough to be what was meant.
std::string nearest_name(std::string const& wrong, std::vector<std::string> const& accepted);

/// "a, b, c" and, where one is near, " (did you mean b?)".
std::string listed_with_nearest(std::string const& wrong, std::vector<std::string> accepted);

} // namespace crx

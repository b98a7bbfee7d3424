#pragma once

#include <string>

namespace crx {

/// Where two canonical JSON texts differ, a line each, indented by two spaces:
///
///     seed: 1 there, 2 here
///     policies[1].id: "a-max" there, absent here
///
/// At most eight lines, long values cut; empty if the texts hold the same. Text that is not JSON is
/// compared whole.
std::string describe_difference(std::string const& there, std::string const& here);

} // namespace crx

#pragma once

#include "kernels/policies/registry.cuh"

#include <string>
#include <vector>

namespace crx {

/// The policy that --policy and --levels name. Throws ConfigError naming the option: an unknown id
/// (with the nearest known one), levels where none are taken, levels missing, not ascending, not
/// positive or too many.
PolicySpec policy_argument(std::string const& id, std::vector<std::int64_t> const& levels);

/// The table's entry of a policy.
PolicyInfo const& info_of(PolicyKind kind);

/// All ids with their summaries, a line each, for --help.
std::string policy_help();

} // namespace crx

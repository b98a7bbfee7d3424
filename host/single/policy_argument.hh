#pragma once

#include "kernels/policies/policy_info.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx {

/// What --levels, --alpha, --beta, --round-cap and --learns say; nothing where they were not given.
struct PolicyParameters
{
    std::vector<std::int64_t> levels;
    std::optional<double> alpha, beta;
    std::int64_t round_cap = 0;
    std::string learns = {};
};

/// The policy that --policy and its parameters name. Throws ConfigError naming the option: an
/// unknown id (with the nearest known one), a parameter that is missing or not taken, levels that
/// do not ascend, are not positive or too many, shares outside [0, 1] or of more than nine places.
PolicySpec policy_argument(std::string const& id, PolicyParameters const& given);

/// All ids with their summaries, a line each, for --help.
std::string policy_help();

} // namespace crx

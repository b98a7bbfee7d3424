#include "host/single/policy_argument.hh"

#include "host/error.hh"
#include "host/experiment/decimal_fraction.hh"
#include "host/experiment/policy_list.hh"
#include "host/experiment/reading/nearest_name.hh"
#include "host/experiment/reading/number_range.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx {
namespace {

LadderLevels check_levels(std::vector<std::int64_t> const& levels)
{
    auto const text = fmt::format("{}", fmt::join(levels, ","));
    LadderLevels checked;
    auto const accepted =
        fmt::format("1 to {} ascending whole numbers from 1 to 2147483647", LadderLevels::most);
    if (levels.empty() || levels.size() > LadderLevels::most)
        throw ConfigError("command line", "--levels", text, accepted);
    std::int64_t previous = 0;
    for (auto const level : levels) {
        if (!(level > previous && level <= INT32_MAX))
            throw ConfigError("command line", "--levels", text, accepted);
        checked.level[checked.count++] = static_cast<std::int32_t>(level);
        previous = level;
    }
    return checked;
}

[[noreturn]] void refuse(std::string const& id, std::string const& option, std::string const& value,
                         std::string const& what)
{
    throw ConfigError("command line", option, value, "left out: " + id + " takes no " + what);
}

ExactShare check_share(std::string const& id, std::string const& name,
                       std::optional<double> const& given, bool taken)
{
    auto const text = given ? written_number(*given) : "";
    if (!taken && given) refuse(id, "--" + name, text, name);
    if (!taken) return {};
    auto const fraction =
        given && *given >= 0 && *given <= 1 ? decimal_fraction(*given) : std::nullopt;
    if (!fraction)
        throw ConfigError("command line", "--" + name, text,
                          "a decimal in [0, 1] of at most nine places: " + id + " needs it");
    return {fraction->numerator, fraction->denominator};
}

} // namespace

PolicySpec policy_argument(std::string const& id, PolicyParameters const& given)
{
    auto const* const info = find_policy(id);
    if (info == nullptr)
        throw ConfigError("command line", "--policy", id,
                          "one of " + listed_with_nearest(id, policy_ids()));
    PolicySpec spec{info->kind};
    if (info->takes_levels)
        spec.levels = check_levels(given.levels);
    else if (!given.levels.empty())
        refuse(id, "--levels", fmt::format("{}", fmt::join(given.levels, ",")), "levels");
    spec.alpha = check_share(id, "alpha", given.alpha, info->takes_alpha);
    spec.beta = check_share(id, "beta", given.beta, info->takes_beta);
    if (given.round_cap != 0 && !info->takes_beta)
        refuse(id, "--round-cap", std::to_string(given.round_cap), "cap");
    spec.round_cap = given.round_cap;
    if (!given.learns.empty() && !info->takes_learns)
        refuse(id, "--learns", given.learns, "choice of what it learns");
    spec.learns = given.learns == "exceeded" ? Learns::exceeded : Learns::reached;
    return spec;
}

std::string policy_help()
{
    std::string text = "Policies:\n";
    for (auto const& info : policy_table())
        text += fmt::format("  {:<14} {}\n", info.id, info.summary);
    return text;
}

} // namespace crx

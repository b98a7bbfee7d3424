#include "host/single/policy_argument.hh"

#include "host/error.hh"
#include "host/experiment/nearest_name.hh"
#include "host/experiment/policy_list.hh"

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

} // namespace

PolicySpec policy_argument(std::string const& id, std::vector<std::int64_t> const& levels)
{
    for (auto const& info : policy_table) {
        if (id != info.id) continue;
        if (info.takes_levels) return {info.kind, check_levels(levels)};
        if (!levels.empty())
            throw ConfigError("command line", "--levels", fmt::format("{}", fmt::join(levels, ",")),
                              "left out: " + id + " takes no levels");
        return {info.kind, {}};
    }
    throw ConfigError("command line", "--policy", id,
                      "one of " + listed_with_nearest(id, policy_ids()));
}

PolicyInfo const& info_of(PolicyKind kind)
{
    return *std::ranges::find(policy_table, kind, &PolicyInfo::kind);
}

std::string policy_help()
{
    std::string text = "Policies:\n";
    for (auto const& info : policy_table)
        text += fmt::format("  {:<14} {}\n", info.id, info.summary);
    return text;
}

} // namespace crx

#include "host/results/what_is_missing.hh"

#include "host/experiment/experiment_text.hh"
#include "host/input/config_reader.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/store/shard_record.hh"
#include "kernels/base/counted.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crx {

namespace {

/// Instances that every cell is to have; 0 where a half-width decides.
std::int64_t wanted_instances(StoreHeader const& header, std::string const& name)
{
    auto const document = parse_overridden(header.text, name + ":experiment", header.overrides);
    auto const* stop = document.find("stop");
    if (stop == nullptr || stop->find("half_width") != nullptr) return 0;
    auto const* instances = stop->find("instances");
    return instances != nullptr ? static_cast<std::int64_t>(instances->number()) : 0;
}

/// Whether some policy has run fewer instances of the cell than another.
bool lacks_policies(CellResult const& cell, std::size_t policies)
{
    for (std::size_t p = 0; p < policies; ++p)
        if (runs_of(cell, p) < cell.instances) return true;
    return false;
}

} // namespace

std::string what_is_missing(StoreContents const& contents, std::string const& name)
{
    auto const& header = contents.header;
    if (!header.shard.empty())
        return name + ": has a part of its experiment only, that of " + shard_name(header.shard) +
               "; crx merge joins it with the others";
    auto const wanted = wanted_instances(header, name);
    std::int64_t not_run = 0, without_policies = 0, fewer = 0;
    for (auto const& cell : contents.cells) {
        if (cell.instances == 0)
            ++not_run;
        else if (lacks_policies(cell, header.policies.size()))
            ++without_policies;
        else if (cell.instances < wanted)
            ++fewer;
    }
    std::vector<std::string> parts;
    if (not_run > 0) parts.push_back(fmt::format("{} not run yet", not_run));
    if (without_policies > 0)
        parts.push_back(fmt::format("{} without all policies", without_policies));
    if (fewer > 0) parts.push_back(fmt::format("{} with fewer than {} instances", fewer, wanted));
    if (parts.empty()) return {};
    return fmt::format("{}: not complete: of {}, {}; crx sweep EXPERIMENT --db {} goes on", name,
                       counted(static_cast<std::int64_t>(contents.cells.size()), "cell"),
                       fmt::join(parts, ", "), shell_word(name));
}

void warn_of_missing(StoreContents const& contents, std::string const& name)
{
    if (auto const missing = what_is_missing(contents, name); !missing.empty()) say(missing);
}

} // namespace crx

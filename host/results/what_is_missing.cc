#include "host/results/what_is_missing.hh"

#include "analysis/baseline/out_of_reach.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/experiment_text.hh"
#include "host/input/config_reader.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/store/shard_record.hh"
#include "kernels/base/counted.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>
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

namespace {

/// Seconds that may go by before a sweep begins, and cells of a store that are made again.
constexpr double seconds_for_warnings = 2;
constexpr std::size_t most_asked = 20;

} // namespace

std::string why_without_baseline(Cell const& cell, BaselineKind kind)
{
    if (static_cast<int>(kind) < engine_baselines || !cell.host_baselines) return {};
    auto const instance = cell.source ? generate_single(*cell.source, cell.workload.seed, 0)
                                      : generate_single(cell.workload, 0);
    return baseline::why_out_of_reach(kind, instance);
}

std::vector<std::string> warnings_of_baselines(Experiment const& experiment,
                                               std::vector<PlannedCell> const& cells)
{
    struct Found
    {
        std::int64_t cells = 0;
        std::string first, why;
    };
    std::map<BaselineKind, Found> found;
    for (auto const& id : experiment.baselines)
        if (auto const kind = baseline_named(id);
            kind && static_cast<int>(*kind) >= engine_baselines)
            found[*kind];
    std::vector<std::string> warnings;
    if (found.empty()) return warnings;
    auto const begin = std::chrono::steady_clock::now();
    std::int64_t asked = 0;
    for (auto const& planned : cells) {
        if (seconds_since(begin) > seconds_for_warnings) break;
        ++asked;
        auto const cell = experiment.make_cell(planned.sweep, planned.coordinates).cell;
        for (auto& [kind, missing] : found) {
            auto const why = why_without_baseline(cell, kind);
            if (why.empty()) continue;
            if (missing.cells++ == 0)
                missing = {1, point_text(planned.sweep, planned.coordinates), why};
        }
    }
    for (auto const& [kind, missing] : found)
        if (missing.cells > 0)
            warnings.push_back(fmt::format(
                "warning: baseline {} is not expected to have a value in {} of {}{}: {}\n"
                "  (first sweep {}; instance 0 of each cell was looked at)",
                name_of(kind).id, missing.cells, counted(asked, "cell"),
                asked < static_cast<std::int64_t>(cells.size()) ? " looked at" : "", missing.why,
                missing.first));
    return warnings;
}

std::string MissingBaselines::why(CellResult const& cell, BaselineKind kind)
{
    if (static_cast<int>(kind) < engine_baselines) return {};
    auto const place = std::pair(cell.index, kind);
    if (auto const found = known_.find(place); found != known_.end()) return found->second;
    if (known_.size() >= most_asked)
        return fmt::format("the reason was looked for in {} cells before this one", most_asked);
    auto& why = known_[place];
    try {
        auto const& header = contents_.header;
        if (!std::exchange(read_, true))
            experiment_ = Experiment::parse(header.text, name_ + ":experiment", header.folder,
                                            header.overrides);
        if (!experiment_) return {};
        auto const planned = experiment_->make_cell(cell.sweep, cell.coordinates);
        if (planned.identity == cell.identity) why = why_without_baseline(planned.cell, kind);
    } catch (std::exception const&) {
        // The store alone does not say why: a trace is gone or another program made it.
    }
    return why;
}

} // namespace crx

#pragma once

#include "host/error.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/input/config_reader.hh"

#include <fmt/core.h>
#include <stdexcept>

namespace crx {

// The parts of a cell of the iteration model (docs/iteration.md). All throw InputError.

/// [[workload.type]] tables, from the file or from traces.
void read_types(ConfigReader& workload, TraceFiles& traces, IterationSetting& setting);

/// One [[policy]]. The rest of the setting is there already.
IterationPolicyEntry read_iteration_policy(ConfigValue const& table, std::size_t number,
                                           IterationSetting const& setting);
/// Groups, segments, thresholds and delta of nested-wait.
void read_nested_wait(ConfigReader& reader, IterationSetting const& setting,
                      IterationPolicyEntry& entry);

/// A list of integers from 1 to `most`, not empty.
std::vector<std::int64_t> read_integers(ConfigReader& reader, std::string const& key,
                                        std::int64_t most);
[[noreturn]] void fail_without_thresholds(ConfigReader& reader, double utilisation);
/// The policy's least thresholds; InputError with the place where they cannot be found.
template <class Find>
auto thresholds_of(ConfigReader& reader, Find find)
{
    try {
        return find();
    } catch (std::domain_error const& error) {
        throw InputError(
            fmt::format("{}: no thresholds to run with: {}", reader.table().where, error.what()));
    }
}

} // namespace crx

#pragma once

#include "analysis/baseline/hindsight_baselines.hh"
#include "host/input/config_reader.hh"

#include <string>
#include <vector>

namespace crx {

/// What an experiment divides by, and how hard it tries to know it.
struct BaselinePlan
{
    std::vector<std::string> ids; ///< of baseline_names, as the file lists them
    baseline::HindsightEffort effort;
    std::string where;    ///< file and line, for messages
    bool in_file = false; ///< else `ids` are the usual ones

    bool has(BaselineKind kind) const;
    /// Those that the host makes beside the engines.
    std::vector<BaselineKind> of_host() const;
};

/// Reads [baselines] of a document. Throws InputError.
BaselinePlan read_baselines(ConfigReader& top);

} // namespace crx

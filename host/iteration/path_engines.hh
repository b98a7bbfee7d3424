#pragma once

#include "host/iteration/iteration_setting.hh"

namespace crx {

/// What runs the paths of one policy, and why the others do not.
struct PathEngine
{
    std::string name, summary;
    std::vector<std::pair<std::string, std::string>> others; ///< engine, why it does not
};

/// The choice of kernels/engines/iterations for a policy, the same on the CPU and on a GPU.
/// `by_type`: sums of each type are kept, which only the CPU does.
PathEngine path_engine(IterationPolicySpec const& policy, bool by_type);

/// Why a GPU cannot run the setting's paths; empty where it can.
std::string why_not_on_gpu(IterationSetting const& setting);

} // namespace crx

#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// Positions of the policies to replay: the one of that label, or all where it is empty. Throws
/// ConfigError.
std::vector<std::size_t> replayed_policies(Experiment const& experiment, std::string const& label);

} // namespace crx

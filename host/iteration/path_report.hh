#pragma once

#include "host/iteration/path_replay.hh"

#include <nlohmann/json.hpp>
#include <string>

namespace crx {

/// A path run again, as `crx replay --json` prints it.
nlohmann::ordered_json path_as_json(std::string const& label, std::int64_t path,
                                    PathReplay const& run);

} // namespace crx

#pragma once

#include <string>

namespace crx {

/// What program this is; kept with everything that it computes.
struct BuildInfo
{
    std::string version;
    std::string commit; ///< of the sources; "-dirty" behind it where they differed from it
    std::string build_type;
};

BuildInfo const& build_info();

/// "crx 0.1.0, commit 0123456789ab, build type Release".
std::string build_text();

} // namespace crx

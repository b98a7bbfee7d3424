#pragma once

#include <cstdint>
#include <string>

namespace crx {

/// For messages: "1 request", "2 requests", "0 requests".
inline std::string counted(std::int64_t count, std::string const& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

} // namespace crx

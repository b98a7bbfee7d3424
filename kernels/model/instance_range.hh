#pragma once

#include <cstdint>

namespace crx {

/// A range of a cell's instances.
struct InstanceRange
{
    std::int64_t first = 0, count = 0;

    bool operator==(InstanceRange const&) const = default;
};

} // namespace crx

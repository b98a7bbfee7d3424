#pragma once

#include "kernels/model/clock.cuh"

#include <optional>
#include <string>

namespace crx {

/// What --clock and --d0 .. --d3 say; nothing where they were not given.
struct ClockArguments
{
    std::optional<std::string> profile;
    std::optional<double> cost[4]; ///< d0 .. d3, nanoseconds
};

/// The clock they name: the unit clock where nothing was given, a machine profile
/// (docs/profiles.md), or one of d0, d1, d2 and, where given, d3. d0 and d3 are rounded to
/// nanoseconds, d1 and d2 to 2^-16 of one. Throws ConfigError naming the option: an unknown
/// profile, a profile beside costs of one's own, a missing d0, d1 or d2, a cost that is negative or
/// so large that a round of `memory` tokens could be longer than 2^62 nanoseconds.
Clock clock_argument(ClockArguments const& given, Tokens memory);

/// The clock for people: "d0 = 33828665, d1 = 80.3531, d2 = 219399, d3 = 0".
std::string clock_text(Clock const& clock);

} // namespace crx

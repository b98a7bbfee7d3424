#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// The unit of a number that is a time.
enum class TimeUnit
{
    nanoseconds,
    microseconds,
    milliseconds,
    seconds
};

/// "ns", "us", "ms", "s", in the order of TimeUnit.
std::vector<std::string> const& time_units();
/// The unit of that name; nothing for any other text.
std::optional<TimeUnit> time_unit_named(std::string_view name);
/// The unit that a column's name ends with, as arrival_time_ns; nothing where it has none.
std::optional<TimeUnit> unit_in_name(std::string_view column);

/// The latest time that is read: 4 10^9 s.
inline constexpr std::int64_t last_nanosecond = 4'000'000'000'000'000'000;

/// A number, all of the text; nothing for any other text, and for what is not finite.
std::optional<double> finite_number(std::string_view text);

/// A number of units from 0 to 4 10^9 s, as 12.5 or 1.25e1, in nanoseconds; to the nearest, halves
/// up. Nothing for any other text.
std::optional<std::int64_t> time_number(std::string_view text, TimeUnit unit);

/// A date with a time of day.
struct DateTime
{
    std::int64_t nanoseconds = 0; ///< since 1970-01-01, by its own clock where there is no offset
    bool has_offset = false;      ///< it says its offset from UTC, which is taken off
};

/// YYYY-MM-DD, then a blank or T, hh:mm:ss, any digits of a second (to the nearest nanosecond) and
/// perhaps Z, +hh:mm, +hhmm or +hh. Years 1970 to 2096. Nothing for any other text.
std::optional<DateTime> date_time(std::string_view text);

} // namespace crx

#pragma once

#include "host/input/config_value.hh"

#include <string>
#include <vector>

namespace crx {

/// Most values of one axis, and most cells of an experiment.
inline constexpr std::int64_t most_cells = 10'000'000;

/// Values of an axis, ascending: a list of numbers, or a range { from, to } with `points` (and
/// `scale`, linear or log) or `step`. Values of a range are rounded to 12 significant digits, so
/// that 0.02 + 2 * 0.02 is 0.06 and no machine's rounding shows.
///
/// Throws ConfigError: empty or reversed ranges, a value given twice, a value not finite.
std::vector<double> read_axis(ConfigValue const& value, std::string const& key);

} // namespace crx

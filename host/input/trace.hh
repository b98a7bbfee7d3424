#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// Request lengths of a trace, in the order of its file.
struct TraceRows
{
    std::vector<std::int32_t> prompt;     ///< s >= 1
    std::vector<std::int32_t> output;     ///< o >= 1
    std::vector<std::int64_t> arrived_at; ///< nanoseconds, ascending; empty without such a column
    std::int64_t zero_rows = 0;           ///< rows with no prompt or no output, dropped
    std::string hash;                     ///< of the lengths, so that equal rows are known as such
    std::string time_hash;                ///< of the arrivals; empty without them
};

/// Seconds from 0 to 4 10^9 as a plain decimal, in nanoseconds; digits after the ninth place are
/// dropped. Nothing for any other text.
std::optional<std::int64_t> decimal_nanoseconds(std::string_view text);

/// Reads two columns of a CSV; an empty name stands for those recognised (host/input/instance.hh).
/// Times are the column `arrived_at`, seconds from 0 as decimals, if `with_times` and there is one;
/// digits after the ninth place are dropped. Other columns are not looked at.
///
/// Throws InputError "FILE:LINE: why".
TraceRows read_trace(std::filesystem::path const& file, std::string const& prompt_column = {},
                     std::string const& output_column = {}, bool with_times = false);

} // namespace crx

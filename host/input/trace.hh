#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
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

/// The traces of an experiment, each file read once. For calls from several threads.
class TraceFiles
{
  public:
    explicit TraceFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Where a file of that name in the experiment is: relative paths start at its folder.
    std::filesystem::path place_of(std::string const& file) const;
    /// Its rows (host/input/trace.hh). Throws InputError.
    std::shared_ptr<TraceRows const> read(std::string const& file, std::string const& prompt_column,
                                          std::string const& output_column, bool with_times);

  private:
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::map<std::vector<std::string>, std::shared_ptr<TraceRows const>> read_;
};

} // namespace crx

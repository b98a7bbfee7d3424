#pragma once

#include "host/input/trace.hh"

#include <map>
#include <memory>
#include <mutex>

namespace crx {

/// What sweeps take of a trace: lengths and times in the order of time.
struct TraceRows
{
    std::vector<std::int32_t> prompt;  ///< s >= 0
    std::vector<std::int32_t> output;  ///< o >= 1
    std::vector<std::int64_t> arrival; ///< as `times` says, ascending; empty where it is none
    TraceTimes times = TraceTimes::none;
    LeftOut left_out;
    std::string hash;      ///< of the lengths, so that equal rows are known as such
    std::string time_hash; ///< of the arrivals; empty without them
    std::string line;      ///< trace_line
};

TraceRows rows_of(Trace const& trace, std::filesystem::path const& file);

/// The traces of an experiment, each file read once. For calls from several threads.
class TraceFiles
{
  public:
    explicit TraceFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Where a file of that name in the experiment is: relative paths start at its folder.
    std::filesystem::path place_of(std::string const& file) const;
    /// Throws InputError.
    std::shared_ptr<TraceRows const> read(std::string const& file, TraceReading const& reading);

  private:
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::map<std::pair<std::string, TraceReading>, std::shared_ptr<TraceRows const>> read_;
};

} // namespace crx

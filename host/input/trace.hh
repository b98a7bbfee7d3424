#pragma once

#include "host/input/instance.hh"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// What is said of a file of requests beside its name; empty texts: as it is recognised.
struct TraceReading
{
    std::string format;                  ///< one of trace_format_names()
    std::string prompt, output, arrival; ///< names of columns
    std::string unit;                    ///< of the times: ns, us, ms, s
    bool with_times = true;              ///< false: every request arrives at 0
    /// The latest `arrival` of an instance file.
    std::int64_t latest_arrival = 1'000'000'000'000;
    bool operator==(TraceReading const&) const = default;
    auto operator<=>(TraceReading const&) const = default;
};

/// What the arrivals of a trace are.
enum class TraceTimes
{
    none,       ///< all 0
    of_clock,   ///< column `arrival`: rounds, or nanoseconds on an affine clock
    nanoseconds ///< from the first request that is used; of `arrived_at` from 0
};

/// Rows left out, by reason.
using LeftOut = std::vector<std::pair<std::string, std::int64_t>>;

/// A stretch of time with a rate of arrivals; it lasts until the next begins.
struct RateWindow
{
    std::int64_t begin = 0; ///< nanoseconds
    double rate = 0;        ///< arrivals a second
    double variation = 1;   ///< of the gaps: standard deviation over mean; 1: a Poisson process
};

/// Times that a server was seen to take, in nanoseconds of one clock.
struct MeasuredTimes
{
    std::vector<std::int64_t> queued, scheduled, first_token, last_token; ///< of each request
};

/// A file of requests: an instance (docs/experiments.md) or a trace of a service.
struct Trace
{
    std::string format;                                       ///< empty: none of those with a name
    std::string form;                                         ///< how it is written: "CSV, gzip"
    std::vector<std::pair<std::string, std::string>> columns; ///< what, and the column it is
    std::vector<std::string> unused;                          ///< columns that are not read
    TraceTimes times = TraceTimes::none;
    std::string times_as; ///< "dates", "seconds", ..
    std::int64_t rows = 0;
    LeftOut left_out;
    std::vector<Request> requests; ///< rows that are used, in the file's order
    bool ascending = true;         ///< their arrivals are
    std::vector<RateWindow> windows;
    MeasuredTimes measured; ///< of format vllm

    /// From the first arrival to the last, seconds; 0 where there are no times in seconds.
    double span_seconds() const;
};

/// Reads a file of requests, the only reader of such files. `prompt` and `output` are required, or
/// a column that is recognised as such; `id`, `arrival`, `lower`, `upper` default to the row's
/// number from 0, to 0, output, output; `order` to none. Other columns are not used. Rows whose
/// output is 0 are left out, and those whose prompt is 0 unless its column is called `prompt`.
/// Throws InputError "FILE:LINE: why".
Trace read_trace(std::filesystem::path const& file, TraceReading const& reading = {});

/// One line that says rows, span, rate, columns and what they are read as.
std::string trace_line(Trace const& trace, std::filesystem::path const& file);
/// Whether there is something in it that a reader would not expect of an instance file.
bool is_worth_saying(Trace const& trace);

} // namespace crx

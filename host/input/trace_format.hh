#pragma once

#include "host/input/table_reader.hh"

#include <string>
#include <vector>

namespace crx {

/// How the times of a format are written.
enum class TimesAs
{
    none,
    dates,
    seconds,
    milliseconds, ///< whole numbers
    nanoseconds
};

/// A published kind of trace: its columns and what they are (docs/guides/own-lengths.md).
struct TraceFormat
{
    std::string name;    ///< as `format` in a file names it
    std::string meaning; ///< one line
    std::string prompt, output, arrival;
    TimesAs times = TimesAs::none;
    bool always_timed = true;       ///< recognised only with its column of times
    std::vector<std::string> also;  ///< columns it is recognised by beside these
    std::vector<std::string> never; ///< columns of another format
};

/// Windows with rates of arrivals and no requests: the one format of another shape.
inline constexpr char const* rate_windows_format = "servegen";

std::vector<TraceFormat> const& trace_formats();
/// Names of all, the windows of rates among them.
std::vector<std::string> trace_format_names();
/// Null where there is none of that name.
TraceFormat const* trace_format_named(std::string const& name);
/// The format that has these columns; null where none has.
TraceFormat const* recognised_format(TableReader const& table);

/// Names under which each quantity is recognised as a column where no format is: our own, then
/// those of published traces.
std::vector<std::string> const& prompt_columns();
std::vector<std::string> const& output_columns();
/// Those of times whose unit is in no name; each is read as dates, or refused without a unit.
std::vector<std::string> const& time_columns();

} // namespace crx

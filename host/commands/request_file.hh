#pragma once

#include "host/commands/command_line.hh"
#include "host/input/trace.hh"
#include "host/simulate/simulate.hh"

namespace crx {

/// What a command line says of a file of requests.
struct RequestFileOptions
{
    std::string format, columns, unit;
    bool at_zero = false, drop_unfit = false;
    bool takes_clock = true;            ///< the command has --clock, for messages
    std::optional<double> offered_load; ///< arrivals are scaled so that this is the load

    /// Throws ConfigError for columns that are not NAME=COLUMN, NAME one of prompt, output,
    /// arrival.
    TraceReading reading(bool on_a_clock) const;
};

/// --format, --columns, --unit, --at-zero.
void add_reading_options(Command const& command, RequestFileOptions& options);
/// These, --drop-unfit and --offered-load.
void add_request_file_options(Command const& command, RequestFileOptions& options);

/// --clock and --d0 to --d3.
void add_clock_options(Command const& command, ClockArguments& clock);

/// The requests of a file for a clock and memory; says what it was read as. Throws InputError for
/// times in seconds without a clock, and for a request that can never fit unless these are dropped.
Trace read_requests_for(std::filesystem::path const& file, RequestFileOptions const& options,
                        Clock const& clock, Tokens memory, bool plans_with_upper);

/// The load of requests on memory and clock (docs/model.md#load); none where all arrive at once.
std::optional<double> load_of(std::vector<Request> const& requests, Tokens memory,
                              Clock const& clock);

/// Leaves out, and counts in left_out, requests that can never fit.
void drop_unfit(Trace& trace, Tokens memory, bool plans_with_upper);

/// Whether a file is one JSON object that says all of a run, and not rows of requests: its name
/// ends in .json, and its first line is no whole object without "requests", nor begins a list.
bool is_run_file(std::filesystem::path const& file);

} // namespace crx

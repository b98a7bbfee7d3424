#pragma once

#include "analysis/statistics/quantile.hh"
#include "host/simulate/run_report.hh"

#include <optional>

namespace crx {

/// Limits of a service objective, in the clock's unit: nanoseconds or rounds; nothing: no limit.
struct ServiceObjective
{
    std::optional<double> latency, first_token, per_token;
};

/// "first_token=2s,per_token=100ms", or without units in rounds, as an objective. Throws
/// ConfigError naming the option: an unknown measure, a number that is negative or has a unit
/// without a clock, or none on one.
ServiceObjective objective_argument(std::string const& text, bool on_a_clock);

/// What a run's requests were served like (docs/model.md#measures-of-requests), as `crx simulate
/// --summary
/// --json` prints it: distributions of latency, first_token, first_token_streamed, per_token,
/// longest_gap and slowdown, throughput, memory, tokens in vain, fairness by class, and what keeps
/// the objective. Times in the unit named by "unit". Contract: the run finished and names its
/// requests.
nlohmann::ordered_json summary_json(RunSubject const& subject, SingleRun const& run,
                                    OwnedInstance const& instance,
                                    ServiceObjective const& objective);
/// The same of a path up to its last horizon, in seconds: latency, first_token and
/// first_token_streamed are of all arrivals, up to the horizon where what ends them has not
/// happened, the others of the prompts that completed, whose number is "completed"; "requests" are
/// the arrivals. Contract: replayed with PathDetail::prompts.
nlohmann::ordered_json path_summary_json(IterationCell const& cell, PathReplay const& run);
/// Either as a table.
std::string summary_text(nlohmann::ordered_json const& summary);

/// One row a request: id, arrival, prompt, output, first and last start, first token, as streamed
/// too, completion, attempts, tokens lost, longest gap; empty where the request did not complete. A
/// list of JSON objects where the file's name ends in .json, else CSV.
std::string request_rows(std::string const& file, RunSubject const& subject, SingleRun const& run,
                         OwnedInstance const& instance);
/// The same of the prompts of a path, in nanoseconds; what has not happened by the last horizon is
/// empty.
std::string prompt_rows(std::string const& file, IterationCell const& cell, PathReplay const& run);
/// Throws ConfigError naming the option where the name of that file ends otherwise.
void check_rows_file(std::string const& option, std::string const& file);

/// The run as a trace that Perfetto and chrome://tracing open: a slice an attempt, on as few tracks
/// as do not overlap, and counters of memory, running and waiting requests. Under the unit clock a
/// round is a microsecond.
std::string timeline_as_trace_events(RunSubject const& subject, SingleRun const& run);

} // namespace crx

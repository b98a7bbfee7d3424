#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/cpu/path_replay.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/cpu/single.hh"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crx {

/// What a single run is about.
struct RunSubject
{
    std::string policy; ///< id or label
    Tokens memory = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> request_ids; ///< empty where requests were counted, not named
    std::int64_t requests = 0;            ///< n
    Clock clock = {};                     ///< affine: times are nanoseconds, and it is reported
};

/// Why a run did not finish, in words; empty if it did.
std::string reason_text(Unfinished reason);

/// The object that `simulate --json` prints; requests in the given order,
/// or `"engine": "cohort"` in their place where a run has none. Where the run did not finish,
/// `finished` is false, `reason` says why, sums of times are null, and so are the times of every
/// request that did not complete; peak memory, cancellations and wasted tokens are those until the
/// run was given up. Each request has its attempts; `attempts_left_out` counts the
/// cancelled ones that are missing. Without `instance` requests are not described.
nlohmann::ordered_json run_as_json(RunSubject const& subject, SingleRun const& run,
                                   OwnedInstance const* instance = nullptr);

/// What stands before its requests.
nlohmann::ordered_json totals_as_json(RunSubject const& subject, SingleRun const& run);

/// The timeline as four lists: what `--with-timeline` adds to the object.
nlohmann::ordered_json timeline_as_json(std::vector<TimelinePoint> const& timeline);

/// The run as text: totals, then a row a request.
std::string run_as_text(RunSubject const& subject, SingleRun const& run);

/// Totals alone, a line each; of a run that did not finish, what is known of it.
std::string totals_as_text(RunSubject const& subject, SingleRun const& run);

/// The timeline as CSV: time, held, active, waiting.
std::string timeline_as_csv(std::vector<TimelinePoint> const& timeline);

/// The instance as an instance file: what `simulate --instance` reads.
std::string instance_as_csv(OwnedInstance const& instance);

/// Positions of the policies to replay: the one of that label, or all where it is empty. Throws
/// ConfigError.
std::vector<std::size_t> replayed_policies(Experiment const& experiment, std::string const& label);

/// What a run of a cell's instance is about.
RunSubject subject_of(Cell const& cell, CellReplay const& replay, SingleRun const& run,
                      std::string const& label);

/// A path run again, as `crx replay --json` prints it.
nlohmann::ordered_json path_as_json(std::string const& label, std::int64_t path,
                                    PathReplay const& run);

} // namespace crx

#pragma once

#include "analysis/baseline/hindsight.hh"
#include "host/error.hh"
#include "host/evidence/search_options.hh"
#include "host/experiment/own_order.hh"
#include "host/results/export_table.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/simulate.hh"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The program's commands as functions: what they take and give are values, not files or text.
/// python/ includes this header alone. All throw InputError, ConfigError or RunError with the
/// texts of the program; none writes to standard output or replaces a signal's handler.
namespace crx::library {

/// Asked now and then, by several threads: true ends the call soon, with Stopped or with what is
/// known by then.
using StopAsked = std::function<bool()>;

/// Where lines on standard error go instead (host/say.hh).
void send_messages(std::function<void(std::string const&)> sink);

/// Version, commit and build type, as `crx --version` prints them.
std::string version();

// Sweeps

enum class ProgressShown
{
    none,
    live, ///< a line that is written again and again, for a terminal
    lines ///< a line every ten seconds
};

struct SweepRequest
{
    std::string text, name;             ///< of the experiment; the name stands in messages
    std::filesystem::path folder;       ///< where relative paths of traces start
    std::vector<std::string> overrides; ///< KEY=VALUE
    OwnOrders own;
    std::string store; ///< empty: the experiment's name with .db
    std::string backend = "auto";
    int device = -1, threads = 0;
    bool extend = false, redo_damaged = false;
    ProgressShown progress = ProgressShown::none;
};

struct SweepDone
{
    std::string store;
    std::int64_t cells = 0, instances = 0, added = 0;
    double seconds = 0;
};

/// Runs or continues a sweep, as `crx sweep`. Throws Stopped, a RunError, when asked to stop.
SweepDone sweep(SweepRequest const& request, StopAsked const& stop_asked);

/// A store as a table, also while a sweep adds to it.
ExportTable read_table(std::filesystem::path const& store);

/// The text of an experiment's file.
std::string read_experiment(std::filesystem::path const& file);

// One instance

struct SimulateArguments
{
    std::string policy, selector;
    PolicyParameters parameters;
    ClockArguments clock;
    std::uint64_t seed = 0;
    std::int64_t number = 0;
    std::vector<std::size_t> order; ///< of own-order
};

/// A run and what it is about.
struct Run
{
    RunSubject subject;
    SingleRun run;
};

/// Runs one policy on one instance, as `crx simulate`. The arrays of `requests` are only read;
/// its clock is not.
Run simulate(SimulateArguments const& arguments, Requests const& requests);

/// A run as `crx simulate --json` prints it.
std::string as_json(Run const& run);

struct BaselineArguments
{
    std::optional<double> seconds; ///< left out: 10, or none where a count limits
    std::int64_t evaluations = 0, steps = 0, nodes = 0; ///< 0: not given
    bool integer_program = false;
    std::uint64_t seed = 1;
    /// Orders of the caller's own: each adds the prefix rule's schedule under its name.
    std::vector<std::pair<std::string, std::vector<std::size_t>>> orders;
};

/// Brackets the optimum of one instance, as `crx baseline`.
baseline::Hindsight baseline(OwnedInstance const& instance, BaselineArguments const& arguments,
                             StopAsked const& stop_asked);

/// One instance of a stored cell again, as `crx replay`.
struct Replayed
{
    std::vector<Run> runs;                 ///< of the round model
    std::optional<OwnedInstance> instance; ///< likewise; nothing where cohorts ran
    std::string paths;                     ///< JSON, of the iteration model; else empty
};
Replayed replay(std::filesystem::path const& store, std::int64_t cell, std::int64_t instance,
                std::string const& policy, OwnOrders const& own);

// The theory

/// Values of published bounds at one point, as `crx bounds`.
double bound(std::string const& id, std::map<std::string, double> const& at);
/// A list of all bounds, as `crx bounds --json` prints it.
std::string bounds_as_json();

struct SpectrumArguments
{
    std::int64_t u = 0, l = 1;
    double s = 0, tolerance = 1e-12;
    std::string method = "auto";
    bool definition = false;
};
/// An eigenvalue, as `crx spectrum --json` prints it.
std::string spectrum_as_json(SpectrumArguments const& arguments);

/// Claims by id or paper, as `crx claims --json` prints them.
std::string claims_as_json(std::vector<std::string> const& ids);
/// The short form of one claim run anew: JSON of fresh_verdict, figures and seconds; empty where
/// it has none.
std::string run_claim(std::string const& id);

// Searches

struct SearchArguments
{
    SearchOptions options; ///< output is not read
    OrderFunction own_policy,
        own_over; ///< where they are functions: then the options' names label them
};

struct SearchDone
{
    worst::Found found;
    std::string witness; ///< the file, as JSON
    std::int64_t generations = 0, neighbours = 0;
};

/// Looks for the worst instance, as `crx search`. When asked to stop it gives the best so far.
SearchDone search(SearchArguments const& arguments, StopAsked const& stop_asked);

} // namespace crx::library

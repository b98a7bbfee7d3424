#include "analysis/fluid/heavy_traffic.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/external_program.hh"
#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/file_names.hh"
#include "host/output_file.hh"
#include "host/results/policy_text.hh"
#include "host/results/stored_experiment.hh"
#include "host/shell_word.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/summary.hh"
#include "kernels/cpu/policy_run.hh"

#include <cmath>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace crx {
namespace {

/// What `crx replay` is asked of a path of the iteration model.
struct PathRequest
{
    std::int64_t cell = 0, path = 0;
    std::vector<std::size_t> policies; ///< their numbers; one where a file is wanted
    std::string timeline_file, rows_file;
    bool json = false, with_timeline = false, summary = false;
};

using OrderedJson = nlohmann::ordered_json;

/// A mean over arrivals, "-" where there are none.
std::string mean_text(double mean)
{
    return std::isfinite(mean) ? fmt::format("{:.6g}", mean) : "-";
}

std::string path_as_text(std::string const& label, PathReplay const& run)
{
    auto out = fmt::format("{}\n{:>12} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10} {:>9} {:>8}\n",
                           label, "horizon s", "arrivals", "completed", "latency s", "1st token s",
                           "iterations", "cancelled", "overflows", "memory");
    for (auto const& t : run.tallies)
        out += fmt::format("{:>12.7g} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10} {:>9} {:>8}\n",
                           static_cast<double>(t.until) * 1e-9, t.arrivals, t.completed,
                           mean_text(fluid::latency(t)), mean_text(fluid::first_token(t)),
                           t.iterations, t.cancelled, t.overflows, t.peak_memory);
    return out;
}

/// Runs the path again under those policies, writes the files and prints its sums.
void replay_stored_path(StoredWork const& work, PathRequest const& request)
{
    auto const& setting = *work.cell.paths;
    auto json = OrderedJson::array();
    auto text = fmt::format("cell {}, sweep {}{}; path {}\n", request.cell, work.cell.sweep,
                            point_clause(work.cell.coordinates), request.path);
    for (auto const k : request.policies) {
        auto const& entry = setting.policies[k];
        auto const cell = setting.cell(entry);
        bool const by_prompt = request.summary || !request.rows_file.empty();
        auto const run = replay_path(cell, request.path,
                                     by_prompt ? PathDetail::prompts : PathDetail::iterations);
        if (request.json) {
            json.push_back(path_as_json(entry.label, request.path, run));
            auto& object = json.back();
            object["cell"] = request.cell;
            object["memory"] = entry.spec.memory > 0 ? OrderedJson(entry.spec.memory) : nullptr;
            if (request.with_timeline) object["timeline"] = timeline_as_json(run.timeline);
            if (request.summary) object["summary"] = path_summary_json(cell, run);
        } else {
            text += path_as_text(entry.label, run);
            if (request.summary) text += summary_text(path_summary_json(cell, run));
        }
        if (!request.rows_file.empty())
            write_file(request.rows_file, prompt_rows(request.rows_file, cell, run));
        if (!request.timeline_file.empty())
            write_file(request.timeline_file, timeline_as_csv(run.timeline));
    }
    write_stdout(request.json ? json.dump(1) + "\n" : text);
}

struct ReplayOptions
{
    std::string store, policy, instance_file, timeline_file, plot_file, rows_file, perfetto_file;
    std::int64_t cell = 0, instance = 0;
    bool json = false, requests = false, with_timeline = false, summary = false;
};

std::string describe(ReplayOptions const& options, PlannedCell const& cell)
{
    return fmt::format("cell {}, sweep {}{}; instance {}\n", options.cell, cell.sweep,
                       point_clause(cell.coordinates), options.instance);
}

/// Whether a file name asks for a witness file in place of a CSV.
bool is_witness_name(std::string const& file)
{
    return std::filesystem::path(file).extension() == ".json";
}

/// Refuses outputs that are of one policy where there are several.
void require_one_policy(ReplayOptions const& options, bool single)
{
    if (!options.timeline_file.empty() && !single)
        throw ConfigError("command line", "--timeline", options.timeline_file,
                          "given together with --policy");
    for (auto const& [option, file] : {std::pair{"--write-requests", options.rows_file},
                                       std::pair{"--perfetto", options.perfetto_file}})
        if (!file.empty() && !single)
            throw ConfigError("command line", option, file, "given together with --policy");
    if (is_witness_name(options.instance_file) && !single)
        throw ConfigError("command line", "--write-instance", options.instance_file,
                          "given together with --policy: a witness file is of one policy; or a "
                          "name that ends in .csv");
}

/// Refuses outputs that name requests where cohorts ran.
void require_requests(ReplayOptions const& options, Cell const& cell, std::size_t policy,
                      std::string const& label)
{
    auto const option = options.requests                 ? "--requests"
                        : !options.rows_file.empty()     ? "--write-requests"
                        : !options.perfetto_file.empty() ? "--perfetto"
                        : options.summary                ? "--summary"
                                                         : nullptr;
    if (option != nullptr && law_of(cell, policy) == RandomLaw::cohort)
        throw ConfigError("command line", option,
                          "left out for policy " + label +
                              ": it was run by cohorts, which count requests and do not name them");
}

void replay_path_of(ReplayOptions const& options, StoredWork const& work,
                    std::vector<std::size_t> const& policies)
{
    auto const instead = "left out for a path of the iteration model: --write-requests FILE.csv "
                         "writes a row a prompt, with all of its instants";
    for (auto const& [option, file] : {std::pair{"--perfetto", options.perfetto_file},
                                       std::pair{"--write-instance", options.instance_file}})
        if (!file.empty()) throw ConfigError("command line", option, file, instead);
    if (options.requests) throw ConfigError("command line", "--requests", "", instead);
    replay_stored_path(work,
                       {options.cell, options.instance, policies, options.timeline_file,
                        options.rows_file, options.json, options.with_timeline, options.summary});
}

std::string witness_of(ReplayOptions const& options, Cell const& cell, std::size_t policy,
                       OwnedInstance const& instance, SingleRun const& run)
{
    if (run.outcome.finished == 0)
        throw ConfigError("command line", "--write-instance", options.instance_file,
                          "a name that ends in .csv: the policy does not finish, so that there is "
                          "no ratio to witness");
    auto const command =
        fmt::format("crx replay {} --cell {} --instance {} --policy {}", shell_word(options.store),
                    options.cell, options.instance, shell_word(options.policy));
    return run_as_witness(cell, policy, instance, options.instance, run.outcome.total_latency,
                          command)
               .dump(1) +
           "\n";
}

void run_replay_command(ReplayOptions const& options)
{
    warn_of_names(options.store);
    auto const work = read_stored_cell(options.store, options.cell);
    std::vector<NamedFile> kept{{"STORE", options.store}};
    for (auto const& trace : work.traces) kept.push_back({"the trace", trace});
    check_rows_file("--write-requests", options.rows_file);
    check_outputs({{"--write-instance", options.instance_file},
                   {"--timeline", options.timeline_file},
                   {"--write-requests", options.rows_file},
                   {"--perfetto", options.perfetto_file},
                   {"--plot", options.plot_file}},
                  kept);
    auto const& cell = work.cell.cell;
    auto const policies = replayed_policies(work.experiment, options.policy);
    require_one_policy(options, policies.size() == 1);
    if (work.experiment.model == Model::iterations) return replay_path_of(options, work, policies);
    for (auto const k : policies)
        require_requests(options, cell, k, work.experiment.policies[k].label);
    bool const counted = all_by_cohorts(cell);
    if (!options.instance_file.empty() && counted)
        throw ConfigError("command line", "--write-instance", options.instance_file,
                          "left out: this cell was run by cohorts, which count requests and do not "
                          "write them down; a sweep with run.engine = \"request\" can write its");
    CellReplay replay(cell, options.instance);

    auto json = nlohmann::ordered_json::array();
    std::string text = describe(options, work.cell);
    std::string timeline, witness, rows, perfetto;
    for (auto const k : policies) {
        auto const run = replay.execute(k);
        auto const subject = subject_of(cell, replay, run, work.experiment.policies[k].label);
        if (options.json) {
            json.push_back(run_as_json(subject, run, counted ? nullptr : &replay.instance()));
            json.back()["cell"] = options.cell;
            json.back()["instance"] = options.instance;
            auto const& policy = work.experiment.policies[k];
            json.back()["id"] = policy.id;
            json.back()["text"] =
                policy_text(policy, work.cell.identity.find("\"arrivals\":") == std::string::npos);
            if (options.with_timeline) json.back()["timeline"] = timeline_as_json(run.timeline);
            if (options.summary && run.outcome.finished != 0)
                json.back()["summary"] = summary_json(subject, run, replay.instance(), {});
        } else if (options.summary && run.outcome.finished != 0)
            text += totals_as_text(subject, run) +
                    summary_text(summary_json(subject, run, replay.instance(), {}));
        else
            text += options.requests ? run_as_text(subject, run) : totals_as_text(subject, run);
        timeline = timeline_as_csv(run.timeline);
        if (!options.rows_file.empty())
            rows = request_rows(options.rows_file, subject, run, replay.instance());
        if (!options.perfetto_file.empty()) perfetto = timeline_as_trace_events(subject, run);
        if (is_witness_name(options.instance_file))
            witness = witness_of(options, cell, k, replay.instance(), run);
    }
    if (!options.instance_file.empty() && !is_witness_name(options.instance_file))
        write_file(options.instance_file, instance_as_csv(replay.instance()));
    if (!rows.empty()) write_file(options.rows_file, rows);
    if (!perfetto.empty()) write_file(options.perfetto_file, perfetto);
    if (!witness.empty()) write_file(options.instance_file, witness);
    if (!options.timeline_file.empty()) write_file(options.timeline_file, timeline);
    write_stdout(options.json ? json.dump(1) + "\n" : text);
}

std::vector<std::string> plot_arguments(ReplayOptions const& options)
{
    std::vector<std::string> arguments{options.store,
                                       "--cell",
                                       std::to_string(options.cell),
                                       "--instance",
                                       std::to_string(options.instance),
                                       "-o",
                                       options.plot_file};
    if (!options.policy.empty()) arguments.insert(arguments.end(), {"--policy", options.policy});
    return arguments;
}

} // namespace

void add_replay_command(CLI::App& app)
{
    Command const command(app, "replay", "Run one instance of a sweep's cell, or one path, again");
    command->footer(
        "Every instance is a function of (seed, cell, instance): `crx export` names the\n"
        "instances with the smallest and largest ratio. Policies that the sweep ran by cohorts "
        "have\n"
        "totals and a timeline, but no requests.\n"
        "Example: crx replay two_point.db --cell 12 --instance 3 --policy a-min");
    auto const options = std::make_shared<ReplayOptions>();
    command->add_option("STORE", options->store, "Store of the sweep")->required();
    command->add_option("--cell", options->cell, "Number of the cell, as in `crx export`")
        ->required()
        ->check(whole_number<std::int64_t>(0));
    command
        ->add_option("--instance", options->instance,
                     "Number of the instance; of the path in the iteration model")
        ->required()
        ->check(whole_number<std::int64_t>(0));
    command->add_option("--policy", options->policy, "Label of one policy; else all");
    command->add_flag("--requests", options->requests, "Print every request");
    auto const json =
        command->add_flag("--json", options->json, "A JSON array, one object a policy");
    command
        ->add_flag("--with-timeline", options->with_timeline,
                   "With --json: memory held, active and waiting requests over time")
        ->needs(json);
    command->add_option("--write-instance", options->instance_file,
                        "Write the instance for simulate: FILE.csv the requests alone; FILE.json a "
                        "witness file with M, clock, policy, seed and number too; needs --policy");
    command->add_flag(
        "--summary", options->summary,
        "Percentiles over requests, as crx simulate --summary; with --json beside them");
    command->add_option("--write-requests", options->rows_file,
                        "Write a row a request to FILE.csv or FILE.json; needs --policy");
    command->add_option("--perfetto", options->perfetto_file,
                        "Write a timeline for ui.perfetto.dev; needs --policy");
    command->add_option("--timeline", options->timeline_file,
                        "Write time, memory held, active and waiting requests as CSV");
    command->add_option(
        "--plot", options->plot_file,
        "Draw who runs when to FILE.svg, .pdf, .png, .pgf or .eps, as crx plot does");
    command->callback([options] {
        run_replay_command(*options);
        if (!options->plot_file.empty()) run_plot(plot_arguments(*options));
    });
}

} // namespace crx

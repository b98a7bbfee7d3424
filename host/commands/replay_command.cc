#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/experiment/nearest_name.hh"
#include "host/single/run_report.hh"
#include "host/store/output_file.hh"
#include "host/store/stored_experiment.hh"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace crx {
namespace {

struct ReplayOptions
{
    std::string store, policy, instance_file, timeline_file;
    std::int64_t cell = 0, instance = 0;
    bool json = false, requests = false;
};

/// Positions of the policies to replay: the one named, or all.
std::vector<std::size_t> chosen_policies(std::vector<PolicyEntry> const& policies,
                                         std::string const& label)
{
    std::vector<std::size_t> all;
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < policies.size(); ++k) {
        if (policies[k].label == label) return {k};
        all.push_back(k);
        labels.push_back(policies[k].label);
    }
    if (label.empty()) return all;
    throw ConfigError("command line", "--policy", label,
                      "one of this store's: " + listed_with_nearest(label, labels));
}

std::vector<std::string> numbered(std::int64_t n)
{
    std::vector<std::string> ids;
    for (std::int64_t i = 0; i < n; ++i) ids.push_back(std::to_string(i));
    return ids;
}

std::string describe(ReplayOptions const& options, PlannedCell const& cell)
{
    auto text = fmt::format("cell {}, sweep {}", options.cell, cell.sweep);
    for (auto const& [axis, value] : cell.coordinates)
        text += fmt::format(", {} = {}", axis, value);
    return text + fmt::format("; instance {}\n", options.instance);
}

void run_replay_command(ReplayOptions const& options)
{
    auto const work = read_stored_cell(options.store, options.cell);
    auto const& cell = work.cell.cell;
    auto const instance = generate_single(cell.workload, options.instance);
    auto const policies = chosen_policies(work.experiment.policies, options.policy);
    if (!options.timeline_file.empty() && policies.size() != 1)
        throw ConfigError("command line", "--timeline", options.timeline_file,
                          "given together with --policy");

    auto json = nlohmann::ordered_json::array();
    std::string text = describe(options, work.cell);
    std::string timeline;
    for (auto const k : policies) {
        auto const run =
            execute_single(cell.policies[k], instance, cell.workload.seed, options.instance);
        RunSubject const subject{work.experiment.policies[k].label, cell.workload.memory,
                                 cell.workload.seed, numbered(instance.requests())};
        if (options.json)
            json.push_back(run_as_json(subject, run));
        else
            text += options.requests ? run_as_text(subject, run) : totals_as_text(subject, run);
        timeline = timeline_as_csv(run.timeline);
    }
    if (!options.instance_file.empty())
        write_file(options.instance_file, instance_as_csv(instance));
    if (!options.timeline_file.empty()) write_file(options.timeline_file, timeline);
    write_stdout(options.json ? json.dump(1) + "\n" : text);
}

} // namespace

void add_replay_command(CLI::App& app)
{
    auto* command = app.add_subcommand("replay", "Run one instance of a sweep's cell again");
    command->footer(
        "Every instance is a function of (seed, cell, instance): `crx export` names the\n"
        "instances with the smallest and largest ratio.\n"
        "Example: crx replay two_point.db --cell 12 --instance 3 --policy a-min");
    auto const options = std::make_shared<ReplayOptions>();
    command->add_option("STORE", options->store, "Store of the sweep")->required();
    command->add_option("--cell", options->cell, "Number of the cell, as in `crx export`")
        ->required()
        ->check(CLI::NonNegativeNumber);
    command->add_option("--instance", options->instance, "Number of the instance")
        ->required()
        ->check(CLI::NonNegativeNumber);
    command->add_option("--policy", options->policy, "Label of one policy; else all");
    command->add_flag("--requests", options->requests, "Print every request");
    command->add_flag("--json", options->json, "A JSON array, one object a policy");
    command->add_option("--write-instance", options->instance_file,
                        "Write the instance as a CSV that simulate reads");
    command->add_option("--timeline", options->timeline_file,
                        "Write time, memory held, active and waiting requests as CSV");
    command->callback([options] { run_replay_command(*options); });
}

} // namespace crx

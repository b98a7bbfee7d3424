#include "host/commands/commands.hh"
#include "host/commands/whole_number.hh"
#include "host/error.hh"
#include "host/input/instance.hh"
#include "host/single/policy_argument.hh"
#include "host/single/run_report.hh"
#include "host/store/output_file.hh"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace crx {
namespace {

struct SimulateOptions
{
    std::string instance, policy;
    std::int64_t memory = 0, number = 0;
    std::uint64_t seed = 0;
    PolicyParameters parameters;
    bool json = false;
};

void run_simulate_command(SimulateOptions const& options)
{
    auto const spec = policy_argument(options.policy, options.parameters);
    std::vector<std::string> ignored;
    auto const requests = read_instance(options.instance, &ignored);
    check_fits(requests, options.memory, info_of(spec.kind).plans_with_upper);
    for (auto const& column : ignored)
        fmt::print(stderr, "crx: {}: column {} is not used by the round model\n", options.instance,
                   column);

    RunSubject subject{options.policy, options.memory, options.seed, {}};
    OwnedInstance instance;
    instance.memory = options.memory;
    for (auto const& r : requests) {
        subject.request_ids.push_back(r.id);
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(r.prompt);
        instance.output.push_back(r.output);
        instance.lower.push_back(r.lower);
        instance.upper.push_back(r.upper);
    }
    auto const run = execute_single(spec, instance, options.seed, options.number);
    write_stdout(options.json ? run_as_json(subject, run).dump(1) + "\n"
                              : run_as_text(subject, run));
}

} // namespace

void add_simulate_command(CLI::App& app)
{
    auto* command =
        app.add_subcommand("simulate", "Run one policy on one instance, request by request");
    command->footer(policy_help() +
                    "Example: crx simulate --instance requests.csv --memory 64 --policy mc-sf");
    auto const options = std::make_shared<SimulateOptions>();
    command
        ->add_option("--instance", options->instance,
                     "CSV with columns prompt,output and, if you like, id,arrival,lower,upper")
        ->required();
    command->add_option("--memory", options->memory, "M, tokens")
        ->required()
        ->check(whole_number<std::int64_t>(1, INT32_MAX));
    command->add_option("--policy", options->policy, "One of those listed below")->required();
    command
        ->add_option("--levels", options->parameters.levels,
                     "Levels of a-ladder, ascending: 1,2,4,8")
        ->delimiter(',');
    command->add_option("--alpha", options->parameters.alpha,
                        "Of protect and clear: the part of M that admission leaves free");
    command->add_option("--beta", options->parameters.beta,
                        "Of clear: chance of each active request to be cancelled");
    command
        ->add_option("--round-cap", options->parameters.round_cap,
                     "Of clear: rounds without a completion that end the run; else 100 M")
        ->check(whole_number<std::int64_t>(1));
    command->add_option("--seed", options->seed, "Seed of the policy's random choices")
        ->check(whole_number<std::uint64_t>(0))
        ->capture_default_str();
    command
        ->add_option("--number", options->number,
                     "Instance number of the random choices, as in a sweep")
        ->check(whole_number<std::int64_t>(0))
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run_simulate_command(*options); });
}

} // namespace crx

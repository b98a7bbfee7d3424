#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/request_file.hh"
#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/policy_parameters.hh"
#include "host/output_file.hh"
#include "host/results/policy_text.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/simulate.hh"
#include "host/simulate/summary.hh"

#include <fmt/core.h>

namespace crx {
namespace {

struct SimulateOptions
{
    std::string instance, policy, selector;
    std::int64_t memory = 0; ///< 0: not given
    std::optional<std::int64_t> number;
    std::optional<std::uint64_t> seed;
    PolicyParameters parameters;
    ClockArguments clock;
    RequestFileOptions reading;
    std::string objective, requests_file, perfetto_file;
    bool json = false, with_timeline = false, summary = false;
};

/// The instance of rows with the options' memory and clock; `ids` gets the names of the requests,
/// `order` what column order says.
OwnedInstance instance_of_rows(SimulateOptions const& options, bool plans_with_upper,
                               std::vector<std::string>& ids, std::vector<std::size_t>& order)
{
    auto const clock = clock_argument(options.clock, options.memory);
    auto const requests = read_requests_for(options.instance, options.reading, clock,
                                            options.memory, plans_with_upper)
                              .requests;
    for (auto const& r : requests) ids.push_back(r.id);
    order = order_of(requests);
    return instance_of(requests, options.memory, clock);
}

/// The same of a witness file, which says memory and clock itself.
OwnedInstance instance_of_witness(SimulateOptions const& options, WitnessRun const& witness,
                                  bool plans_with_upper, std::vector<std::string>& ids)
{
    auto instance = witness.instance;
    if (options.memory > 0) instance.memory = options.memory;
    auto const own_clock = clock_argument(options.clock, instance.memory);
    if (own_clock.affine()) instance.clock = own_clock;
    auto const requests = numbered_requests(instance);
    for (auto const& r : requests) ids.push_back(r.id);
    check_fits(requests, options.instance, instance.memory, plans_with_upper);
    return instance;
}

/// What the witness file says and the command line does not.
SimulateOptions completed(SimulateOptions options, std::optional<WitnessRun> const& witness)
{
    if (witness) {
        if (options.policy.empty()) {
            options.policy = witness->policy;
            if (options.selector.empty()) options.selector = witness->selector;
            options.parameters = witness->parameters;
        }
        if (!options.seed) options.seed = witness->seed;
        if (!options.number) options.number = witness->number;
        return options;
    }
    if (options.memory == 0) throw ConfigError("command line", "--memory", "", "given with a CSV");
    if (options.policy.empty())
        throw ConfigError("command line", "--policy", "", "given with a CSV");
    return options;
}

void write_files(SimulateOptions const& options, RunSubject const& subject,
                 OwnedInstance const& instance, SingleRun const& run)
{
    if (auto const& file = options.requests_file; !file.empty())
        write_file(file, request_rows(file, subject, run, instance));
    if (!options.perfetto_file.empty())
        write_file(options.perfetto_file, timeline_as_trace_events(subject, run));
}

void run_simulate_command(SimulateOptions const& given)
{
    check_rows_file("--requests", given.requests_file);
    std::optional<WitnessRun> witness;
    if (is_run_file(given.instance)) witness = read_witness_run(given.instance);
    auto const options = completed(given, witness);
    SimulateRequest request{options.policy,           options.selector,
                            options.parameters,       {},
                            options.seed.value_or(0), options.number.value_or(0)};
    check_simulation(request);
    auto const by_upper = plans_with_upper(request);
    std::vector<std::string> ids;
    std::vector<std::size_t> order;
    auto const instance = witness ? instance_of_witness(options, *witness, by_upper, ids)
                                  : instance_of_rows(options, by_upper, ids, order);
    request.clock = instance.clock;
    check_simulation(request);
    RunSubject const subject{options.policy,      instance.memory, request.seed, ids,
                             instance.requests(), instance.clock};
    if (auto const* info = find_policy(options.policy); info != nullptr && !info->knows_lengths &&
                                                        instance.lower == instance.output &&
                                                        instance.upper == instance.output)
        say(fmt::format("{} plans with the true lengths: {} has no other lower and upper",
                        options.policy, shell_word(options.instance)));
    auto const objective = objective_argument(options.objective, instance.clock.affine());
    check_outputs({{"--requests", options.requests_file}, {"--perfetto", options.perfetto_file}},
                  {{"--instance", options.instance}});
    auto const run = simulate(request, instance, order, options.instance);
    write_files(options, subject, instance, run);
    if (options.summary) {
        if (run.outcome.finished == 0)
            throw RunError(options.policy + " does not finish: " + reason_text(run.outcome.reason) +
                           "; a summary is of requests that all completed");
        auto summary = totals_as_json(subject, run);
        summary.update(summary_json(subject, run, instance, objective));
        return write_stdout(options.json ? summary.dump(1) + "\n"
                                         : totals_as_text(subject, run) + summary_text(summary));
    }
    if (!options.json) return write_stdout(run_as_text(subject, run));
    auto object = run_as_json(subject, run, &instance);
    object["id"] = options.policy;
    object["text"] =
        policy_text({options.policy, options.policy},
                    std::ranges::all_of(instance.arrival, [](auto a) { return a == 0; }));
    if (options.with_timeline) object["timeline"] = timeline_as_json(run.timeline);
    write_stdout(object.dump(1) + "\n");
}

} // namespace

void add_simulate_command(CLI::App& app)
{
    Command const command(app, "simulate", "Run one policy on one instance, request by request");
    command->footer(
        policy_help() +
        "  sorted-f       batches of least sum o / count^2 (Wang et al.), by --selector\n"
        "  sorted-lp      by mean start in the LP relaxation (Wang et al.)\n"
        "  lp-swap        batches filled in that order, then exchanged for fewer outputs\n"
        "  own-order      as column order of the file says, by the prefix rule with true lengths\n"
        "  by-key         least --key first: an expression of prompt, output, lower, upper, "
        "arrival,\n                 memory, waited, generated (docs/own-policies.md)\n"
        "  program        decided by another program, --command, by lines of JSON\n"
        "Without --clock and --d0 .. --d2 every round lasts 1 and the column arrival is a round; "
        "with\nthem the column arrival is in nanoseconds, and times of traces count.\n"
        "Example: crx simulate --instance requests.csv --memory 64 --policy mc-sf\n"
        "         crx simulate --instance witness.json\n"
        "         crx simulate --instance trace.csv --memory 16492 --policy clear --alpha 0.2 "
        "--beta 0.1\n           --clock llama2-70b-2xa100");
    auto const options = std::make_shared<SimulateOptions>();
    command
        ->add_option("--instance", options->instance,
                     "CSV with columns prompt,output and, if you like, "
                     "id,arrival,lower,upper,order; a trace "
                     "(crx trace); or a witness file, NAME.json, which says all the rest too")
        ->required();
    command->add_option("--memory", options->memory, "M, tokens; needed with rows of requests")
        ->check(whole_number<std::int64_t>(1, INT32_MAX));
    command->add_option("--policy", options->policy,
                        "One of those listed below; needed with rows of requests");
    command->add_option(
        "--selector", options->selector,
        "How sorted-f chooses a batch: exact, scaled, swap, quantile or exact-together");
    add_parameter_options(command, options->parameters);
    add_clock_options(command, options->clock);
    add_request_file_options(command, options->reading);
    command->add_option("--seed", options->seed, "Seed of the policy's random choices; else 0")
        ->check(whole_number<std::uint64_t>(0));
    command
        ->add_option("--number", options->number,
                     "Instance number of the random choices, as in a sweep; else 0")
        ->check(whole_number<std::int64_t>(0));
    auto const json = command->add_flag("--json", options->json,
                                        "One JSON object, with every attempt of a request");
    auto const summary = command->add_flag(
        "--summary", options->summary,
        "Percentiles over requests in place of the requests: latency, first token, time per token, "
        "slowdown; throughput, memory, tokens in vain, fairness");
    command
        ->add_option("--slo", options->objective,
                     "With --summary: share within limits, as first_token=2s,per_token=100ms "
                     "(rounds without a unit)")
        ->needs(summary);
    command->add_option("--requests", options->requests_file,
                        "Write a row a request to FILE.csv or FILE.json: arrival, first and last "
                        "start, first token, completion, attempts, tokens lost");
    command->add_option("--perfetto", options->perfetto_file,
                        "Write a timeline for ui.perfetto.dev: requests as slices, memory as a "
                        "counter");
    command
        ->add_flag("--with-timeline", options->with_timeline,
                   "With --json: memory held, active and waiting requests over time")
        ->needs(json);
    command->callback([options] { run_simulate_command(*options); });
}

} // namespace crx

#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_lp/sorted_lp.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/experiment/policy_list.hh"
#include "host/experiment/reading/config_reader.hh"
#include "host/input/instance.hh"
#include "host/say.hh"
#include "host/single/clock_argument.hh"
#include "host/single/policy_argument.hh"
#include "host/single/run_report.hh"
#include "host/store/output_file.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {
namespace {

struct SimulateOptions
{
    std::string instance, policy, selector;
    std::int64_t memory = 0, number = 0;
    std::uint64_t seed = 0;
    PolicyParameters parameters;
    ClockArguments clock;
    bool json = false;
};

sorted_f::Settings sorted_f_settings(SimulateOptions const& options)
{
    auto const& names = sorted_f::selector_names;
    auto const* const found = std::ranges::find(names, options.selector);
    if (found == std::end(names))
        throw ConfigError(
            "command line", "--selector", options.selector.empty() ? "nothing" : options.selector,
            one_of(options.selector, std::vector<std::string>(std::begin(names), std::end(names))) +
                ": sorted-f needs it");
    return {static_cast<sorted_f::Selector>(found - names), 100, options.seed,
            static_cast<std::uint64_t>(options.number)};
}

SingleRun run_sorted_f(SimulateOptions const& options, OwnedInstance const& instance)
{
    auto const settings = sorted_f_settings(options);
    if (std::ranges::any_of(instance.arrival, [](Rounds a) { return a != 0; }))
        throw InputError(options.instance + ": sorted-f needs every arrival at 0");
    auto const run = sorted_f::execute(instance, settings);
    if (!run)
        throw InputError(options.instance +
                         ": too many requests and too much memory for the table "
                         "of --selector " +
                         options.selector + "; swap and quantile need none");
    return *run;
}

/// WANG's Sorted-LP and LP-Swap order requests by a linear program, before the first round too.
constexpr char const *sorted_lp_id = "sorted-lp", *lp_swap_id = "lp-swap";

SingleRun run_sorted_lp(SimulateOptions const& options, OwnedInstance const& instance)
{
    if (std::ranges::any_of(instance.arrival, [](Rounds a) { return a != 0; }))
        throw InputError(options.instance + ": " + options.policy + " needs every arrival at 0");
    auto const made = options.policy == sorted_lp_id ? sorted_lp::execute_sorted_lp(instance)
                                                     : sorted_lp::execute_lp_swap(instance);
    auto const& relaxation = made.relaxation;
    if (relaxation.solved)
        say(fmt::format("LP relaxation {:.6f}", relaxation.upper));
    else
        say(fmt::format("LP relaxation between {:.2f} and {:.2f}, the value of the solution used "
                        "(error at most {:.2f} %, one memory price for each {} rounds)",
                        relaxation.lower, relaxation.upper, 100 * relaxation.error(),
                        relaxation.cell));
    return made.run;
}

void run_simulate_command(SimulateOptions const& options)
{
    auto const sorted_f = options.policy == sorted_f_id;
    auto const by_program = options.policy == sorted_lp_id || options.policy == lp_swap_id;
    if (sorted_f) sorted_f_settings(options);
    if (!sorted_f && !options.selector.empty())
        throw ConfigError("command line", "--selector", options.selector,
                          "left out: only sorted-f takes one");
    if ((sorted_f || by_program) && !options.parameters.levels.empty())
        throw ConfigError("command line", "--levels", "given",
                          "left out: " + options.policy + " takes no levels");
    auto const spec = sorted_f || by_program ? PolicySpec{ArrivalOrder::kind, {}}
                                             : policy_argument(options.policy, options.parameters);
    auto const clock = clock_argument(options.clock, options.memory);
    if ((sorted_f || by_program) && clock.affine())
        throw ConfigError("command line", "--clock", "given",
                          "left out: " + options.policy + " runs under the unit clock");
    std::vector<std::string> ignored;
    auto const requests =
        read_instance(options.instance, &ignored,
                      clock.affine() ? InstanceTimes::nanoseconds : InstanceTimes::rounds);
    check_fits(requests, options.instance, options.memory, policy_info(spec.kind).plans_with_upper);
    for (auto const& column : ignored)
        say(fmt::format("{}: column {} is not used by the round model", options.instance, column));

    RunSubject subject{options.policy,
                       options.memory,
                       options.seed,
                       {},
                       static_cast<std::int64_t>(requests.size()),
                       clock};
    OwnedInstance instance;
    instance.memory = options.memory;
    instance.clock = clock;
    for (auto const& r : requests) {
        subject.request_ids.push_back(r.id);
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(r.prompt);
        instance.output.push_back(r.output);
        instance.lower.push_back(r.lower);
        instance.upper.push_back(r.upper);
    }
    auto const run = sorted_f     ? run_sorted_f(options, instance)
                     : by_program ? run_sorted_lp(options, instance)
                                  : execute_single(spec, instance, options.seed, options.number);
    write_stdout(options.json ? run_as_json(subject, run).dump(1) + "\n"
                              : run_as_text(subject, run));
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
        "Without --clock and --d0 .. --d2 every round lasts 1 and the column arrival is a round; "
        "with\nthem times are nanoseconds, the column arrival too, or arrived_at in seconds.\n"
        "Example: crx simulate --instance requests.csv --memory 64 --policy mc-sf\n"
        "         crx simulate --instance trace.csv --memory 16492 --policy clear --alpha 0.2 "
        "--beta 0.1\n           --clock llama2-70b-2xa100");
    auto const options = std::make_shared<SimulateOptions>();
    command
        ->add_option("--instance", options->instance,
                     "CSV with columns prompt,output and, if you like, id,arrival,lower,upper")
        ->required();
    command->add_option("--memory", options->memory, "M, tokens")
        ->required()
        ->check(whole_number<std::int64_t>(1, INT32_MAX));
    command->add_option("--policy", options->policy, "One of those listed below")->required();
    command->add_option("--selector", options->selector,
                        "How sorted-f chooses a batch: exact, scaled, swap or quantile");
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
                     "Of clear: rounds without a completion that end the run; else 10 M")
        ->check(whole_number<std::int64_t>(1));
    command
        ->add_option("--learns", options->parameters.learns,
                     "Of a-min and a-min-evict: what a request cancelled with g tokens has taught, "
                     "a length of g (reached, unless given) or of g + 1 (exceeded)")
        ->one_of({"reached", "exceeded"});
    command->add_option("--clock", options->clock.profile,
                        "Affine clock of a machine profile (docs/profiles.md)");
    static constexpr std::pair<char const*, char const*> costs[] = {
        {"--d0", "Own affine clock: nanoseconds of a round"},
        {"--d1", "Nanoseconds of a token held"},
        {"--d2", "Nanoseconds of a prompt token"},
        {"--d3", "Nanoseconds of a running request; else 0"}};
    for (std::size_t k = 0; k < std::size(costs); ++k)
        command->add_option(costs[k].first, options->clock.cost[k], costs[k].second);
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

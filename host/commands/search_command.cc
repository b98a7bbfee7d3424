#include "analysis/worst/annealing.hh"
#include "analysis/worst/resize.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/evidence/search_modes.hh"
#include "host/evidence/search_output.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <tbb/global_control.h>

namespace crx {
namespace {

constexpr std::int64_t most_instance_requests = 10'000;

/// For each optimum of the families of scaled instances.
constexpr double seconds_to_scale = 5;

/// Searches over instances, and says what comes of it.
void run_instance_search(SearchOptions const& options)
{
    auto const of = instance_class(options);
    auto const goal = objective(options);
    FreshCosts const fresh(options, goal);
    bool const costs_ratio = options.shrink && *options.shrink < 1;
    std::optional<OutputWitness> kept, kept_small;
    if (!options.output.empty()) kept.emplace(options.output, options, of, goal);
    if (kept && costs_ratio) kept_small.emplace(small_file(options.output), options, of, goal);
    std::vector<OwnedInstance> known;
    if (kept && kept->instance()) known.push_back(*kept->instance());
    tbb::global_control const threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_to_use(options.threads)));
    InterruptGuard const guard(kept ? InterruptGuard::Voice::spoken : InterruptGuard::Voice::brief);

    auto const begin = std::chrono::steady_clock::now();
    worst::AnnealingLimits limits;
    if (options.generations > 0) limits.generations = options.generations;
    limits.seed = options.seed;
    limits.stop = [&] {
        return InterruptGuard::asked() || seconds_since(begin) >= options.time_limit();
    };
    auto const witness_of = [&](worst::Found const& found) {
        return found_as_json(options, goal, found, fresh);
    };
    auto result = worst::anneal(of, goal, limits, known, [&](worst::Found const& found) {
        say(progress_text(options, goal, found, seconds_since(begin)));
        if (kept) kept->offer(witness_of(found));
    });
    auto const seconds = seconds_since(begin);
    auto const asked = [] { return InterruptGuard::asked(); };
    auto const best = result.best; // with all of the ratio
    if (result.best && options.shrink)
        result.best = worst::shrink(of, goal, *result.best, *options.shrink, asked);
    if (kept && best) kept->offer(witness_of(costs_ratio ? *best : *result.best));
    if (kept_small && result.best) kept_small->offer(witness_of(*result.best));
    if (InterruptGuard::asked()) {
        if (result.best && !kept) write_stdout(found_as_text(options, goal, *result.best));
        throw Stopped(InterruptGuard::stopped() +
                      (kept && result.best ? ", the best so far is in " + options.output : ""));
    }
    if (!result.best)
        throw RunError("no instance counted: the policy finishes none, or the bound says nothing "
                       "of any");
    say(fmt::format("{} neighbours in {}, {:.1f} s: {:.0f} a second", result.neighbours,
                    counted(result.generations, "generation"), seconds,
                    static_cast<double>(result.neighbours) / seconds));
    say(fmt::format("{} of {} ended at the best value{}", result.agreeing,
                    counted(result.restarts, "random start"),
                    result.agreeing > 1 ? "" : ": a longer search may well find more"));
    if (kept_small)
        say(fmt::format("the best is in {}, the smaller instance in {}", options.output,
                        small_file(options.output)));
    if (options.json) return write_stdout(witness_of(*result.best).dump(1) + "\n");
    write_stdout(found_as_text(options, goal, *result.best) +
                 confirmed_as_text(options, *result.best, fresh));
    if (options.scale)
        write_stdout(
            families_as_text(worst::scale(goal, result.best->instance, seconds_to_scale, asked)));
}

void run_search_command(SearchOptions const& options)
{
    check_options_of_mode(options);
    if (options.exhaustive) return run_exhaustive_search(options);
    if (!options.lengths.empty()) return run_composition_search(options);
    if (options.requests > most_instance_requests)
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          "at most 10000; with --lengths more");
    check_ranges(options);
    run_instance_search(options);
}

constexpr char const* whose_group = "Whose ratio";
constexpr char const* over_group = "Over what";
constexpr char const* which_group = "Which instances";

void add_policy_options(Command const& command, SearchOptions& options)
{
    command->add_option("--policy", options.policy, "Policy in the numerator")
        ->required()
        ->group(whose_group);
    command
        ->add_option(
            "--selector", options.selector,
            "How sorted-f chooses a batch: exact, scaled, swap, quantile or exact-together")
        ->group(whose_group);
    add_parameter_options(command, options.parameters, whose_group);
    command
        ->add_option(
            "--draws", options.draws,
            "Runs of a random policy, whose mean counts (64); with --lengths instances of each "
            "composition (16)")
        ->check(whole_number<std::int64_t>(1, 1'000'000))
        ->group(whose_group);
}

void add_denominator_options(Command const& command, SearchOptions& options)
{
    command
        ->add_option("--over", options.over,
                     "Denominator: opt, best-found, volume, or a policy (h-sf is mc-sf)")
        ->capture_default_str()
        ->group(over_group);
    command
        ->add_option("--against", options.against,
                     "A bound of crx bounds by which the ratio is divided, on instances that meet "
                     "its hypotheses")
        ->group(over_group);
    command
        ->add_option("--measure", options.measure,
                     "What of a schedule counts; p99 and makespan over a policy only")
        ->one_of({"tel", "p99", "makespan"})
        ->capture_default_str()
        ->group(over_group);
}

void add_class_options(Command const& command, SearchOptions& options)
{
    command
        ->add_option("--requests", options.requests, "n at most; of --exhaustive and --lengths n")
        ->check(whole_number<std::int64_t>(1, 1'000'000'000))
        ->capture_default_str()
        ->group(which_group);
    command
        ->add_option("--memory", options.memory,
                     "M at most, tokens; of --exhaustive and --lengths M")
        ->check(whole_number<std::int64_t>(1, 1'000'000))
        ->capture_default_str()
        ->group(which_group);
    command
        ->add_option("--last-arrival", options.last_arrival,
                     "The last round in which a request arrives")
        ->check(whole_number<std::int64_t>(0, 1'000'000))
        ->capture_default_str()
        ->group(which_group);
    command
        ->add_option("--class", options.restriction,
                     "any; equal-prompts; small: s + u <= M / 4; identical: alike but for arrivals")
        ->one_of({worst::restriction_names, std::end(worst::restriction_names)})
        ->capture_default_str()
        ->group(which_group);
    command
        ->add_option("--interval", options.interval,
                     "l/u, as 1/4: all requests are told one interval [l, u] of that ratio. Else "
                     "each has its own where a policy does not know lengths")
        ->group(which_group);
    command
        ->add_flag("--exhaustive", options.exhaustive,
                   "All instances, up to the order of requests where it does not matter")
        ->group(which_group);
    command
        ->add_option("--lengths", options.lengths,
                     "Compositions for large n and M: how many requests have each of these "
                     "outputs, as 1,2,8, without prompts; over h-sf or volume")
        ->delimiter(',')
        ->group(which_group);
}

} // namespace

void add_search_command(CLI::App& app)
{
    Command const command(app, "search", "Look for the instances on which a policy does worst");
    command->footer(
        policy_help() +
        "  sorted-f, sorted-lp, lp-swap   as in crx simulate\n"
        "Example: crx search --policy mc-sf --requests 8 --memory 12 --seconds 20\n"
        "         crx search --policy mc-sf --requests 4 --memory 7 --exhaustive\n"
        "         crx search --policy a-min --over h-sf --interval 1/4 --class "
        "equal-prompts --requests 20\n           --memory 40 --seconds 60 -o worst.json");
    auto const options = std::make_shared<SearchOptions>();
    add_policy_options(command, *options);
    add_denominator_options(command, *options);
    add_class_options(command, *options);
    command->add_option("--seconds", options->seconds,
                        "Ends the search; 60 where it is left out, or none with --generations");
    command
        ->add_option("--generations", options->generations,
                     "Ends the search after so many times 16 chains, with --lengths after so many "
                     "compositions (else 500): repeats exactly")
        ->check(whole_number<std::int64_t>(1, 1'000'000'000));
    command->add_option("--seed", options->seed, "Of the search")
        ->check(whole_number<std::uint64_t>(0))
        ->capture_default_str();
    command->add_option("--shrink", options->shrink,
                        "Leave out requests, memory and tokens while this share of the ratio "
                        "remains: 1, or 0.95. Below 1 -o FILE.json keeps the best, and "
                        "FILE.small.json gets the smaller instance");
    command->add_flag("--scale", options->scale,
                      "Say what becomes of the ratio when n, M and lengths are 2, 4 and 8 times as "
                      "large");
    command->add_option("--threads", options->threads, "0: one for each processor")
        ->check(whole_number<int>(0, 4096))
        ->capture_default_str();
    command->add_option("-o,--output", options->output,
                        "Witness file: holds the best so far, and is where the same command goes "
                        "on. With --lengths an experiment");
    command->add_flag("--json", options->json, "Print JSON: the witness, or what was found");
    command->callback([options, command] {
        options->given = command.given();
        run_search_command(*options);
    });
}

} // namespace crx

#include "host/evidence/search_modes.hh"

#include "analysis/statistics/summary.hh"
#include "analysis/worst/compositions.hh"
#include "analysis/worst/exhaustive.hh"
#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/text_file.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/simulate/simulate.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"
#include "kernels/base/seconds_since.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <tbb/global_control.h>

namespace crx {

namespace {

constexpr std::int64_t most_requests_of_all = 12;

/// The side of an exact ratio that --policy or --over names. Throws ConfigError.
worst::ExactCost exact_cost_argument(std::string const& option, std::string const& id,
                                     SearchOptions const& options)
{
    auto const given = option == "--policy" ? options.parameters : PolicyParameters{};
    if (auto const own = own_policy_argument(id, given)) {
        worst::ExactCost cost;
        cost.latency = [own](OwnedInstance const& instance) -> std::optional<worst::ExactFraction> {
            auto const run = execute_single(*own, instance, 0, 0);
            if (run.outcome.finished == 0) return std::nullopt;
            return worst::ExactFraction{run.outcome.total_latency, 1};
        };
        cost.place_matters = [](worst::RequestKind const&, worst::RequestKind const&) {
            return true;
        };
        return cost;
    }
    if (!ordered_beforehand(id))
        return worst::exact_policy_cost(policy_argument(policy_id(id), given));
    if (id != sorted_f_id)
        throw ConfigError("command line", option, id,
                          "a policy without a linear program: with --exhaustive each latency is "
                          "an exact number, which its steps are not");
    auto const selector = selector_argument(options);
    if (selector == sorted_f::Selector::quantile)
        throw ConfigError("command line", "--selector", options.selector,
                          "exact, scaled or swap with --exhaustive: quantile draws samples");
    if (options.last_arrival > 0)
        throw ConfigError("command line", "--last-arrival", std::to_string(options.last_arrival),
                          "0: " + id + " needs every arrival at 0");
    worst::ExactCost cost;
    cost.latency =
        [selector](OwnedInstance const& instance) -> std::optional<worst::ExactFraction> {
        auto const run = sorted_f::execute(instance, {selector, 100, 0, 0});
        if (!run) return std::nullopt;
        return worst::ExactFraction{run->outcome.total_latency, 1};
    };
    cost.place_matters = [](worst::RequestKind const&, worst::RequestKind const&) { return true; };
    return cost;
}

worst::ExactDenominator exact_denominator(SearchOptions const& options)
{
    worst::ExactDenominator denominator;
    if (options.over == "best-found")
        throw ConfigError("command line", "--over", options.over,
                          "opt, volume or a policy with --exhaustive: a search for schedules "
                          "proves nothing");
    denominator.volume = options.over == "volume";
    if (options.over == "opt" || denominator.volume) return denominator;
    cost_argument("--over", options.over, options); // says which ids there are
    denominator.cost = exact_cost_argument("--over", options.over, options);
    return denominator;
}

worst::ExhaustiveSearch search_of(SearchOptions const& options)
{
    if (options.requests > most_requests_of_all)
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          fmt::format("at most {} with --exhaustive", most_requests_of_all));
    try {
        return {instance_class(options), exact_cost_argument("--policy", options.policy, options),
                exact_denominator(options)};
    } catch (std::overflow_error const& error) {
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          std::string("fewer, or --memory smaller: ") + error.what());
    }
}

/// How many multisets to take before the next look at the clock: about a third of a second.
std::int64_t next_wave(std::int64_t wave, double seconds)
{
    if (seconds < 0.15) return wave * 2;
    return seconds > 0.6 ? std::max<std::int64_t>(wave / 2, 64) : wave;
}

std::string progress(worst::Exhausted const& found, std::int64_t done, std::int64_t all,
                     double seconds)
{
    return fmt::format("{:.1f} s: {} of {} multisets, {}, about {:.0f} s left", seconds, done, all,
                       found.maximum ? "largest ratio " + found.maximum->text() : "no ratio yet",
                       static_cast<double>(all - done) * seconds / static_cast<double>(done));
}

nlohmann::ordered_json as_json(worst::Exhausted const& found)
{
    nlohmann::ordered_json object{{"maximum", nullptr},
                                  {"at_maximum", found.at_maximum},
                                  {"instances", found.instances},
                                  {"multisets", found.multisets},
                                  {"unfinished", found.unfinished},
                                  {"endless", found.endless},
                                  {"hash", fmt::format("{:016x}", found.hash)}};
    if (!found.maximum) return object;
    object["maximum"] = found.maximum->text();
    object["memory"] = found.worst->memory;
    object["requests"] = requests_as_json(*found.worst);
    return object;
}

std::string as_text(worst::Exhausted const& found)
{
    auto text = fmt::format("{} of {}, hash {:016x}\n", counted(found.instances, "instance"),
                            counted(found.multisets, "multiset"), found.hash);
    if (found.unfinished > 0)
        text += fmt::format("{} instances are not finished by a policy and do not count\n",
                            found.unfinished);
    if (found.endless > 0)
        text += fmt::format("{} instances do not count, as random choices may go on without end "
                            "there: a search without --exhaustive counts them by draws\n",
                            found.endless);
    if (!found.maximum) return text + "no instance has a ratio\n";
    text += fmt::format("largest ratio{} {} = {:.6f}, on {} of them; the first:\n",
                        found.endless > 0 ? " of the others" : "", found.maximum->text(),
                        found.maximum->value(), found.at_maximum);
    return text + requests_as_text(*found.worst);
}

} // namespace

void run_exhaustive_search(SearchOptions const& options)
{
    auto const search = search_of(options);
    tbb::global_control const threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_to_use(options.threads)));
    InterruptGuard const guard(InterruptGuard::Voice::brief);
    worst::Exhausted found;
    auto const all = search.multisets();
    auto const begin = std::chrono::steady_clock::now();
    auto said = begin;
    std::int64_t wave = 1024;
    for (std::int64_t done = 0; done < all;) {
        auto const wave_begin = std::chrono::steady_clock::now();
        auto const to = std::min(all, done + wave);
        found.add(search.run(done, to));
        done = to;
        wave = next_wave(wave, seconds_since(wave_begin));
        if (done < all && InterruptGuard::asked())
            throw Stopped(InterruptGuard::stopped() + ": " +
                          progress(found, done, all, seconds_since(begin)));
        if (seconds_since(said) > 10) {
            say(progress(found, done, all, seconds_since(begin)));
            said = std::chrono::steady_clock::now();
        }
    }
    say(fmt::format("{:.1f} s", seconds_since(begin)));
    write_stdout(options.json ? as_json(found).dump(1) + "\n" : as_text(found));
}

namespace {

constexpr double confidence = 0.95;
constexpr int fresh_times = 16; ///< so many times the search's instances confirm it
/// First line of the experiments that are written here.
constexpr std::string_view first_line = "# The worst composition that a search found for ";

worst::CompositionSpace space_of(SearchOptions const& options)
{
    worst::CompositionSpace space;
    space.memory = options.memory;
    for (auto const length : options.lengths) {
        if (length < 1 || length > options.memory ||
            (!space.lengths.empty() && length <= space.lengths.back()))
            throw ConfigError("command line", "--lengths",
                              fmt::format("{}", fmt::join(options.lengths, ",")),
                              "ascending whole numbers from 1 to --memory");
        space.lengths.push_back(static_cast<std::int32_t>(length));
    }
    space.requests = options.requests;
    return space;
}

BaselineKind over_of(SearchOptions const& options)
{
    if (options.over == "h-sf" || options.over == "mc-sf") return BaselineKind::h_sf;
    if (options.over == "volume") return BaselineKind::volume;
    throw ConfigError(
        "command line", "--over", options.over,
        "h-sf or volume with --lengths: other denominators cost too much for large n");
}

nlohmann::ordered_json as_json(SearchOptions const& options, worst::CompositionSpace const& space,
                               worst::CompositionFound const& found, Estimate const& fresh,
                               std::int64_t fresh_instances)
{
    nlohmann::ordered_json object;
    object["policy"] = options.policy;
    object["over"] = options.over;
    object["memory"] = space.memory;
    object["requests"] = space.requests;
    object["prompt"] = 0;
    object["interval"] = {space.lengths.front(), space.lengths.back()};
    object["lengths"] = space.lengths;
    object["counts"] = found.composition;
    object["ratio_of_means"] = found.ratio;
    object["instances"] = options.draw_count();
    object["fresh_ratio_of_means"] = fresh.mean;
    if (fresh.half_width) object["fresh_half_width"] = *fresh.half_width;
    object["confidence"] = confidence;
    object["fresh_instances"] = fresh_instances;
    object["evaluations"] = found.evaluations;
    object["restarts"] = found.restarts;
    object["agreeing"] = found.agreeing;
    return object;
}

/// The composition as an experiment that `crx sweep` runs.
std::string as_experiment(SearchOptions const& options, worst::CompositionSpace const& space,
                          worst::CompositionFound const& found, std::int64_t fresh_instances)
{
    std::vector<std::int32_t> values;
    std::vector<std::int64_t> counts;
    for (std::size_t k = 0; k < found.composition.size(); ++k)
        if (found.composition[k] > 0) {
            values.push_back(space.lengths[k]);
            counts.push_back(found.composition[k]);
        }
    auto text =
        fmt::format("{}{} over {}.\n\n"
                    "[experiment]\nname = \"worst_composition\"\n"
                    "title = \"Worst composition found\"\nseed = {}\n\n"
                    "[stop]\ninstances = {}\n\n"
                    "[workload]\nrequests = {}\nmemory = {}\nprompt = 0\n\n"
                    "[workload.output]\nlaw = \"composition\"\nvalues = [{}]\n"
                    "counts = [{}]\n\n[workload.interval]\nrule = \"common\"\n"
                    "lower = {}\nupper = {}\n\n[[policy]]\nid = \"{}\"\n",
                    first_line, options.policy, options.over, options.seed + 1, fresh_instances,
                    space.requests, space.memory, fmt::join(values, ", "), fmt::join(counts, ", "),
                    space.lengths.front(), space.lengths.back(), options.policy);
    return text + parameters_as_toml(options.parameters) +
           fmt::format("\n[baselines]\nuse = [\"{}\"]\n\n[[sweep]]\nname = \"worst\"\n",
                       options.over == "mc-sf" ? "h-sf" : options.over);
}

/// `fresh`: the ratio on instances that the search has not seen; empty if it was stopped before.
std::string as_text(SearchOptions const& options, worst::CompositionSpace const& space,
                    worst::CompositionFound const& found, std::optional<Estimate> const& fresh,
                    std::int64_t fresh_instances)
{
    auto text = fmt::format("{} over {}: ", options.policy, options.over);
    if (fresh)
        text += fmt::format("{:.6f} ± {:.6f} ({:.0f} %) on {} fresh instances, ", fresh->mean,
                            fresh->half_width.value_or(0), 100 * confidence, fresh_instances);
    text += fmt::format("{:.6f} on the {} of the search\n", found.ratio, options.draw_count());
    text += fmt::format("{} requests, M = {}, prompts of 0, all told [{}, {}]\n", space.requests,
                        space.memory, space.lengths.front(), space.lengths.back());
    text += "output    count\n";
    for (std::size_t k = 0; k < space.lengths.size(); ++k)
        if (auto const count = found.composition[k]; count > 0)
            text += fmt::format("{:6} {:8}\n", space.lengths[k], count);
    return text;
}

/// Refuses an output file that no search over compositions wrote.
void check_output(std::filesystem::path const& file)
{
    check_place(file);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return;
    auto const text = read_whole_file(file, 16u << 20);
    if (!text.starts_with(first_line))
        throw ConfigError("command line", "-o", file.string(),
                          "another file: this one holds no composition of a search");
}

/// The composition's ratio on instances that the search has not seen; empty after a signal.
std::optional<Estimate> confirm(Cell const& cell, BaselineKind over, std::int64_t at_a_time)
{
    Tally all;
    for (int k = 0; k < fresh_times; ++k) {
        if (InterruptGuard::asked()) return {};
        auto const part = launch_host(cell, {k * at_a_time, at_a_time});
        if (k == 0)
            all = part;
        else
            for (std::size_t p = 0; p < all.size(); ++p) all[p].add(part[p]);
    }
    return summarise(all.front(), over, confidence).ratio_of_means;
}

} // namespace

void run_composition_search(SearchOptions const& options)
{
    if (ordered_beforehand(options.policy))
        throw ConfigError("command line", "--policy", options.policy,
                          "a policy of the engines with --lengths: this one orders all requests "
                          "before the first round");
    auto const space = space_of(options);
    worst::CompositionSettings settings;
    settings.policy = policy_argument(policy_id(options.policy), options.parameters);
    settings.over = over_of(options);
    settings.instances = options.draw_count();
    if (options.generations > 0) settings.evaluations = options.generations;
    if (settings.evaluations < 10)
        throw ConfigError("command line", "--generations", std::to_string(options.generations),
                          "10 or more with --lengths: so many compositions are looked at");
    settings.seed = options.seed;
    settings.launch = [](Cell const& cell, std::int64_t count) {
        return launch_host(cell, {0, count});
    };
    if (!options.output.empty()) check_output(options.output);
    tbb::global_control const threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_to_use(options.threads)));
    InterruptGuard const guard(InterruptGuard::Voice::brief);
    auto const begin = std::chrono::steady_clock::now();
    settings.stop = [&] {
        return InterruptGuard::asked() ||
               (options.seconds && seconds_since(begin) >= *options.seconds);
    };
    auto const found =
        worst::search_compositions(space, settings, [&](worst::CompositionFound const& better) {
            say(fmt::format("{:.1f} s: {:.6f}", seconds_since(begin), better.ratio));
        });
    if (!found && InterruptGuard::asked()) throw Stopped(InterruptGuard::stopped());
    if (!found) throw RunError("no composition counted: the policy does not finish the instances");
    auto const fresh_instances = fresh_times * settings.instances;
    say(counted(found->evaluations, "composition") +
        fmt::format(" in {:.1f} s", seconds_since(begin)));
    if (found->restarts == 1)
        say("one search; with more --generations, three say whether they agree");
    else
        say(fmt::format("{} of {} searches came within 0.1 % of it{}", found->agreeing,
                        found->restarts,
                        found->agreeing == found->restarts
                            ? ""
                            : ": the largest ratio is likely larger; raise --generations"));
    if (!InterruptGuard::asked())
        say(fmt::format("confirming it on {} fresh instances, as much work as {} compositions",
                        fresh_instances, fresh_times));
    auto const fresh = confirm(
        worst::cell_of(space, found->composition, settings.policy, settings.over, options.seed + 1),
        settings.over, settings.instances);
    if (!options.output.empty())
        write_file(options.output, as_experiment(options, space, *found, fresh_instances));
    if (InterruptGuard::asked()) {
        write_stdout(as_text(options, space, *found, {}, fresh_instances));
        throw Stopped(InterruptGuard::stopped() +
                      (options.output.empty() ? "" : ", the best so far is in " + options.output));
    }
    write_stdout(options.json
                     ? as_json(options, space, *found, *fresh, fresh_instances).dump(1) + "\n"
                     : as_text(options, space, *found, fresh, fresh_instances));
}

} // namespace crx

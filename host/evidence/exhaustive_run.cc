#include "host/evidence/exhaustive_run.hh"

#include "analysis/worst/exhaustive.hh"
#include "host/error.hh"
#include "host/evidence/witness_file.hh"
#include "host/experiment/policy_list.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/simulate/simulate.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"
#include "kernels/base/seconds_since.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
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

} // namespace crx

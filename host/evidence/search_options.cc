#include "host/evidence/search_options.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_f/sorted_lp.hh"
#include "host/error.hh"
#include "host/experiment/own_order.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/config_reader.hh"
#include "host/shell_word.hh"
#include "host/simulate/simulate.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>

namespace crx {
namespace {

/// Orders that linear programs or batches make, for requests that all arrive at 0.
constexpr char const *sorted_lp_id = "sorted-lp", *lp_swap_id = "lp-swap";

worst::Cost sorted_f_cost(SearchOptions const& options, std::uint64_t seed)
{
    auto const selector = selector_argument(options);
    auto const draws = selector == sorted_f::Selector::quantile ? options.draw_count() : 1;
    auto const sum = [=, measure = measure_of(options)](
                         OwnedInstance const& instance) -> std::optional<std::int64_t> {
        std::int64_t total = 0;
        for (std::int64_t k = 0; k < draws; ++k) {
            auto const run =
                sorted_f::execute(instance, {selector, 100, seed, static_cast<std::uint64_t>(k)});
            if (!run) return std::nullopt;
            total += measured(*run, measure);
        }
        return total;
    };
    return {sorted_f_id, draws, sum, selector == sorted_f::Selector::quantile};
}

/// "1/4" as its two numbers in lowest terms.
std::pair<std::int32_t, std::int32_t> interval_ratio(std::string const& text)
{
    std::int32_t parts[2] = {};
    auto const slash = text.find('/');
    auto const* at = text.data();
    auto const* const end = text.data() + text.size();
    bool good = slash != std::string::npos;
    for (int k = 0; k < 2 && good; ++k) {
        auto const* const stop = k == 0 ? text.data() + slash : end;
        auto const [read, error] = std::from_chars(at, stop, parts[k]);
        good = error == std::errc{} && read == stop;
        at = stop + 1;
    }
    if (!good || parts[0] < 1 || parts[1] < parts[0] || parts[1] > 1'000'000)
        throw ConfigError("command line", "--interval", text,
                          "l/u as two whole numbers, 1 <= l <= u <= 1000000: 1/4");
    auto const common = std::gcd(parts[0], parts[1]);
    return {parts[0] / common, parts[1] / common};
}

/// Options that name the policies; every mode takes them.
std::set<std::string> sides()
{
    std::set<std::string> names{"--policy", "--selector", "--over"};
    for (auto const& parameter : policy_parameters) names.insert(option_of(parameter.name));
    for (auto const& parameter : own_parameters) names.insert(option_of(parameter.name));
    return names;
}

void refuse_others(SearchOptions const& options, std::set<std::string> const& taken,
                   std::string const& why)
{
    auto const always = sides();
    for (auto const& name : options.given)
        if (!taken.contains(name) && !always.contains(name))
            throw ConfigError("command line", name, "left out: " + why);
}

bool is_told_outputs(std::string const& id)
{
    if (id.empty() || ordered_beforehand(id)) return true;
    if (id == by_key_id || id == program_id) return false; // an interval can be the length alone
    auto const* const info = find_policy(policy_id(id));
    return info == nullptr || info->knows_lengths;
}

} // namespace

worst::Measure measure_of(SearchOptions const& options)
{
    if (options.measure == "p99") return worst::Measure::p99;
    return options.measure == "makespan" ? worst::Measure::makespan : worst::Measure::total_latency;
}

std::int64_t measured(SingleRun const& run, worst::Measure measure)
{
    if (measure == worst::Measure::total_latency) return run.outcome.total_latency;
    if (measure == worst::Measure::makespan) return run.outcome.makespan;
    auto latency = run.completion; // all arrive at 0
    std::ranges::sort(latency);
    return latency[(99 * latency.size() + 99) / 100 - 1];
}

bool ordered_beforehand(std::string const& id)
{
    return id == sorted_f_id || id == sorted_lp_id || id == lp_swap_id;
}

std::string policy_id(std::string const& id) { return id == "h-sf" ? "mc-sf" : id; }

sorted_f::Selector selector_argument(SearchOptions const& options)
{
    auto const& names = sorted_f::selector_names;
    auto const* const found = std::ranges::find(names, options.selector);
    if (found == std::end(names))
        throw ConfigError(
            "command line", "--selector", options.selector,
            one_of(options.selector, std::vector<std::string>(std::begin(names), std::end(names))) +
                ": sorted-f needs it");
    return static_cast<sorted_f::Selector>(found - names);
}

std::string SearchOptions::command() const
{
    auto text = "crx search --policy " + shell_word(policy);
    auto const add = [&](char const* name, std::string const& value) {
        text += std::string(" ") + name + " " + shell_word(value);
    };
    if (!selector.empty()) add("--selector", selector);
    for_each_option(parameters, [&](std::string const& option, std::string const& value) {
        add(option.c_str(), value);
    });
    add("--over", over);
    if (!against.empty()) add("--against", against);
    if (measure != "tel") add("--measure", measure);
    if (restriction != "any") add("--class", restriction);
    if (!interval.empty()) add("--interval", interval);
    add("--requests", std::to_string(requests));
    add("--memory", std::to_string(memory));
    if (last_arrival > 0) add("--last-arrival", std::to_string(last_arrival));
    if (exhaustive) return text + " --exhaustive";
    if (draw_count() != 64) add("--draws", std::to_string(draw_count()));
    add("--seed", std::to_string(seed));
    if (seconds) add("--seconds", fmt::format("{}", *seconds));
    if (generations > 0) add("--generations", std::to_string(generations));
    if (shrink) add("--shrink", fmt::format("{}", *shrink));
    return text;
}

void check_ranges(SearchOptions const& options)
{
    if (!(options.time_limit() > 0 && options.time_limit() <= 1e9))
        throw ConfigError("command line", "--seconds", fmt::format("{}", options.time_limit()),
                          "a number of seconds above 0, at most 1000000000");
    if (options.shrink && !(*options.shrink > 0 && *options.shrink <= 1))
        throw ConfigError("command line", "--shrink", fmt::format("{}", *options.shrink),
                          "a share in (0, 1] of the ratio that was found");
}

void check_options_of_mode(SearchOptions const& options)
{
    for (auto const& [option, id] :
         {std::pair("--policy", options.policy), {"--over", options.over}})
        if (id == own_order_id)
            throw ConfigError("command line", option, id,
                              "a policy of this program; crx.search of the Python package takes "
                              "an order of one's own");
    if (options.exhaustive)
        return refuse_others(options,
                             {"--exhaustive", "--requests", "--memory", "--last-arrival", "--class",
                              "--interval", "--threads", "--json"},
                             "--exhaustive runs every instance once, to the end");
    if (!options.lengths.empty())
        refuse_others(options,
                      {"--lengths", "--requests", "--memory", "--draws", "--seconds",
                       "--generations", "--seed", "--threads", "--output", "--json"},
                      "--lengths searches over compositions, where it means nothing");
}

worst::Cost cost_argument(std::string const& option, std::string const& id,
                          SearchOptions const& options, std::uint64_t draw_seed)
{
    auto const given = option == "--policy" ? options.parameters : PolicyParameters{};
    if (ordered_beforehand(id)) {
        if (options.last_arrival > 0)
            throw ConfigError("command line", "--last-arrival",
                              std::to_string(options.last_arrival),
                              "0: " + id + " needs every arrival at 0");
        if (id == sorted_f_id) return sorted_f_cost(options, draw_seed);
        auto const measure = measure_of(options);
        auto const swaps = id == lp_swap_id;
        return {id, 1, [=](OwnedInstance const& instance) -> std::optional<std::int64_t> {
                    auto const made = swaps ? sorted_lp::execute_lp_swap(instance)
                                            : sorted_lp::execute_sorted_lp(instance);
                    return measured(made.run, measure);
                }};
    }
    if (auto const own = own_policy_argument(id, given)) {
        auto const measure = measure_of(options);
        auto const ties = given.find("ties");
        bool const draws = ties != given.end() && ties->second == "drawn";
        std::int64_t const runs = draws ? options.draw_count() : 1;
        auto const sum = [=](OwnedInstance const& instance) -> std::optional<std::int64_t> {
            std::int64_t total = 0;
            for (std::int64_t k = 0; k < runs; ++k) {
                auto const run = execute_single(*own, instance, draw_seed, k);
                if (run.outcome.finished == 0) return std::nullopt;
                total += measured(run, measure);
            }
            return total;
        };
        return {id, runs, sum, draws};
    }
    if (option == "--over" && find_policy(policy_id(id)) == nullptr) {
        std::vector<std::string> ids{"opt", "best-found", "volume", "h-sf"};
        for (auto const& info : policy_table()) ids.emplace_back(info.id);
        throw ConfigError("command line", option, id, one_of(id, ids));
    }
    auto const spec = policy_argument(policy_id(id), given);
    return worst::policy_cost(spec, draw_seed, options.draw_count(), measure_of(options));
}

worst::InstanceClass instance_class(SearchOptions const& options)
{
    worst::InstanceClass of;
    of.requests = options.requests;
    of.memory = options.memory;
    of.last_arrival = options.last_arrival;
    auto const* const restriction =
        std::ranges::find(worst::restriction_names, options.restriction);
    CRX_EXPECT(restriction != std::end(worst::restriction_names));
    of.restriction =
        static_cast<worst::Restriction>(restriction - std::begin(worst::restriction_names));
    if (!options.interval.empty()) {
        of.told = worst::Told::common;
        std::tie(of.alpha_numerator, of.alpha_denominator) = interval_ratio(options.interval);
    } else if (!is_told_outputs(options.policy) || !is_told_outputs(options.over)) {
        of.told = worst::Told::intervals;
    }
    if (of.memory < of.least_memory())
        throw ConfigError(
            "command line", "--memory", std::to_string(of.memory),
            fmt::format("{} or more, or the class has no instance", of.least_memory()));
    return of;
}

worst::Objective objective(SearchOptions const& options, OwnCosts const& own)
{
    worst::Objective made;
    made.nodes = 100'000; // crx baseline can spend more on the file of -o
    made.numerator = own.policy ? *own.policy : cost_argument("--policy", options.policy, options);
    auto const by_latency = options.measure == "tel";
    if (own.over) {
        made.over = worst::Over::cost;
        made.denominator = *own.over;
    } else if (options.over == "opt")
        made.over = worst::Over::opt;
    else if (options.over == "best-found")
        made.over = worst::Over::best_found;
    else if (options.over == "volume")
        made.over = worst::Over::volume;
    else {
        made.over = worst::Over::cost;
        made.denominator = cost_argument("--over", options.over, options);
    }
    if (!by_latency && made.over != worst::Over::cost)
        throw ConfigError("command line", "--measure", options.measure,
                          "tel over opt, best-found and volume, which speak of total latency");
    if (made.over == worst::Over::opt && options.requests > 64)
        throw ConfigError("command line", "--requests", std::to_string(options.requests),
                          "at most 64 over opt; --over best-found and volume take more");
    if (options.against.empty()) return made;
    auto const* const curve = bounds::find_curve(options.against);
    auto const* const hypotheses = bounds::hypotheses_of(options.against);
    if (curve == nullptr || hypotheses == nullptr) {
        std::vector<std::string> ids;
        for (auto const& known : bounds::curve_catalogue()) ids.push_back(known.id);
        throw ConfigError("command line", "--against", options.against,
                          one_of(options.against, ids));
    }
    auto const opposite = hypotheses->of_opt ? "opt" : "h-sf";
    if (options.over != opposite || !by_latency)
        throw ConfigError("command line", "--over", options.over,
                          fmt::format("{}, with --measure tel: {} is about that ratio", opposite,
                                      options.against));
    try {
        made.bound = worst::instance_bound(*curve);
    } catch (std::invalid_argument const& error) {
        throw ConfigError("command line", "--against", options.against,
                          "a bound of one instance: this one needs " + curve->parameters);
    }
    return made;
}

} // namespace crx

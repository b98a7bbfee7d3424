#include "analysis/baseline/hindsight.hh"

#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/idle_gaps.hh"
#include "analysis/baseline/out_of_reach.hh"
#include "analysis/baseline/relaxation/configuration_bound.hh"
#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/relaxation/pair_bound.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/search/best_found.hh"
#include "kernels/base/counted.hh"
#include "kernels/cpu/order_search.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <fmt/format.h>

namespace crx::baseline {
namespace {

NamedSchedule checked(OwnedInstance const& instance, std::string id, Starts starts)
{
    CRX_ENSURE(!schedule_fault(instance, starts));
    CRX_ENSURE(std::ranges::find(schedule_ids, id) != std::end(schedule_ids));
    auto const latency = total_latency(instance, starts);
    return {std::move(id), std::move(starts), latency};
}

Rounds last_start(Starts const& starts) { return *std::ranges::max_element(starts); }

/// Above so many requests `release`, whose cost grows with their square, is not tried: 1.5 s there.
constexpr std::int64_t most_released = 30'000;

/// Schedules that best-found looks at where nothing is said, a request: below a tenth of a second
/// at n = 12, two at n = 50 on one core where it searches orders; its other search is slower.
std::int64_t usual_evaluations(OwnedInstance const& instance)
{
    auto const n = instance.requests();
    if (search::search_refusal(instance).empty())
        return std::min<std::int64_t>(300 * n * n, 50'000);
    return std::clamp<std::int64_t>(50 * n, 100, 1'000'000);
}

bool all_at_zero(OwnedInstance const& instance)
{
    return std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; });
}

/// A bound of the engines, which have no value from 2^62 on.
LowerBound engine_bound(std::string id, std::int64_t value)
{
    if (value == 0) return {std::move(id), std::nullopt, "2^62 or more"};
    return {std::move(id), value, ""};
}

void add_simple_bounds(OwnedInstance const& instance, Hindsight& result)
{
    auto const at_zero = all_at_zero(instance);
    Rounds alone = 0;
    for (auto const output : instance.output) alone += output;
    result.bounds.push_back({"outputs", alone, "what the requests need alone"});
    if (at_zero)
        result.bounds.push_back(engine_bound("volume", volume_bound(instance)));
    else
        result.bounds.push_back({"volume", std::nullopt, "needs all arrivals at 0"});
    if (at_zero)
        result.bounds.push_back({"release", std::nullopt, "all arrivals are 0: it is volume"});
    else if (instance.requests() > most_released)
        result.bounds.push_back({"release", std::nullopt, "too many requests"});
    else
        result.bounds.push_back(engine_bound("release", release_bound(instance)));
    auto const dual = identical_dual_bound(instance);
    auto const remark = are_identical(instance) ? "2^62 or more" : "needs identical requests at 0";
    result.bounds.push_back({"dual", dual, dual ? "" : remark});
}

void add_simple_schedules(OwnedInstance const& instance, Hindsight& result)
{
    // H-SF is CHEN's name, for requests that all arrive at 0.
    for (auto const& [id, kind] :
         {std::pair{all_at_zero(instance) ? "h-sf" : "mc-sf", ShortestFirst::kind},
          std::pair{"mc-sf-total", ShortestTotalFirst::kind}}) {
        auto run = execute_single({kind, {}}, instance, 0, 0);
        if (run.outcome.finished == 0) continue; // TEL is 2^62 or more
        result.schedules.push_back(checked(instance, id, std::move(run.start)));
    }
}

/// The bound of memory and peak prices.
PriceBound peak_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                      Rounds upper, Rounds horizon, std::int64_t steps, double reach,
                      TimeLimit const& limit)
{
    AscentSettings settings;
    settings.reach = reach;
    settings.starts = horizon;
    for (auto const& group : groups) settings.starts = std::max(settings.starts, group.arrival + 1);
    settings.peak_families = 3;
    settings.upper = upper;
    settings.iterations = steps;
    settings.limit = limit;
    auto const ascent = ascend(instance, groups, settings);
    return price_bound(instance, groups, upper, ascent.prices, settings.starts);
}

/// Prices of the original's rounds, where those left out all come before the first arrival.
std::optional<Prices> original_prices(WithoutIdleGaps const& times, OwnedInstance const& original,
                                      Prices prices)
{
    constexpr Rounds most_later = 1 << 20; // what comes before them is stored too
    auto const& shortened = times.instance();
    auto const later = original.arrival[0] - shortened.arrival[0];
    for (std::size_t i = 0; i < original.arrival.size(); ++i)
        if (original.arrival[i] - shortened.arrival[i] != later) return std::nullopt;
    if (later > most_later) return std::nullopt;
    auto const rounds = static_cast<std::size_t>(later);
    prices.memory.insert(prices.memory.begin(), rounds, 0);
    for (auto& peaks : prices.peaks) peaks.price.insert(peaks.price.begin(), 2 * rounds, 0);
    return prices;
}

/// Above so many requests the graphs of configurations are too large to try.
constexpr std::size_t most_configured = 24;

/// Configurations from the bound of peaks, with 20 arcs and as many states a node.
void add_configurations(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                        Rounds upper, std::int64_t nodes, TimeLimit const& limit,
                        PriceBound const& root, Hindsight& result)
{
    ConfigurationSettings settings;
    settings.limit = limit;
    auto const most = 20 * static_cast<std::size_t>(std::min<std::int64_t>(nodes, 1 << 30));
    settings.most_arcs = std::min(settings.most_arcs, most);
    settings.most_states = std::min(settings.most_states, most);
    auto outcome = configuration_bound(instance, groups, root, upper, settings);
    if (outcome.complete) result.configurations = std::move(outcome.stages);
    if (!outcome.best.empty())
        result.schedules.push_back(checked(instance, "configurations", outcome.best));
    result.bounds.push_back(
        {"configurations", outcome.bound.lower_bound,
         fmt::format("{} and {}", counted(outcome.arcs, "arc"), counted(outcome.states, "state"))});
}

/// Paths of pairs, for instances too large for configurations, with 1,000 arcs a node: about as
/// much time.
void add_pairs(OwnedInstance const& instance, std::vector<RequestGroup> const& groups, Rounds upper,
               Rounds horizon, std::int64_t nodes, TimeLimit const& limit, PriceBound const& root,
               Hindsight& result)
{
    PairSettings settings;
    settings.limit = limit;
    settings.most_arcs = nodes < INT64_MAX / 1000 ? 1000 * nodes : INT64_MAX;
    for (auto const& group : groups) horizon = std::max(horizon, group.arrival + 1);
    auto const outcome = pair_bound(instance, groups, root, upper,
                                    std::min(horizon, root.domain.starts()), settings);
    if (outcome.lower_bound == 0) {
        result.bounds.push_back({"pairs", std::nullopt, "there are too many"});
        return;
    }
    auto& prices = result.pairs.emplace();
    prices.rows = outcome.prices;
    prices.requests.resize(instance.output.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto const i : groups[g].members) prices.requests[i] = outcome.group_prices[g];
    result.bounds.push_back({"pairs", outcome.lower_bound,
                             fmt::format("{} in {}", counted(outcome.states, "state"),
                                         counted(outcome.steps, "step"))});
}

/// The bounds by prices, and paths if they are asked for and n allows.
void add_costly_bounds(OwnedInstance const& original, WithoutIdleGaps const& times,
                       std::vector<RequestGroup> const& groups, HindsightLimits const& limits,
                       TimeLimit const& time, Hindsight& result)
{
    auto const& instance = times.instance();
    auto const upper = result.best().total_latency;
    auto const horizon = last_start(result.best().starts) + 10;
    if (program_entries(groups, horizon) > most_program_entries) {
        result.bounds.push_back({"peaks", std::nullopt, "the program is too large"});
        return;
    }
    auto const stopped = [&limits] { return limits.stop && limits.stop(); };
    if (stopped()) return;
    auto const n = instance.output.size();
    // Where n is small, a longer climb costs more than it saves the search.
    auto const steps = limits.steps > 0
                           ? limits.steps
                           : std::min<std::int64_t>(static_cast<std::int64_t>(4 * n * n), 1000);
    auto root = peak_bound(instance, groups, upper, horizon, steps, 0, time.part(0.4));
    // What no prices give: the first ones may be worse, and few steps mend that too little.
    result.bounds.push_back({"peaks", std::max(root.lower_bound, result.bound("outputs").value()),
                             "prices of memory and of peak rows"});
    // From far below, graphs of configurations are large: climb in longer steps.
    if (limits.parts.search && n <= most_configured && 10 * root.lower_bound < 9 * upper &&
        !stopped())
        if (auto longer =
                peak_bound(instance, groups, upper, horizon, 4 * steps, 0.2, time.part(0.4));
            longer.lower_bound > root.lower_bound)
            root = std::move(longer);
    result.prices = original_prices(times, original, root.prices);
    if (!limits.parts.search || n > most_searched || result.bound("peaks") >= upper ||
        root.domain.starts() == 0 || stopped())
        return;
    if (n <= most_configured)
        add_configurations(instance, groups, upper, limits.nodes, time, root, result);
    else
        add_pairs(instance, groups, upper, horizon, limits.nodes, time.part(0.9), root, result);
}

} // namespace

NamedSchedule const& Hindsight::best() const
{
    CRX_EXPECT(!schedules.empty());
    return *std::ranges::min_element(schedules, {}, &NamedSchedule::total_latency);
}

std::optional<Rounds> Hindsight::bound(std::string_view id) const
{
    auto const found = std::ranges::find(bounds, id, &LowerBound::id);
    return found == bounds.end() ? std::nullopt : found->value;
}

std::optional<Rounds> Hindsight::schedule(std::string_view id) const
{
    auto const found = std::ranges::find(schedules, id, &NamedSchedule::id);
    return found == schedules.end() ? std::nullopt : std::optional(found->total_latency);
}

Hindsight hindsight(OwnedInstance const& original, HindsightLimits const& limits)
{
    TimeLimit const time(limits.seconds, limits.stop);
    WithoutIdleGaps const times(original);
    auto const& instance = times.instance();
    Hindsight result;
    add_simple_bounds(instance, result);
    add_simple_schedules(instance, result);
    auto const n = instance.requests();
    auto const each = limits.evaluations_a_request > 0 ? limits.evaluations_a_request
                                                       : usual_evaluations(instance);
    if (auto found = best_found(instance, {each * n, time.part(0.4), limits.seed}))
        result.schedules.push_back(checked(instance, "best-found", std::move(found->starts)));
    if (result.schedules.empty()) return result;
    if (limits.parts.peaks || limits.parts.search)
        add_costly_bounds(original, times, request_groups(instance), limits, time, result);
    if (times.left_out()) {
        result.pairs.reset();
        result.configurations.clear();
    }
    if (times.left_out())
        for (auto& schedule : result.schedules)
            schedule = checked(original, schedule.id, times.original(schedule.starts));
    result.upper = result.best().total_latency;
    for (auto const& bound : result.bounds)
        result.lower = std::max(result.lower, bound.value.value_or(0));
    CRX_ENSURE(result.lower <= result.upper);
    return result;
}

} // namespace crx::baseline

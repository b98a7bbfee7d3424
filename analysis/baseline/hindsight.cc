#include "analysis/baseline/hindsight.hh"

#include "analysis/baseline/branch_and_bound.hh"
#include "analysis/baseline/generated_lp.hh"
#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/local_search.hh"
#include "analysis/baseline/price_bound.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace crx::baseline {
namespace {

class Clock
{
  public:
    explicit Clock(double seconds)
        : end_(Steady::now() +
               std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds)))
    {
    }
    double left() const
    {
        return std::max(0.0, std::chrono::duration<double>(end_ - Steady::now()).count());
    }

  private:
    using Steady = std::chrono::steady_clock;
    Steady::time_point end_;
};

NamedSchedule checked(OwnedInstance const& instance, std::string id, Starts starts)
{
    CRX_ENSURE(!schedule_fault(instance, starts));
    auto const latency = total_latency(instance, starts);
    return {std::move(id), std::move(starts), latency};
}

Rounds last_start(Starts const& starts) { return *std::ranges::max_element(starts); }

/// Columns times tokens: what a time-indexed program holds. Above this, it is not tried.
constexpr double most_entries = 3e7;

double program_entries(std::vector<RequestGroup> const& groups, Rounds horizon)
{
    double entries = 0;
    for (auto const& group : groups) entries += static_cast<double>(horizon) * group.output;
    return entries;
}

void add_simple_bounds(OwnedInstance const& instance, Hindsight& result)
{
    auto const at_zero = std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; });
    Rounds alone = 0;
    for (auto const output : instance.output) alone += output;
    result.bounds.push_back({"outputs", alone, "what the requests need alone"});
    if (at_zero)
        result.bounds.push_back({"volume", volume_bound(instance), ""});
    else
        result.bounds.push_back({"volume", std::nullopt, "needs all arrivals at 0"});
    auto const dual = identical_dual_bound(instance);
    result.bounds.push_back({"dual", dual, dual ? "" : "needs identical requests at 0"});
}

void add_simple_schedules(OwnedInstance const& instance, Hindsight& result)
{
    for (auto const& [id, kind] :
         {std::pair{"h-sf", PolicyKind::mc_sf}, std::pair{"mc-sf-total", PolicyKind::mc_sf_total}})
        result.schedules.push_back(
            checked(instance, id, execute_single({kind, {}}, instance, 0, 0).start));
}

/// The bound of memory and peak prices. 2 n^2 steps: where n is small, a longer climb costs more
/// than it saves the search.
CliqueBound peak_bound(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                       Rounds upper, Rounds horizon, double seconds)
{
    auto const n = instance.requests();
    AscentSettings settings;
    settings.starts = horizon;
    for (auto const& group : groups) settings.starts = std::max(settings.starts, group.arrival + 1);
    settings.peak_families = 3;
    settings.upper = upper;
    settings.iterations = std::min<std::int64_t>(2 * n * n, 10000);
    settings.seconds = seconds;
    auto const ascent = ascend(instance, groups, settings);
    return price_bound(instance, groups, upper, ascent.prices, settings.starts);
}

/// Small programs are solved as they stand, larger ones by columns.
LowerBound relaxation(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                      Starts const& known, Rounds horizon, double seconds)
{
    if (instance.requests() <= 16) {
        auto const lp = lp_bound(instance, horizon, seconds);
        return {"lp", lp.lower_bound,
                lp.solved ? fmt::format("value {:.6f}, starts to {}", lp.value, lp.last_start)
                          : "stopped early: not the program's optimum"};
    }
    AscentSettings settings;
    settings.starts = horizon + 1;
    for (auto const& group : groups) settings.starts = std::max(settings.starts, group.arrival + 1);
    settings.upper = total_latency(instance, known);
    settings.iterations = 1000;
    settings.averages = 300;
    settings.seconds = seconds / 2;
    auto const ascent = ascend(instance, groups, settings);
    auto const lp = solve_by_columns(instance, groups, settings.starts, ascent, known, seconds / 2);
    return {"lp",
            std::max(lp.lower_bound, whole_bound(lagrangian_bound(instance, groups, ascent.prices,
                                                                  settings.starts))),
            lp.solved && lp.horizon_valid
                ? fmt::format("value {:.6f}, starts to {}", lp.value, settings.starts - 1)
                : "stopped early: not the program's optimum"};
}

void search_exactly(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                    Clock const& clock, Hindsight& result)
{
    auto const& best = result.best();
    auto const horizon = last_start(best.starts) + 10;
    if (program_entries(groups, horizon) > most_entries) {
        for (auto const* id : {"peaks", "lp", "clique-lp"})
            result.bounds.push_back({id, std::nullopt, "the program is too large"});
        return;
    }
    auto const peaks =
        peak_bound(instance, groups, best.total_latency, horizon, 0.4 * clock.left());
    result.bounds.push_back({"peaks", peaks.lower_bound, "prices of memory and of peak rows"});
    result.bounds.push_back(relaxation(instance, groups, best.starts, horizon, 0.4 * clock.left()));
    auto const exact = groups.size() <= 64 && instance.output.size() <= 64;
    auto const cut = clique_bound(instance, groups, best.total_latency, horizon,
                                  (exact ? 0.6 : 1.0) * clock.left());
    result.bounds.push_back({"clique-lp", cut.lower_bound,
                             fmt::format("{} cliques in {} rounds", cut.cliques, cut.rounds)});
    auto const& better = cut.lower_bound >= peaks.lower_bound ? cut : peaks;
    if (better.lower_bound >= best.total_latency || !exact) return;
    auto const found = search_starts(instance, groups, better, best.total_latency, clock.left());
    auto const nodes = fmt::format("{} nodes", found.nodes);
    if (!found.best.empty())
        result.schedules.push_back(checked(instance, "branch-and-bound", found.best));
    result.bounds.push_back(
        {"branch-and-bound",
         found.complete ? std::optional(result.best().total_latency) : std::nullopt,
         found.complete ? nodes : "stopped early after " + nodes});
}

} // namespace

NamedSchedule const& Hindsight::best() const
{
    CRX_EXPECT(!schedules.empty());
    return *std::ranges::min_element(schedules, {}, &NamedSchedule::total_latency);
}

Hindsight hindsight(OwnedInstance const& instance, HindsightLimits const& limits)
{
    CRX_EXPECT(!instance.output.empty());
    Clock const clock(limits.seconds);
    Hindsight result;
    add_simple_bounds(instance, result);
    add_simple_schedules(instance, result);
    auto const n = instance.requests();
    if (local_search_fits(instance, std::size_t{1} << 29)) {
        auto const each = limits.evaluations_a_request > 0
                              ? limits.evaluations_a_request
                              : std::clamp<std::int64_t>(20 * n, 100, 1000000);
        auto found = local_search(instance, {each * n, 0.4 * limits.seconds, limits.seed});
        result.schedules.push_back(checked(instance, "best-found", std::move(found.starts)));
    }
    search_exactly(instance, request_groups(instance), clock, result);
    result.upper = result.best().total_latency;
    for (auto const& bound : result.bounds)
        result.lower = std::max(result.lower, bound.value.value_or(0));
    CRX_ENSURE(result.lower <= result.upper);
    return result;
}

} // namespace crx::baseline

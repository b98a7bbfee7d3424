#include "analysis/baseline/hindsight.hh"

#include "analysis/baseline/branch_and_bound.hh"
#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/local_search.hh"

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

void search_exactly(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                    Clock const& clock, Hindsight& result)
{
    auto const& best = result.best();
    auto const horizon = last_start(best.starts) + 10;
    if (program_entries(groups, horizon) > most_entries) {
        for (auto const* id : {"lp", "clique-lp"})
            result.bounds.push_back({id, std::nullopt, "the program is too large"});
        return;
    }
    auto const lp = lp_bound(instance, horizon, 0.4 * clock.left());
    result.bounds.push_back(
        {"lp", lp.lower_bound,
         lp.solved ? fmt::format("value {:.6f}, starts to {}", lp.value, lp.last_start)
                   : "stopped early: not the program's optimum"});
    auto const exact = groups.size() <= 64 && instance.output.size() <= 64;
    auto const cut = clique_bound(instance, groups, best.total_latency, horizon,
                                  (exact ? 0.6 : 1.0) * clock.left());
    result.bounds.push_back({"clique-lp", cut.lower_bound,
                             fmt::format("{} cliques in {} rounds", cut.cliques, cut.rounds)});
    if (cut.lower_bound >= best.total_latency || !exact) return;
    auto const found = search_starts(instance, groups, cut, best.total_latency, clock.left());
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

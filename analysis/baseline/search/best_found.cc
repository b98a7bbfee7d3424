#include "analysis/baseline/search/best_found.hh"

#include "analysis/baseline/search/growing_runs.hh"
#include "kernels/search/search_batch.hh"

namespace crx::baseline {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 29; ///< of local_search's working memory

/// Shorter runs of the search over orders end too early to pay.
constexpr std::int64_t least_run = 20000;

/// The best of the search over orders with so many schedules.
FoundSchedule by_orders(OwnedInstance const& instance, std::int64_t evaluations, std::uint64_t seed,
                        TimeLimit const& limit)
{
    GrowingRuns const runs(evaluations, least_run);
    search::FoundOrder best;
    FoundSchedule found;
    for (int k = 0; k < runs.runs() && (k == 0 || !limit.over()); ++k) {
        search::Effort const effort{runs.length(k), 1, seed, 0};
        auto const one = search::search_run(instance, effort, k, [&limit] { return limit.over(); });
        if (k == 0 || one.total_latency < best.total_latency) best = one;
        found.evaluations += runs.length(k);
    }
    std::vector<std::size_t> const order(best.order, best.order + instance.requests());
    auto const starts = execute_in_order(instance, order).start;
    found.starts.assign(starts.begin(), starts.end());
    found.total_latency = best.total_latency;
    CRX_ENSURE(!schedule_fault(instance, found.starts) &&
               total_latency(instance, found.starts) == found.total_latency);
    return found;
}

} // namespace

std::optional<FoundSchedule> best_found(OwnedInstance const& instance, SearchLimits const& limits)
{
    auto const polished = local_search_fits(instance, most_bytes);
    if (!search::search_refusal(instance).empty())
        return polished ? std::optional(local_search(instance, limits)) : std::nullopt;
    auto const of_orders =
        polished ? limits.evaluations - limits.evaluations / 4 : limits.evaluations;
    auto found = by_orders(instance, of_orders, limits.seed,
                           polished ? limits.limit.part(0.75) : limits.limit);
    auto rest = limits;
    rest.evaluations = limits.evaluations - of_orders;
    if (!polished || rest.evaluations < 1) return found;
    rest.known = found.starts;
    auto better = local_search(instance, rest);
    better.evaluations += found.evaluations;
    CRX_ENSURE(better.total_latency <= found.total_latency);
    return better;
}

} // namespace crx::baseline

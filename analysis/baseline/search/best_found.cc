#include "analysis/baseline/search/best_found.hh"

#include "analysis/baseline/search/give_way.hh"
#include "kernels/cpu/order_search.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>

namespace crx::baseline {
namespace {

/// Schedules of a run after which a new one gains more than a longer one: 12 n^3, at least 5,000
/// (docs/decisions/043-baselines.md).
std::int64_t longest_run(std::int64_t n) { return std::max<std::int64_t>(5000, 12 * n * n * n); }

/// Shorter runs of a large instance end too early to pay.
constexpr std::int64_t least_run = 20'000;

/// Runs have streams of random words of their own, so many at most.
constexpr int most_runs = 1 << 19;

/// Schedules of the next run of the search over orders, where `done` are done of `total`: as many
/// as all before it, so that a search that is cut has a good part of them in runs that ended cold,
/// up to the longest; what is too little for one more run goes to the last.
std::int64_t next_run(std::int64_t done, std::int64_t total, std::int64_t n)
{
    auto const longest = longest_run(n);
    auto const length = std::clamp(done, std::min(least_run, longest), longest);
    return total - done < 2 * length ? total - done : length;
}

/// The best of the search over orders with so many schedules, what each run ends with improved by
/// give_way.
FoundSchedule by_orders(OwnedInstance const& instance, std::int64_t evaluations, std::uint64_t seed,
                        TimeLimit const& limit)
{
    FoundSchedule found;
    for (int k = 0; k < most_runs && found.evaluations < evaluations; ++k) {
        if (k > 0 && limit.over()) break;
        auto const length = next_run(found.evaluations, evaluations, instance.requests());
        auto const one =
            search::search_run(instance, {length, seed}, k, [&limit] { return limit.over(); });
        auto starts = give_way(instance, {one.start, one.start + instance.requests()}, limit);
        auto const latency = total_latency(instance, starts);
        if (k == 0 || latency < found.total_latency) {
            found.starts = std::move(starts);
            found.total_latency = latency;
        }
        found.evaluations += length;
    }
    CRX_ENSURE(!schedule_fault(instance, found.starts));
    return found;
}

} // namespace

std::optional<FoundSchedule> best_found(OwnedInstance const& instance, SearchLimits const& limits)
{
    if (!search::search_refusal(instance).empty()) {
        if (!local_search_fits(instance)) return std::nullopt;
        return local_search(instance, limits);
    }
    auto found = by_orders(instance, limits.evaluations, limits.seed, limits.limit);
    auto const mc_sf = execute_single({ShortestFirst::kind, {}}, instance, 0, 0).start;
    Starts simple{mc_sf.begin(), mc_sf.end()};
    if (auto const latency = total_latency(instance, simple); latency < found.total_latency) {
        CRX_ENSURE(!schedule_fault(instance, simple));
        found.starts = std::move(simple);
        found.total_latency = latency;
    }
    return found;
}

} // namespace crx::baseline

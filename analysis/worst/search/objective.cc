#include "analysis/worst/search/objective.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/search/best_found.hh"
#include "analysis/worst/search/draw_runs.hh"
#include "kernels/cpu/order_search.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <numeric>
#include <tbb/enumerable_thread_specific.h>

namespace crx::worst {
namespace {

/// An engine's working memory, kept by each thread from one instance to the next.
std::vector<std::byte>& scratch(std::size_t bytes)
{
    thread_local std::vector<std::byte> memory;
    if (memory.size() < bytes) memory.resize(bytes);
    return memory;
}

std::int64_t p99_of(OwnedInstance const& instance, std::vector<Instant>& completion)
{
    for (std::size_t i = 0; i < completion.size(); ++i) completion[i] -= instance.arrival[i];
    auto const n = completion.size();
    auto const rank = static_cast<std::ptrdiff_t>((99 * n + 99) / 100 - 1);
    std::ranges::nth_element(completion, completion.begin() + rank);
    return completion[static_cast<std::size_t>(rank)];
}

bool at_zero(OwnedInstance const& instance)
{
    return std::ranges::all_of(instance.arrival, [](Instant a) { return a == 0; });
}

std::int64_t cheap_lower_bound(OwnedInstance const& instance)
{
    return std::accumulate(instance.output.begin(), instance.output.end(), std::int64_t{0});
}

std::int64_t volume_of(OwnedInstance const& instance)
{
    return at_zero(instance) ? volume_bound(instance) : release_bound(instance);
}

/// TEL of some good schedule, by few looks; 0: none was found.
std::int64_t good_schedule(OwnedInstance const& instance)
{
    auto const n = instance.requests();
    if (search::search_refusal(instance).empty())
        return search::search_run(instance, {16 * n + 40, 1}, 0, [] { return false; })
            .total_latency;
    auto const found = baseline::best_found(instance, {20 * n + 40, 1e9, 1});
    return found ? found->total_latency : 0;
}

/// A random policy's; each thread keeps its engines from one instance to the next.
Cost cost_of_draws(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure)
{
    using Runs = tbb::enumerable_thread_specific<DrawRuns>;
    auto const runs = std::make_shared<Runs>([=] { return DrawRuns(spec, seed); });
    return {policy_info(spec.kind).id, draws, [=](OwnedInstance const& instance) {
                return runs->local().sum(instance, draws, measure);
            }};
}

} // namespace

Cost policy_cost(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure)
{
    auto const& info = policy_info(spec.kind);
    if (info.draws_nothing) draws = 1;
    if (draws > 1 && measure != Measure::p99) return cost_of_draws(spec, seed, draws, measure);
    auto const sum = [=](OwnedInstance const& given) -> std::optional<std::int64_t> {
        auto& instance = const_cast<OwnedInstance&>(given); // engines read by mutable pointers
        auto const bytes = host_engine_bytes(spec, instance.requests());
        auto& block = scratch(bytes);
        thread_local std::vector<Instant> completion;
        ScheduleLog log;
        if (measure == Measure::p99) {
            completion.resize(instance.output.size());
            log.completion = completion.data();
        }
        std::int64_t total = 0;
        for (std::int64_t k = 0; k < draws; ++k) {
            auto const outcome = with_policy(spec, [&]<class P>(P const& policy) {
                return execute_on_host(policy, requests_of(instance), seed,
                                       static_cast<std::uint64_t>(k), block.data(), bytes, log);
            });
            if (outcome.finished == 0) return std::nullopt;
            if (measure == Measure::total_latency) total += outcome.total_latency;
            if (measure == Measure::makespan) total += outcome.makespan;
            if (measure == Measure::p99) total += p99_of(instance, completion);
        }
        return total;
    };
    return {info.id, draws, sum};
}

std::optional<double> Objective::value(OwnedInstance const& instance, Ratio const& ratio) const
{
    if (!bound) return ratio.value();
    auto const of_bound = bound(instance);
    if (!of_bound || !(*of_bound > 0)) return std::nullopt;
    return ratio.value() / *of_bound;
}

std::optional<double> Objective::estimate(OwnedInstance const& instance, double least) const
{
    auto const above = numerator.sum(instance);
    if (!above) return std::nullopt;
    auto const of = [&](std::int64_t below, std::int64_t below_draws = 1) -> std::optional<double> {
        if (below <= 0) return std::nullopt;
        auto const worth = value(instance, {*above * below_draws, below * numerator.draws});
        return worth && *worth >= least ? worth : std::nullopt;
    };
    if (over == Over::cost) {
        auto const below = denominator.sum(instance);
        return below ? of(*below, denominator.draws) : std::nullopt;
    }
    if (over == Over::volume) return of(volume_of(instance));
    if (!of(cheap_lower_bound(instance)) || !of(volume_of(instance))) return std::nullopt;
    return of(good_schedule(instance));
}

std::optional<Settled> Objective::settle(OwnedInstance const& instance) const
{
    auto const above = numerator.sum(instance);
    if (!above) return std::nullopt;
    Settled settled;
    settled.numerator = *above;
    std::int64_t below_draws = 1;
    if (over == Over::cost || over == Over::volume) {
        auto const below = over == Over::volume ? volume_of(instance) : denominator.sum(instance);
        if (!below || *below <= 0) return std::nullopt;
        settled.denominator = settled.lower = *below;
        if (over == Over::cost) below_draws = denominator.draws;
    } else {
        baseline::HindsightLimits limits;
        limits.seconds = seconds;
        limits.evaluations_a_request = 1000;
        limits.nodes = nodes;
        limits.parts = {over == Over::opt, false, over == Over::opt, over == Over::opt};
        auto const result = baseline::hindsight(instance, limits);
        if (result.schedules.empty()) return std::nullopt;
        auto const& best = result.best();
        settled.denominator = best.total_latency;
        settled.starts = best.starts;
        settled.lower = over == Over::opt ? result.lower : settled.denominator;
        for (auto const& b : result.bounds)
            if (b.exact && b.value == settled.lower) settled.lower_bound_id = b.id;
    }
    settled.ratio = {*above * below_draws, settled.denominator * numerator.draws};
    return settled;
}

} // namespace crx::worst

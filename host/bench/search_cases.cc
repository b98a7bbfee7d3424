#include "host/bench/search_cases.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/worst/annealing.hh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <fmt/format.h>
#include <memory>

namespace crx {
namespace {

constexpr std::uint32_t plain_stream = 1u << 21;

worst::InstanceClass instances_of(SearchCase which)
{
    worst::InstanceClass of;
    if (which != SearchCase::over_opt) of.told = worst::Told::intervals;
    return of;
}

PolicySpec policy_of(SearchCase which)
{
    switch (which) {
    case SearchCase::over_opt: return {ShortestFirst::kind, {}};
    case SearchCase::over_h_sf: return {MaxLength::kind, {}};
    case SearchCase::draws_over_h_sf: return {MinLength::kind, {}};
    }
    contract_violated("a case of the search", __FILE__, __LINE__);
}

std::int64_t draws_of(SearchCase which) { return which == SearchCase::draws_over_h_sf ? 64 : 1; }

/// As the search does: chains that begin anew, the best of each settled.
std::int64_t anneal(SearchCase which, std::int64_t first, std::int64_t count)
{
    auto const total = worst::Measure::total_latency;
    worst::Objective objective;
    objective.numerator = worst::policy_cost(policy_of(which), 1, draws_of(which), total);
    if (which != SearchCase::over_opt) {
        objective.over = worst::Over::cost;
        objective.denominator = worst::policy_cost({ShortestFirst::kind, {}}, 1, 1, total);
    }
    worst::AnnealingLimits limits;
    limits.generations = 1;
    limits.neighbours = count / worst::chains_a_generation;
    limits.seed = static_cast<std::uint64_t>(first);
    return worst::anneal(instances_of(which), objective, limits).best ? 0 : 1;
}

/// A walk through neighbours, each run as a command would run it.
std::int64_t plain(SearchCase which, std::int64_t first, std::int64_t count)
{
    auto const of = instances_of(which);
    WordStream words(1, plain_stream, static_cast<std::uint64_t>(first));
    auto member = worst::random_member(of, words);
    std::int64_t sum = 0;
    for (; count > 0; --count) {
        member = worst::neighbour(of, member, words);
        for (std::int64_t k = 0; k < draws_of(which); ++k)
            sum += execute_single(policy_of(which), member, 1, k).outcome.total_latency;
        if (which == SearchCase::over_opt)
            sum += baseline::hindsight(member, {}).upper;
        else
            sum += execute_single({ShortestFirst::kind, {}}, member, 1, 0).outcome.total_latency;
    }
    return sum > 0 ? 0 : 1; // the work is not left out
}

} // namespace

std::vector<Contender> search_contenders(SearchCase which)
{
    auto const over_opt = which == SearchCase::over_opt;
    auto const loop = [=]() -> std::string {
        if (over_opt) return "C++ loop, simulate+baseline";
        auto const runs = draws_of(which) + 1;
        return runs == 2 ? "C++ loop, simulate twice"
                         : fmt::format("C++ loop, simulate {} times", runs);
    };
    return {
        {"crx search",
         [which](std::int64_t first, std::int64_t count) { return anneal(which, first, count); },
         worst::chains_a_generation * worst::AnnealingLimits{}.neighbours},
        {loop(),
         [which](std::int64_t first, std::int64_t count) { return plain(which, first, count); }}};
}

} // namespace crx

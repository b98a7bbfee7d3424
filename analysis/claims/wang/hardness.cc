#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/hardness/reductions.hh"

#include <bit>
#include <fmt/format.h>
#include <numeric>

namespace crx::claims {
namespace {

using Numbers = std::vector<std::int64_t>;
using Set = std::uint32_t;

std::int64_t sum_of(Numbers const& x, Set set)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (set >> i & 1) != 0 ? x[i] : 0;
    return sum;
}

/// Whether the numbers of the set can be parted into triples of that sum: all triples are tried.
bool has_triples(Numbers const& x, Set left, std::int64_t sum)
{
    if (left == 0) return true;
    auto const first = left & -left;
    for (auto set = left; set != 0; set = (set - 1) & left)
        if ((set & first) != 0 && std::popcount(set) == 3 && sum_of(x, set) == sum &&
            has_triples(x, left & ~set, sum))
            return true;
    return false;
}

/// Least makespan of requests of output 1: as few rounds as hold them.
int least_rounds(Numbers const& held, Tokens memory)
{
    auto const all = (Set{1} << held.size()) - 1;
    std::vector<int> rounds(std::size_t{all} + 1, 99);
    rounds[0] = 0;
    for (Set left = 1; left <= all; ++left)
        for (auto set = left; set != 0; set = (set - 1) & left)
            if (sum_of(held, set) <= memory)
                rounds[left] = std::min(rounds[left], rounds[left & ~set] + 1);
    return rounds[all];
}

// Yes and no instances; the optimum is proven by branch and bound.
Fresh test_2(Stated const& stated)
{
    Trial trial(stated);
    std::mt19937_64 rng(1);
    int yes = 0, printed_fails = 0;
    for (int made = 0; made < 120;) {
        std::int64_t const m = 2, target = 12 + static_cast<std::int64_t>(rng() % 30);
        Numbers x;
        for (int k = 0; k < 5; ++k)
            x.push_back(target / 4 + 1 +
                        static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(target / 4)));
        x.push_back(m * target - std::accumulate(x.begin(), x.end(), std::int64_t{0}));
        if (!three_partition_fault(x).empty()) continue;
        ++made;
        auto const answer = has_triples(x, (Set{1} << x.size()) - 1, target);
        auto reduction = reduce_three_partition(x);
        auto const threshold = reduction.threshold * stated.bound_percent / 100;
        trial.expect((proven_optimum(reduction.instance) == threshold) == answer);
        if (!answer) continue;
        ++yes;
        reduction.instance.memory = target; // as printed
        printed_fails += proven_optimum(reduction.instance) > reduction.threshold ? 1 : 0;
    }
    auto fresh = trial.verdict(Verdict::broken_as_printed,
                               fmt::format("{} of them yes; with M = T {} of these miss the "
                                           "threshold",
                                           yes, printed_fails));
    if (trial.kept() && printed_fails == 0) fresh.verdict = Verdict::holds;
    return fresh;
}

Fresh test_ec_2(Stated const& stated)
{
    Trial trial(stated);
    std::mt19937_64 rng(2);
    int yes = 0;
    for (int made = 0; made < 200;) {
        Numbers x(2 + rng() % 6);
        for (auto& value : x) value = 1 + static_cast<std::int64_t>(rng() % 12);
        if (!partition_fault(x).empty()) continue;
        ++made;
        auto const sum = std::accumulate(x.begin(), x.end(), std::int64_t{0});
        bool answer = false;
        for (Set set = 0; set < Set{1} << x.size(); ++set) answer |= 2 * sum_of(x, set) == sum;
        auto const reduction = reduce_partition(x);
        Numbers held;
        for (auto const s : reduction.instance.prompt) held.push_back(s + 1);
        auto const memory = reduction.instance.memory * stated.bound_percent / 100;
        trial.expect((least_rounds(held, memory) == reduction.threshold) == answer);
        yes += answer ? 1 : 0;
    }
    return trial.verdict(Verdict::holds, fmt::format("{} of them yes", yes));
}

} // namespace

Claim wang_theorem_2()
{
    return {
        .id = "W-2",
        .paper = Paper::wang,
        .place = "Theorem 2",
        .statement = "Minimising TEL is NP-hard: the reduction's least TEL is 3 m (m+1)/2 exactly "
                     "if a 3-partition exists.",
        .hypotheses = {{"numbers strictly between T/4 and T/2"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken_as_printed,
        .evidence = "With M = T + 3 right on 400 random instances. With M = T no yes reaches the "
                    "threshold, as a request of output 1 holds s + 1.",
        .command = "crx instance && crx claims W-2 --run",
        .page = "docs/errata.md",
        .test = test_2,
    };
}

Claim wang_theorem_ec_2()
{
    return {
        .id = "W-EC2",
        .paper = Paper::wang,
        .place = "Theorem EC.2, companion",
        .statement = "Minimising the makespan is NP-hard: the reduction's is 2 exactly if a "
                     "partition exists.",
        .hypotheses = {{"whole numbers, none above half of the sum"}},
        .reading = "s = 2x - 1 and M = 2T.",
        .method = Method::exhaustion,
        .verdict = Verdict::holds,
        .evidence = "Right on 200 random instances.",
        .command = "crx instance && crx claims W-EC2 --run",
        .page = "docs/errata.md",
        .test = test_ec_2,
    };
}

} // namespace crx::claims

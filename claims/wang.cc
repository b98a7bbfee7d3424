#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/schedule.hh"
#include "analysis/adversary/reductions.hh"
#include "analysis/sorted_f/transformed.hh"
#include "analysis/sorted_f/relaxation.hh"
#include "claims/counted_selectors.hh"
#include "claims/functions.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

namespace crx::claims {
namespace {

using sorted_f::Batch;
using List = std::vector<std::int64_t>;
using Set = std::uint32_t;

std::int64_t sum_of(List const& x, Set set)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (set >> i & 1) != 0 ? x[i] : 0;
    return sum;
}

/// Whether the numbers of the set can be parted into triples of that sum: all triples are tried.
bool has_triples(List const& x, Set left, std::int64_t sum)
{
    if (left == 0) return true;
    auto const first = left & -left;
    for (auto set = left; set != 0; set = (set - 1) & left)
        if ((set & first) != 0 && std::popcount(set) == 3 && sum_of(x, set) == sum &&
            has_triples(x, left & ~set, sum))
            return true;
    return false;
}

std::int64_t proven_optimum(OwnedInstance const& instance)
{
    auto const found = baseline::hindsight(instance, {.seconds = 60});
    if (!found.optimal()) throw std::runtime_error("an optimum was not proven in time");
    return found.upper;
}

/// Theorem 2's reduction of six random numbers: whether a 3-partition exists, and the least TEL
/// over the threshold with M = T + 3 and, as printed, M = T.
std::map<std::string, Interval> three_partition(Numbers const& at)
{
    std::mt19937_64 rng(static_cast<std::uint64_t>(whole(at, "seed")));
    for (;;) {
        auto const target = 12 + static_cast<std::int64_t>(rng() % 30);
        List x;
        for (int k = 0; k < 5; ++k)
            x.push_back(target / 4 + 1 +
                        static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(target / 4)));
        x.push_back(2 * target - std::accumulate(x.begin(), x.end(), std::int64_t{0}));
        if (!three_partition_fault(x).empty()) continue;
        auto const answer = has_triples(x, (Set{1} << x.size()) - 1, target);
        auto reduction = reduce_three_partition(x);
        auto const over = static_cast<double>(proven_optimum(reduction.instance)) /
                          static_cast<double>(reduction.threshold);
        reduction.instance.memory = target;
        auto const printed = static_cast<double>(proven_optimum(reduction.instance)) /
                             static_cast<double>(reduction.threshold);
        return {
            {"answer", answer}, {"over_threshold", over}, {"over_threshold_as_printed", printed}};
    }
}

/// Least makespan of requests of output 1: as few rounds as hold them.
int least_rounds(List const& held, Tokens memory)
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

/// Theorem EC.2's reduction of up to seven random numbers.
std::map<std::string, Interval> partition(Numbers const& at)
{
    std::mt19937_64 rng(static_cast<std::uint64_t>(whole(at, "seed")));
    for (;;) {
        List x(2 + rng() % 6);
        for (auto& value : x) value = 1 + static_cast<std::int64_t>(rng() % 12);
        if (!partition_fault(x).empty()) continue;
        auto const sum = std::accumulate(x.begin(), x.end(), std::int64_t{0});
        bool answer = false;
        for (Set set = 0; set < Set{1} << x.size(); ++set) answer |= 2 * sum_of(x, set) == sum;
        auto const reduction = reduce_partition(x);
        List held;
        for (auto const s : reduction.instance.prompt) held.push_back(s + 1);
        return {{"answer", answer},
                {"makespan", static_cast<double>(least_rounds(held, reduction.instance.memory))}};
    }
}

/// Example 2 on all pairs of kinds that fill M: those for which the order of least F is worse, in
/// separate batches and where they overlap.
std::map<std::string, Interval> exchange(Numbers const& at)
{
    auto const memory = whole(at, "M");
    struct Kind
    {
        std::int32_t prompt, output;
    };
    std::vector<Kind> kinds;
    for (std::int32_t size = 1; size <= memory; ++size)
        for (std::int32_t o = 1; memory % size == 0 && o <= size; ++o)
            kinds.push_back({size - o, o});
    double pairs = 0, worse_apart = 0, worse_overlapping = 0;
    for (auto const& one : kinds)
        for (auto const& two : kinds) {
            auto const n1 = static_cast<std::size_t>(memory / (one.prompt + one.output));
            auto const n2 = static_cast<std::size_t>(memory / (two.prompt + two.output));
            // The first has the smaller F: o_1/n_1 < o_2/n_2.
            if (one.output * static_cast<std::int64_t>(n2) >=
                two.output * static_cast<std::int64_t>(n1))
                continue;
            OwnedInstance instance;
            instance.memory = memory;
            instance.resize(n1 + n2);
            for (std::size_t i = 0; i < n1 + n2; ++i) {
                auto const& kind = i < n1 ? one : two;
                instance.arrival[i] = 0;
                instance.prompt[i] = kind.prompt;
                instance.output[i] = instance.lower[i] = instance.upper[i] = kind.output;
            }
            std::vector<Batch> order{Batch(n1), Batch(n2)};
            std::iota(order[0].begin(), order[0].end(), std::size_t{0});
            std::iota(order[1].begin(), order[1].end(), n1);
            auto const apart = [&] {
                return baseline::total_latency(instance,
                                               sorted_f::separate_starts(instance, order));
            };
            auto const overlapping = [&] {
                return execute_in_order(instance, sorted_f::order_of(order)).outcome.total_latency;
            };
            auto const first = apart(), first_overlapping = overlapping();
            std::swap(order[0], order[1]);
            ++pairs;
            worse_apart += first >= apart() ? 1 : 0;
            worse_overlapping += overlapping() < first_overlapping ? 1 : 0;
        }
    return {
        {"pairs", pairs}, {"worse_apart", worse_apart}, {"worse_overlapping", worse_overlapping}};
}

/// s and o uniform on 1 .. 50, as WANG EC.4.2.
SortedItems uniform_items(std::size_t n)
{
    std::mt19937_64 rng(n);
    SortedItems items;
    for (std::size_t i = 0; i < n; ++i)
        items.push_back({i, static_cast<std::int32_t>(1 + rng() % 50),
                         static_cast<std::int32_t>(1 + rng() % 50)});
    return items;
}

/// Exponent between two sizes, the larger `times` the smaller.
double exponent(std::int64_t small, std::int64_t large, double times)
{
    return std::log(static_cast<double>(large) / static_cast<double>(small)) / std::log(times);
}

/// Table 3, steps of innermost loops: the exact selector's for n and M, and the exponents of n of
/// the others.
std::map<std::string, Interval> selector_costs(Numbers const& at)
{
    auto const exact = counted_table(uniform_items(static_cast<std::size_t>(whole(at, "n"))),
                                     whole(at, "M"), 1, true)
                           .operations;
    auto const scaled = [](std::size_t n) {
        return counted_table(uniform_items(n), 2'000, 100, false).operations;
    };
    auto const swap = [](std::int32_t n) {
        return counted_swap(descending_items(n), Tokens{n} * n).operations;
    };
    auto const quantile = [](std::size_t n) { return counted_quantile_sorts(uniform_items(n)); };
    return {{"exact_steps", static_cast<double>(exact)},
            {"scaled_exponent", exponent(scaled(100), scaled(400), 4)},
            {"swap_exponent", exponent(swap(64), swap(128), 2)},
            {"quantile_exponent", exponent(quantile(1'000), quantile(64'000), 64)}};
}

/// Algorithm 3 literally, its sizes in cells of M/20, and Algorithm 2 on a random list: F of the
/// table's best state.
std::map<std::string, Interval> scaled_table(Numbers const& at)
{
    auto const items = [&] {
        std::mt19937_64 rng(static_cast<std::uint64_t>(whole(at, "seed")));
        SortedItems list;
        for (std::size_t i = 0; i < 12; ++i)
            list.push_back({i, static_cast<std::int32_t>(rng() % 60),
                            static_cast<std::int32_t>(1 + rng() % 40)});
        return list;
    }();
    auto const f = [&](std::int64_t cell) {
        auto const quality = counted_table(items, 200, cell, true).quality;
        auto const n = static_cast<double>(quality.count);
        return static_cast<double>(quality.outputs) / (n * n);
    };
    return {{"f_of_table", f(10)}, {"f_exact", f(1)}};
}

/// Exchanges of Algorithm 4 on a family.
std::map<std::string, Interval> swap_exchanges(Numbers const& at)
{
    auto const n = static_cast<std::int32_t>(whole(at, "n"));
    return {{"exchanges",
             static_cast<double>(counted_swap(descending_items(n), Tokens{n} * n).exchanges)}};
}

/// Table EC.1, first observation, on five lists of n requests with lengths uniform on 1 .. 50, M =
/// 100. Of the pairs in which one request has the smaller output and a prompt at least twice that
/// of the other: in what share Sorted-LP puts it first.
std::map<std::string, Interval> short_outputs_first(Numbers const& at)
{
    std::mt19937_64 rng(1);
    double pairs = 0, first = 0;
    for (int list = 0; list < 5; ++list) {
        OwnedInstance instance;
        instance.memory = 100;
        instance.resize(static_cast<std::size_t>(whole(at, "n")));
        for (std::size_t i = 0; i < instance.output.size(); ++i) {
            instance.arrival[i] = 0;
            instance.prompt[i] = static_cast<std::int32_t>(1 + rng() % 50);
            auto const o = static_cast<std::int32_t>(1 + rng() % 50);
            instance.output[i] = instance.lower[i] = instance.upper[i] = o;
        }
        auto const start = sorted_lp::relax(instance).mean_start;
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t j = 0; j < start.size(); ++j)
                if (instance.output[i] < instance.output[j] &&
                    instance.prompt[i] >= 2 * instance.prompt[j]) {
                    ++pairs;
                    first += start[i] < start[j] ? 1 : 0;
                }
    }
    return {{"share_first", first / pairs}};
}

} // namespace

std::vector<Function> wang_functions()
{
    return {{"three_partition",
             "WANG Theorem 2: the reduction of random numbers, solved",
             {"seed"},
             {"answer", "over_threshold", "over_threshold_as_printed"},
             three_partition},
            {"partition",
             "WANG Theorem EC.2: the reduction of random numbers, solved",
             {"seed"},
             {"answer", "makespan"},
             partition},
            {"exchange",
             "WANG Example 2: all pairs of kinds of requests that fill M",
             {"M"},
             {"pairs", "worse_apart", "worse_overlapping"},
             exchange},
            {"selector_costs",
             "WANG Table 3: counted steps of a batch",
             {"n", "M"},
             {"exact_steps", "scaled_exponent", "swap_exponent", "quantile_exponent"},
             selector_costs},
            {"scaled_table",
             "WANG section 5.2: F of Algorithm 3's best state and the least F of a random list",
             {"seed"},
             {"f_of_table", "f_exact"},
             scaled_table},
            {"swap_exchanges",
             "WANG section 5.5: exchanges of Algorithm 4 on a family",
             {"n"},
             {"exchanges"},
             swap_exchanges},
            {"short_outputs_first",
             "WANG Table EC.1: pairs that Sorted-LP orders by output against prompt",
             {"n"},
             {"share_first"},
             short_outputs_first}};
}

} // namespace crx::claims

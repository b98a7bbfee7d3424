#include "analysis/fluid/critical_load.hh"
#include "analysis/fluid/domination.hh"
#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/fluid/thresholds.hh"
#include "analysis/fluid/type_blind.hh"
#include "claims/functions.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <algorithm>
#include <cmath>
#include <random>

namespace crx::claims {
namespace {

using fluid::Domination;

constexpr Nanoseconds second = 1'000'000'000;

/// AO's instance of appendices A.3 and A.4: types (1, 1) and (1, 2), a rate of 1 a second each, an
/// iteration in equilibrium of one second, d1 = 0.05 s; M* = 9.
fluid::Load appendix_load() { return {0.55, 0.05, {{1, 1}, {1, 2}}, {1, 1}}; }

/// Paths of it to horizons 16, 32, .. 16 2^doublings seconds.
IterationCell appendix_cell(IterationPolicyKind kind, int doublings)
{
    IterationCell cell;
    cell.time = {550'000'000, std::uint64_t{50'000'000} << 16};
    cell.types = {{1, 1}, {1, 2}};
    cell.arrivals = poisson_rates({{1, 1}});
    cell.policy.kind = kind;
    cell.seed = 1;
    for (int k = 0; k <= doublings; ++k) cell.checkpoints.push_back((16 * second) << k);
    return cell;
}

IterationCell wait_cell(std::vector<std::int64_t> const& thresholds, int doublings = 0)
{
    auto cell = appendix_cell(IterationPolicyKind::wait, doublings);
    cell.policy.thresholds = wait_table(cell.types, thresholds);
    return cell;
}

IterationCell nested_cell(std::vector<std::int64_t> const& thresholds, int doublings = 0)
{
    auto cell = appendix_cell(IterationPolicyKind::nested_wait, doublings);
    cell.policy.thresholds = nested_table(cell.types, {{1, {1, 2}, thresholds}});
    return cell;
}

IterationCell fcfs_cell(IterationPolicyKind kind, Tokens memory, int doublings)
{
    auto cell = appendix_cell(kind, doublings);
    cell.policy.memory = memory;
    return cell;
}

/// Up to 5,000 seconds, one horizon.
IterationCell long_path(IterationCell cell)
{
    cell.checkpoints = {5'000 * second};
    return cell;
}

/// Proposition 2, path by path under seven policies: how often more tokens are completed than
/// arrived, and the largest lower end of the mean throughput, of 3 in the fluid.
std::map<std::string, Interval> throughput(Numbers const&)
{
    using enum IterationPolicyKind;
    double more = 0, largest = 0;
    for (auto const& cell : {wait_cell({1, 1}, 6), wait_cell({2, 2}, 6), nested_cell({3, 2}, 6),
                             fcfs_cell(fcfs_sarathi, 9, 6), fcfs_cell(fcfs_vllm, 9, 6),
                             fcfs_cell(fcfs_safe, 9, 6), fcfs_cell(fcfs_sarathi, 18, 6)}) {
        auto const paths = launch_paths(cell, 0, 60);
        for (auto const& path : paths)
            for (auto const& t : path) more += t.completed_tokens > t.arrived_tokens ? 1 : 0;
        for (std::size_t c = 0; c < cell.checkpoints.size(); ++c) {
            auto const point = fluid::horizon_point(paths, c, 0.999);
            largest = std::max(largest, point.throughput.mean - point.throughput.half_width);
        }
    }
    return {{"paths_above_arrivals", more}, {"largest_throughput", largest}};
}

/// Proposition 3 on one path under five policies: how often less work is left, or less time spent,
/// than the bound says of a memory C.
std::map<std::string, Interval> work_left(Numbers const& at)
{
    using enum IterationPolicyKind;
    auto const path = whole(at, "path");
    double below = 0;
    for (auto const& cell :
         {wait_cell({1, 1}, 8), nested_cell({2, 1}, 8), fcfs_cell(fcfs_vllm, 9, 8),
          fcfs_cell(fcfs_sarathi, 9, 8), fcfs_cell(fcfs_safe, 9, 8)}) {
        auto const tallies = execute_path(cell, path);
        auto const left = fluid::work_left_at_least(cell, whole(at, "C"), path);
        for (std::size_t c = 0; c < left.size(); ++c) {
            auto const work = 3 * static_cast<double>(tallies[c].tokens_in_system());
            auto const time = 6e-9 * static_cast<double>(tallies[c].total_latency());
            below += work < left[c].work - 1e-6 ? 1 : 0;
            below += time < left[c].work_time * (1 - 1e-12) - 1e-6 ? 1 : 0;
        }
    }
    return {{"below", below}};
}

/// Proposition 5: the most that a policy which does not know types completes, by the dynamic
/// program, without restarts and with.
std::map<std::string, Interval> type_blind(Numbers const& at)
{
    auto const memory = whole(at, "C");
    return {{"without_restarts",
             fluid::type_blind_capacity(appendix_load(), memory, {false, 0}, 1e-7).throughput},
            {"with_restarts",
             fluid::type_blind_capacity(appendix_load(), memory, {true, 1}, 1e-7).throughput}};
}

/// Theorem 2's memory bound (12) for thresholds (4, 3) at delta = 0.1, and how many of 1,000 paths
/// to 4,096 s pass it: with M^pi exact, and with (11) and (12) as printed.
std::map<std::string, Interval> memory_bound(Numbers const& at)
{
    auto cell = nested_cell({4, 3}, 8);
    auto const paths = launch_paths(cell, 0, whole(at, "paths"));
    auto const horizon = static_cast<double>(cell.checkpoints.back()) * 1e-9;
    auto const load = fluid::nested_load(appendix_load(), {1, 2});
    auto const bound = fluid::memory_bound(load, {4, 3}, horizon, 0.1);
    // (12) as printed has ln(m zeta S / delta) in place of ln((m-1) S / delta), m = 2.
    auto const factor = std::log(2 * bound.iterations / 0.1) / std::log(bound.iterations / 0.1);
    auto const printed = fluid::nested_batch_tokens_as_printed(1, {1, 2}, {4, 3}) + bound.queues +
                         bound.deviations * factor;
    auto const above = [&](double tokens) {
        double count = 0;
        for (auto const& path : paths)
            count += static_cast<double>(path.back().peak_memory) > tokens ? 1 : 0;
        return count / static_cast<double>(paths.size());
    };
    return {{"share_above", above(bound.total())}, {"share_above_printed", above(printed)}};
}

/// Lemma 1: a discrete queue of 2,000 steps at lambda = 3.
std::map<std::string, Interval> stuck_time(Numbers const& at)
{
    double off = 0, sum = 0, squares = 0;
    for (std::int64_t path = 0; path < whole(at, "paths"); ++path) {
        auto const q = fluid::discrete_queue(3, 2'000, 1, path);
        auto const difference = q.queue - 3 * q.stuck;
        off += difference != q.arrivals - 3 * 2'000 ? 1 : 0;
        sum += static_cast<double>(difference);
        squares += static_cast<double>(difference * difference);
    }
    return {{"paths_off", off}, {"standard_errors", std::abs(sum) / std::sqrt(squares)}};
}

/// Lemma 2's process, which starts at and never falls below `least`, less the queue: its least
/// value over a path.
std::int64_t least_lead(std::int64_t n, std::int64_t least, unsigned seed)
{
    std::mt19937_64 rng(seed);
    std::poisson_distribution<std::int64_t> arrivals(static_cast<double>(n));
    auto coupled = least, lead = least;
    for (std::int64_t step = 0, queue = 0; step < 5'000; ++step) {
        auto const x = arrivals(rng);
        queue += x;
        if (queue >= n) queue -= n;
        coupled = std::max(least, coupled + x - n);
        lead = std::min(lead, coupled - queue);
    }
    return lead;
}

/// Lemma 2 at whole n: by the program's paths, and with a process that starts at `start` n.
std::map<std::string, Interval> coupled_queue(Numbers const& at)
{
    auto const n = whole(at, "n");
    Domination all;
    double nearer = 0;
    for (unsigned path = 0; path < 60; ++path) {
        all.add(fluid::discrete_queue(n, 5'000, 1, path).domination);
        auto const start = static_cast<std::int64_t>(at.at("start") * static_cast<double>(n));
        nearer += least_lead(n, start, path) < n ? 1 : 0;
    }
    return {{"below", static_cast<double>(all.below)}, {"nearer", nearer}};
}

/// Lemma 6: WAIT's coupled processes, a batch's prompts leaving the queue when it starts or ends.
std::map<std::string, Interval> coupled_wait(Numbers const&)
{
    Domination all;
    for (std::vector<std::int64_t> const& n : {std::vector<std::int64_t>{1, 1}, {2, 2}, {3, 2}})
        for (std::int64_t path = 0; path < 12; ++path)
            all.add(fluid::wait_domination(long_path(wait_cell(n)), path));
    return {{"below", static_cast<double>(all.below)},
            {"below_at_end", static_cast<double>(all.below_at_end)}};
}

/// Lemmas 7 and 9: Nested WAIT's coupled processes; with rates that vary where `varies` is 1.
std::map<std::string, Interval> coupled_nested(Numbers const& at)
{
    Domination all;
    if (whole(at, "varies") == 0) {
        for (std::vector<std::int64_t> const& n :
             {std::vector<std::int64_t>{4, 3}, {3, 2}, {6, 6}, {9, 5}})
            for (std::int64_t path = 0; path < 12; ++path)
                all.add(fluid::nested_domination(long_path(nested_cell(n)), path));
    } else {
        for (std::int64_t const seconds : {10, 100})
            for (std::vector<std::int64_t> const& n : {std::vector<std::int64_t>{5, 4}, {9, 7}}) {
                auto cell = long_path(nested_cell(n));
                cell.arrivals = poisson_rates({{1.5, 0.9}, {0.5, 1.3}, {0.8, 0.4}, {1.2, 1.4}},
                                              seconds * second);
                for (std::int64_t path = 0; path < 10; ++path)
                    all.add(fluid::nested_domination(cell, path));
            }
    }
    return {{"below", static_cast<double>(all.below)},
            {"below_with_n1", static_cast<double>(all.below_as_printed)}};
}

/// A mean of 30 paths' means with 6.2 standard errors on both sides: false alarm 1e-9.
template <class Path>
Interval sampled(Path path)
{
    constexpr int paths = 30;
    double sum = 0, squares = 0;
    for (std::int64_t k = 0; k < paths; ++k) {
        auto const mean = path(k).coupled_mean();
        sum += mean / paths;
        squares += mean * mean / paths;
    }
    auto const margin = 6.2 * std::sqrt((squares - sum * sum) / (paths - 1));
    return {sum - margin, sum, sum + margin};
}

/// Lemma 3: the coupled queue of T steps, started at 2 lambda, beside what the paper makes of it.
std::map<std::string, Interval> unrolled(Numbers const& at)
{
    auto const lambda = whole(at, "lambda"), steps = whole(at, "T");
    double off = 0, off_printed = 0;
    for (std::int64_t path = 0; path < whole(at, "paths"); ++path) {
        std::mt19937_64 random(static_cast<std::uint64_t>(path + 1));
        std::poisson_distribution<std::int64_t> arrivals(static_cast<double>(lambda));
        std::int64_t queue = 2 * lambda, sum = 0, least = 0;
        for (std::int64_t step = 1; step <= steps; ++step) {
            auto const change = arrivals(random) - lambda;
            queue = std::max(2 * lambda, queue + change);
            sum += change;
            least = std::min(least, sum);
        }
        off += queue != 2 * lambda + sum - least ? 1 : 0;
        off_printed += queue != 2 * lambda + std::max<std::int64_t>(sum, 0) ? 1 : 0;
    }
    return {{"paths_off", off}, {"paths_off_printed", off_printed}};
}

/// Lemmas 4 and 5: the mean of the largest of the sums S^1 .. S^T and 0 by the distribution of how
/// far the sum is below its largest, and the sum over k of E[(S^k)^+] / k.
std::map<std::string, Interval> largest_sum(Numbers const& at)
{
    auto const lambda = whole(at, "lambda"), steps = whole(at, "T");
    auto const poisson = [](double mean, std::int64_t most) {
        std::vector<double> p;
        for (std::int64_t x = 0; x <= most; ++x)
            p.push_back(std::exp(static_cast<double>(x) * std::log(mean) - mean -
                                 std::lgamma(static_cast<double>(x) + 1)));
        return p;
    };
    auto const step = poisson(static_cast<double>(lambda), 20 * lambda + 40);
    std::vector<double> below(static_cast<std::size_t>(lambda * steps + 1));
    below[0] = 1;
    double mean = 0, spitzer = 0, roots = 0;
    for (std::int64_t k = 1; k <= steps; ++k) {
        std::vector<double> next(below.size());
        for (std::int64_t d = 0; d <= (k - 1) * lambda; ++d)
            for (std::int64_t x = 0; x < std::ssize(step); ++x) {
                auto const p =
                    below[static_cast<std::size_t>(d)] * step[static_cast<std::size_t>(x)];
                auto const now = d - (x - lambda);
                mean += p * static_cast<double>(std::max<std::int64_t>(0, -now));
                next[static_cast<std::size_t>(std::max<std::int64_t>(0, now))] += p;
            }
        below = std::move(next);
        auto const center = k * lambda;
        auto const sum = poisson(static_cast<double>(center), 3 * center + 60);
        double positive = 0;
        for (auto x = center; x < std::ssize(sum); ++x)
            positive += static_cast<double>(x - center) * sum[static_cast<std::size_t>(x)];
        spitzer += positive / static_cast<double>(k);
        roots += std::sqrt(static_cast<double>(lambda) / static_cast<double>(k));
    }
    return {{"mean_largest", mean}, {"sum_of_means", spitzer}, {"sum_of_roots", roots}};
}

/// Kingman's bounds on the mean coupled queues of WAIT (3, 3) and Nested WAIT (8, 5).
std::map<std::string, Interval> kingman(Numbers const&)
{
    auto const wait = long_path(wait_cell({3, 3})), nested = long_path(nested_cell({8, 5}));
    return {
        {"wait_queue", sampled([&](std::int64_t k) { return fluid::wait_domination(wait, k); })},
        {"nested_queue",
         sampled([&](std::int64_t k) { return fluid::nested_domination(nested, k); })},
        {"wait_bound", fluid::wait_queue_bound(1.9, 3)},
        {"nested_bound", fluid::nested_queue_bound(8, 5, 0.5)}};
}

} // namespace

std::vector<Function> ao_functions()
{
    return {
        {"throughput",
         "AO Proposition 2, path by path under seven policies",
         {},
         {"paths_above_arrivals", "largest_throughput"},
         throughput},
        {"work_left",
         "AO Proposition 3 on a path under five policies",
         {"path", "C"},
         {"below"},
         work_left},
        {"type_blind",
         "AO Proposition 5: the dynamic program at memory C",
         {"C"},
         {"without_restarts", "with_restarts"},
         type_blind},
        {"memory_bound",
         "AO Theorem 2: paths above the memory of (12)",
         {"paths"},
         {"share_above", "share_above_printed"},
         memory_bound},
        {"stuck_time",
         "AO Lemma 1 on paths of a discrete queue",
         {"paths"},
         {"paths_off", "standard_errors"},
         stuck_time},
        {"coupled_queue",
         "AO Lemma 2 on paths of a discrete queue",
         {"n", "start"},
         {"below", "nearer"},
         coupled_queue},
        {"unrolled",
         "AO Lemma 3 on paths of the coupled queue",
         {"lambda", "T", "paths"},
         {"paths_off", "paths_off_printed"},
         unrolled},
        {"largest_sum",
         "AO Lemmas 4 and 5: the mean of the largest partial sum of Poisson arrivals less lambda",
         {"lambda", "T"},
         {"mean_largest", "sum_of_means", "sum_of_roots"},
         largest_sum},
        {"coupled_wait",
         "AO Lemma 6 on paths of WAIT",
         {},
         {"below", "below_at_end"},
         coupled_wait},
        {"coupled_nested",
         "AO Lemmas 7 and 9 on paths of Nested WAIT",
         {"varies"},
         {"below", "below_with_n1"},
         coupled_nested},
        {"kingman",
         "Kingman's bounds of AO appendices B and C",
         {},
         {"wait_queue", "nested_queue", "wait_bound", "nested_bound"},
         kingman},
    };
}

} // namespace crx::claims

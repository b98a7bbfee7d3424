// Slow checks and figures of the hindsight baselines (docs/findings/baselines.md):
//   hindsight_check agree FIRST COUNT       n = 8, M = 20: branch and bound against CBC, every
//                                           instance
//   hindsight_check exact N COUNT SECONDS [SCHEDULES]
//                                           JAILLET's shape: time to the proven optimum, or the
//                                           bracket; best-found with so many schedules a request
//   hindsight_check model1|model2 COUNT SECONDS [FOLDER]
//                                           JAILLET 5.1: best-found against MC-SF, two threads; the
//                                           instances and the best schedules go to FOLDER
//   hindsight_check found N COUNT SCHEDULES [FIRST]
//                                           M = 40: how often best-found, with so many schedules an
//                                           instance, has the proven optimum
//   hindsight_check cbc N COUNT SECONDS     M = 40: time to the optimum or gap left, beside CBC
//                                           on JAILLET's program with clique rows and without
//   hindsight_check rate SECONDS            schedules a second against a plain list scheduler
#include "analysis/baseline/branch_and_bound.hh"
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/relaxation/integer_program.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/search/best_found.hh"
#include "analysis/baseline/search/local_search.hh"
#include "analysis/baseline/search/overtaking_schedule.hh"
#include "bench/jaillet_instance.hh"
#include "host/single/schedule_file.hh"
#include "host/store/output_file.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/random/word_stream.cuh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <tbb/parallel_for.h>

namespace {

using namespace crx;
using namespace crx::baseline;

double seconds_now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

/// Of this process: what a thread alone would need on an idle machine.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int agree(std::uint64_t first, std::uint64_t count)
{
    int wrong = 0;
    for (auto k = first; k < first + count; ++k) {
        auto const instance = jaillet_instance(k, 8, 20);
        auto const found = local_search(instance, {800, 1e9, 1});
        auto const groups = request_groups(instance);
        auto const horizon = *std::ranges::max_element(found.starts) + 10;
        auto const bound = clique_bound(instance, groups, found.total_latency, horizon, 60);
        auto const search = search_starts(instance, groups, bound, found.total_latency, 60);
        auto const ours = search.best.empty() ? found.total_latency : search.total_latency;
        auto const program = integer_program(instance, found.starts, 600, bound.prices.cliques);
        auto const same = search.complete && program.optimal && program.total_latency == ours;
        wrong += same ? 0 : 1;
        if (!same || (k - first) % 50 == 49)
            fmt::print("instance {}: {} against {}{}\n", k, ours, program.total_latency,
                       same                                 ? ""
                       : search.complete && program.optimal ? " DIFFER"
                                                            : " open");
        std::fflush(stdout);
    }
    fmt::print("{} instances, {} not agreed\n", count, wrong);
    return wrong == 0 ? 0 : 1;
}

int exact(std::int64_t n, std::uint64_t count, double seconds, std::int64_t schedules)
{
    std::vector<double> times, widths;
    int open = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
        auto const instance = jaillet_instance(k, n, 0);
        auto const start = processor_seconds();
        HindsightLimits limits;
        limits.seconds = seconds;
        limits.evaluations_a_request = schedules;
        limits.parts.lp = limits.parts.clique_lp = false; // no part of the proof
        auto const result = hindsight(instance, limits);
        times.push_back(processor_seconds() - start);
        widths.push_back(static_cast<double>(result.upper) / static_cast<double>(result.lower));
        open += result.optimal() ? 0 : 1;
        auto const volume = static_cast<double>(volume_bound(instance));
        fmt::print("instance {}: [{}, {}] {:.4f} in {:.3f} s of one core; over volume {:.3f}\n", k,
                   result.lower, result.upper, widths.back(), times.back(),
                   static_cast<double>(result.upper) / volume);
        std::fflush(stdout);
    }
    std::ranges::sort(times);
    std::ranges::sort(widths);
    fmt::print("n = {}: median {:.3f} s of one core, longest {:.3f} s; {} of {} open; bracket "
               "median {:.4f}, "
               "widest {:.4f}\n",
               n, times[count / 2], times.back(), open, count, widths[count / 2], widths.back());
    return 0;
}

/// Best-found beside the optimum, where that is proven in half a minute.
int found(std::int64_t n, std::uint64_t count, std::int64_t schedules, std::uint64_t first)
{
    int proven = 0, equal = 0;
    double above = 0, most = 0, taken = 0, longest = 0, all = 0;
    for (auto k = first; k < first + count; ++k) {
        auto const instance = jaillet_instance(k, n, 40);
        auto const start = processor_seconds();
        auto const best = best_found(instance, {schedules, 1e9, 1})->total_latency;
        auto const seconds = processor_seconds() - start;
        taken += seconds;
        longest = std::max(longest, seconds);
        HindsightLimits limits;
        limits.seconds = 30;
        limits.parts.lp = false;
        auto const result = hindsight(instance, limits);
        all += processor_seconds() - start;
        if (!result.optimal()) {
            fmt::print("instance {}: open, [{}, {}]\n", k, result.lower, result.upper);
            continue;
        }
        CRX_ENSURE(best >= result.upper);
        ++proven;
        equal += best == result.upper ? 1 : 0;
        auto const excess = static_cast<double>(best) / static_cast<double>(result.upper) - 1;
        above += excess;
        most = std::max(most, excess);
        if (best > result.upper)
            fmt::print("instance {}: {} found, {} is the optimum\n", k, best, result.upper);
        std::fflush(stdout);
    }
    auto const of = static_cast<double>(count);
    fmt::print(
        "n = {}: the optimum in {} of {} proven ({} instances), above it by {:.5f} in the "
        "mean, {:.4f} at most; {:.3f} s of one core each, {:.3f} s at most, {:.3f} s with the "
        "proof\n",
        n, equal, proven, count, above / std::max(1, proven), most, taken / of, longest, all / of);
    return 0;
}

/// Processor time, and upper over lower where it is not proven.
std::string time_and_gap(double start, bool proven, Rounds upper, Rounds lower)
{
    auto const seconds = processor_seconds() - start;
    if (proven) return fmt::format("{:.2f} s", seconds);
    return fmt::format(
        "{:.1f} % after {:.1f} s",
        100 * (static_cast<double>(upper) / static_cast<double>(std::max<Rounds>(lower, 1)) - 1),
        seconds);
}

/// All start from the schedule of best-found, which is not timed; cliques count for CBC's time.
int beside_cbc(std::int64_t n, std::uint64_t count, double seconds)
{
    for (std::uint64_t k = 0; k < count; ++k) {
        auto const instance = jaillet_instance(k, n, 40);
        auto const known = best_found(instance, {300 * n * n * n, 1e9, 1}).value();
        auto start = processor_seconds();
        HindsightLimits limits;
        limits.seconds = seconds;
        limits.parts.lp = limits.parts.clique_lp = false;
        auto const ours = hindsight(instance, limits);
        fmt::print("n = {}, instance {}, TEL {}: {}", n, k, ours.upper,
                   time_and_gap(start, ours.optimal(), ours.upper, ours.lower));
        std::fflush(stdout);
        for (auto const with_cliques : {true, false}) {
            start = processor_seconds();
            std::vector<Clique> cliques;
            if (with_cliques)
                cliques = clique_bound(instance, request_groups(instance), known.total_latency,
                                       *std::ranges::max_element(known.starts) + 10, seconds)
                              .prices.cliques;
            auto const program = integer_program(instance, known.starts, seconds, cliques);
            CRX_ENSURE(!program.optimal || !ours.optimal() || program.total_latency == ours.upper);
            fmt::print(
                "; CBC {} cliques {}", with_cliques ? "with" : "without",
                time_and_gap(start, program.optimal, program.total_latency, program.lower_bound));
            std::fflush(stdout);
        }
        fmt::print("\n");
    }
    return 0;
}

/// JAILLET 5.1, model 2: T uniform on 40 .. 60, a Poisson number of arrivals in each of the rounds
/// 1 .. T with one mean, uniform on [0.5, 1.5]; lengths and M as above.
OwnedInstance jaillet_arrivals(std::uint64_t number)
{
    WordStream words(2027, 0, number);
    OwnedInstance instance;
    instance.memory = 30 + static_cast<Tokens>(words.bounded(21));
    auto const rounds = 40 + static_cast<Rounds>(words.bounded(21));
    auto const unit = [&] { return std::ldexp(static_cast<double>(words.next() >> 11), -53); };
    auto const none = std::exp(-(0.5 + unit())); // chance of no arrival in a round
    for (Rounds t = 1; t <= rounds; ++t)
        for (auto product = unit(); product > none; product *= unit()) { // Knuth's method
            auto const s = 1 + static_cast<std::int32_t>(words.bounded(5));
            instance.prompt.push_back(s);
            instance.output.push_back(1 + static_cast<std::int32_t>(words.bounded(
                                              static_cast<std::uint64_t>(instance.memory - s))));
            instance.arrival.push_back(t);
        }
    instance.lower = instance.upper = instance.output;
    return instance;
}

void write_schedule(std::filesystem::path const& folder, std::uint64_t number,
                    OwnedInstance const& instance, Starts const& starts)
{
    std::vector<Request> requests;
    std::string text = "id,arrival,prompt,output\n";
    for (std::size_t i = 0; i < starts.size(); ++i) {
        Request request;
        request.id = std::to_string(i);
        requests.push_back(request);
        text += fmt::format("{},{},{},{}\n", i, instance.arrival[i], instance.prompt[i],
                            instance.output[i]);
    }
    auto const name = fmt::format("{}-M{}", number, instance.memory);
    write_file(folder / (name + "-requests.csv"), text);
    write_file(folder / (name + "-best.csv"), schedule_as_csv(requests, instance, starts));
}

struct Compared
{
    double over_found, over_bound, found_over_bound;
    bool proven;
    std::int64_t evaluations;
};

/// MC-SF against the best schedule found and the bound of memory and peak prices.
Compared against_mc_sf(OwnedInstance const& instance, double seconds, Starts& best)
{
    auto const sf = execute_single({ShortestFirst::kind, {}}, instance, 0, 0).start;
    auto const mc_sf = static_cast<double>(total_latency(instance, sf));
    auto const found = best_found(instance, {INT64_MAX, seconds, 1}).value();
    best = found.starts;
    auto const groups = request_groups(instance);
    AscentSettings settings;
    settings.starts = *std::ranges::max_element(found.starts) + 10;
    settings.peak_families = 3;
    settings.upper = found.total_latency;
    settings.iterations = 4000;
    settings.limit = seconds;
    auto const prices = ascend(instance, groups, settings).prices;
    auto const bound = price_bound(instance, groups, found.total_latency, prices, settings.starts);
    auto upper = found.total_latency;
    auto lower = bound.lower_bound;
    if (lower < upper && instance.requests() <= 64) {
        auto const search = search_starts(instance, groups, bound, upper, seconds);
        if (!search.best.empty()) {
            upper = search.total_latency;
            best = search.best;
        }
        if (search.complete) lower = upper;
    }
    CRX_ENSURE(!schedule_fault(instance, best) && total_latency(instance, best) == upper);
    auto const u = static_cast<double>(upper), l = static_cast<double>(lower);
    return {mc_sf / u, mc_sf / l, u / l, lower == upper, found.evaluations};
}

/// A mean with its 95 % interval by the normal law, the extremes, and how many are 1.
std::string summary(std::vector<double> const& v)
{
    auto const n = static_cast<double>(v.size());
    auto const m = std::accumulate(v.begin(), v.end(), 0.0) / n;
    double square = 0;
    for (auto const x : v) square += (x - m) * (x - m);
    auto const half = 1.96 * std::sqrt(square / (n - 1) / n);
    return fmt::format("mean {:.4f} [{:.4f}, {:.4f}], least {:.4f}, largest {:.4f}, 1 in {}", m,
                       m - half, m + half, *std::ranges::min_element(v),
                       *std::ranges::max_element(v), std::ranges::count(v, 1.0));
}

int model(bool arrivals, std::uint64_t count, double seconds, std::string const& folder)
{
    auto const start = seconds_now();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::vector<Compared> all(count);
    tbb::parallel_for(std::uint64_t{0}, count, [&](std::uint64_t k) {
        auto const instance = arrivals ? jaillet_arrivals(k) : jaillet_instance(k, 0, 0);
        Starts best;
        all[k] = against_mc_sf(instance, seconds, best);
        if (!folder.empty()) write_schedule(folder, k, instance, best);
    });
    std::vector<double> found, bound, gap, proven;
    std::int64_t evaluations = 0;
    for (auto const& one : all) {
        found.push_back(one.over_found);
        bound.push_back(one.over_bound);
        gap.push_back(one.found_over_bound);
        if (one.proven) proven.push_back(one.over_found);
        evaluations += one.evaluations;
    }
    fmt::print("{} instances, {} schedules in {:.0f} s\n", count, evaluations,
               seconds_now() - start);
    fmt::print("TEL(mc-sf) / best-found: {}\n", summary(found));
    fmt::print("TEL(mc-sf) / lower bound: {}\n", summary(bound));
    fmt::print("best-found / lower bound: {}\n", summary(gap));
    if (proven.size() > 1)
        fmt::print("optimum proven in {}; TEL(mc-sf) / OPT there: {}\n", proven.size(),
                   summary(proven));
    return 0;
}

/// The peer: a new array of 64-bit numbers for each schedule, every token of every trial start.
Rounds plain_list_schedule(OwnedInstance const& instance, std::vector<std::int32_t> const& order)
{
    std::vector<Tokens> held(
        static_cast<std::size_t>(
            2 * std::accumulate(instance.output.begin(), instance.output.end(), Rounds{0})) +
            1,
        0);
    Rounds latency = 0;
    for (auto const request : order) {
        auto const i = static_cast<std::size_t>(request);
        Rounds start = instance.arrival[i];
        for (;; ++start) {
            bool fits = true;
            for (Rounds j = 1; j <= instance.output[i] && fits; ++j)
                fits = held[static_cast<std::size_t>(start + j)] + instance.prompt[i] + j <=
                       instance.memory;
            if (fits) break;
        }
        for (Rounds j = 1; j <= instance.output[i]; ++j)
            held[static_cast<std::size_t>(start + j)] += instance.prompt[i] + j;
        latency += start + instance.output[i] - instance.arrival[i];
    }
    return latency;
}

/// Schedules a second of one instance's search, and of the plain scheduler on the same moves.
int rate(double seconds)
{
    auto const instance = jaillet_instance(1, 50, 40);
    auto const plain_rate = [&] {
        std::vector<std::int32_t> order(instance.output.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](std::int32_t i) {
            return instance.output[static_cast<std::size_t>(i)];
        });
        WordStream words(1, 0, 0);
        std::int64_t count = 0;
        Rounds least = INT64_MAX;
        auto const start = seconds_now();
        for (; seconds_now() - start < seconds; ++count) {
            std::swap(order[words.bounded(order.size())], order[words.bounded(order.size())]);
            least = std::min(least, plain_list_schedule(instance, order));
        }
        CRX_ENSURE(least > 0);
        return static_cast<double>(count) / (seconds_now() - start);
    };
    auto const search_rate = [&](int threads) {
        std::vector<double> rates(static_cast<std::size_t>(threads));
        tbb::parallel_for(0, threads, [&](int thread) {
            auto const start = seconds_now();
            auto const found = local_search(
                instance, {INT64_MAX / 8, seconds, static_cast<std::uint64_t>(thread)});
            rates[static_cast<std::size_t>(thread)] =
                static_cast<double>(found.evaluations) / (seconds_now() - start);
        });
        return std::accumulate(rates.begin(), rates.end(), 0.0);
    };
    auto const plain = plain_rate(), one = search_rate(1), two = search_rate(2);
    fmt::print(
        "plain, one thread {:.0f}/s; search, one thread {:.0f}/s ({:.1f} times); two threads "
        "{:.0f}/s ({:.1f} times)\n",
        plain, one, one / plain, two, two / plain);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    std::string const mode = argc > 1 ? argv[1] : "";
    auto const number = [&](int k, double otherwise) {
        return argc > k ? std::atof(argv[k]) : otherwise;
    };
    if (mode == "agree")
        return agree(static_cast<std::uint64_t>(number(2, 0)),
                     static_cast<std::uint64_t>(number(3, 1000)));
    if (mode == "exact")
        return exact(static_cast<std::int64_t>(number(2, 8)),
                     static_cast<std::uint64_t>(number(3, 20)), number(4, 10),
                     static_cast<std::int64_t>(number(5, 0)));
    if (mode == "found")
        return found(static_cast<std::int64_t>(number(2, 8)),
                     static_cast<std::uint64_t>(number(3, 50)),
                     static_cast<std::int64_t>(number(4, 500'000)),
                     static_cast<std::uint64_t>(number(5, 0)));
    if (mode == "model1" || mode == "model2")
        return model(mode == "model2", static_cast<std::uint64_t>(number(2, 200)), number(3, 1),
                     argc > 4 ? argv[4] : "");
    if (mode == "cbc")
        return beside_cbc(static_cast<std::int64_t>(number(2, 8)),
                          static_cast<std::uint64_t>(number(3, 5)), number(4, 20));
    if (mode == "rate") return rate(number(2, 2));
    fmt::print(stderr, "usage: hindsight_check agree|exact|found|model1|model2|cbc|rate ..., see "
                       "its first lines\n");
    return 2;
}

// The search over orders of many small instances (kernels/search) beside plain list schedulers
// and beside the search of one instance (docs/performance.md).
//   search_speed rate [SECONDS]             schedules a second, one thread and two, in turns
//   search_speed model1 [COUNT] [EVALUATIONS] [RUNS]
//                                JAILLET 5.1, model 1: MC-SF over best found, by either
#include "analysis/baseline/search/local_search.hh"
#include "bench/jaillet_instance.hh"
#include "kernels/search/search_batch.hh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <vector>

namespace {

using namespace crx;

double seconds_now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

/// Schedules looked at, and the seconds that took.
struct Rate
{
    std::int64_t schedules = 0;
    double wall = 0, processor = 0; ///< by the clock, and of all threads

    double by_clock() const { return static_cast<double>(schedules) / wall; }
    /// Where each thread has a processor to itself.
    double by_processor(std::size_t threads) const
    {
        return static_cast<double>(schedules) * static_cast<double>(threads) / processor;
    }
};

/// Calls step(), which returns how many schedules it looked at, for so many seconds by the clock.
template <class Step>
Rate measure(double seconds, Step step)
{
    Rate rate;
    auto const begin = seconds_now();
    auto const processor = std::clock();
    do {
        rate.schedules += step();
        rate.wall = seconds_now() - begin;
    } while (rate.wall < seconds);
    rate.processor = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    return rate;
}

enum class Rule
{
    in_order, ///< no start before its predecessor's, as OrderSchedule
    overtaking
};

/// The peer: an array of 64-bit numbers for each schedule, every token of every trial start.
Rounds plain_list_schedule(OwnedInstance const& instance, std::vector<std::int32_t> const& order,
                           Rule rule)
{
    auto const outputs = std::accumulate(instance.output.begin(), instance.output.end(), Rounds{0});
    std::vector<Tokens> held(static_cast<std::size_t>(2 * outputs) + 1, 0);
    Rounds latency = 0, start = 0;
    for (auto const request : order) {
        auto const i = static_cast<std::size_t>(request);
        if (rule == Rule::overtaking) start = 0;
        for (;; ++start) {
            bool fits = true;
            for (Rounds j = 1; j <= instance.output[i] && fits; ++j)
                fits = held[static_cast<std::size_t>(start + j)] + instance.prompt[i] + j <=
                       instance.memory;
            if (fits) break;
        }
        for (Rounds j = 1; j <= instance.output[i]; ++j)
            held[static_cast<std::size_t>(start + j)] += instance.prompt[i] + j;
        latency += start + instance.output[i];
    }
    return latency;
}

/// The plain scheduler, over random exchanges from the order of MC-SF.
Rate plain_rate(Rule rule, double seconds)
{
    auto const instance = jaillet_instance(1, 50, 40);
    std::vector<std::int32_t> order(instance.output.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, {}, [&](std::int32_t i) { return instance.output[static_cast<std::size_t>(i)]; });
    WordStream words(1, 0, 0);
    Rounds least = INT64_MAX;
    auto const rate = measure(seconds, [&] {
        for (int k = 0; k < 100; ++k) {
            std::swap(order[words.bounded(order.size())], order[words.bounded(order.size())]);
            least = std::min(least, plain_list_schedule(instance, order, rule));
        }
        return 100;
    });
    CRX_ENSURE(least > 0);
    return rate;
}

/// OrderSchedule on the same orders, each from its first request to its last.
Rate whole_rate(double seconds)
{
    auto const instance = jaillet_instance(1, 50, 40);
    search::SearchBatch const batch({instance});
    auto requests = batch.requests;
    std::ranges::stable_sort(requests, {}, &search::Lengths::output);
    WordStream words(1, 0, 0);
    std::int64_t least = INT64_MAX;
    auto const rate = measure(seconds, [&] {
        for (int k = 0; k < 100; ++k) {
            std::swap(requests[words.bounded(requests.size())],
                      requests[words.bounded(requests.size())]);
            search::OrderSchedule schedule(batch.memory[0]);
            std::int64_t starts = 0;
            for (auto const& r : requests) starts += schedule.start(r);
            least = std::min(least, starts);
        }
        return 100;
    });
    CRX_ENSURE(least > 0);
    return rate;
}

/// The search, on instances of the same shape.
Rate search_rate(std::size_t threads, double seconds)
{
    tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, threads);
    std::vector<OwnedInstance> instances;
    for (std::uint64_t k = 0; k < 16; ++k) instances.push_back(jaillet_instance(k, 50, 40));
    search::Effort effort{10000, 1, 1, 0};
    return measure(seconds, [&] {
        search::search_orders(instances, effort);
        ++effort.seed;
        return 16 * effort.evaluations;
    });
}

int rate(double seconds)
{
    fmt::print("schedules a second, in thousands: by the clock (where each thread has a processor "
               "to itself); ratios to `in order`\n");
    for (int turn = 0; turn < 5; ++turn) {
        auto const plain = plain_rate(Rule::in_order, seconds);
        auto const show = [&](char const* name, Rate const& of, std::size_t threads) {
            fmt::print("{} {:.1f} ({:.1f}), {:.1f} ({:.1f}) times\n", name, of.by_clock() / 1000,
                       of.by_processor(threads) / 1000, of.by_clock() / plain.by_clock(),
                       of.by_processor(threads) / plain.by_processor(1));
            std::fflush(stdout);
        };
        show("plain, in order    ", plain, 1);
        show("plain, overtaking  ", plain_rate(Rule::overtaking, seconds), 1);
        show("whole orders       ", whole_rate(seconds), 1);
        show("search, one thread ", search_rate(1, seconds), 1);
        show("search, two threads", search_rate(2, seconds), 2);
    }
    return 0;
}

/// Mean of mc_sf[i] / found[i] with its 95 % interval by the normal law.
void print_ratio(char const* name, std::vector<Rounds> const& mc_sf,
                 std::vector<Rounds> const& found, double taken)
{
    double sum = 0, square = 0, largest = 0;
    int equal = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto const ratio = static_cast<double>(mc_sf[i]) / static_cast<double>(found[i]);
        sum += ratio;
        square += ratio * ratio;
        largest = std::max(largest, ratio);
        equal += mc_sf[i] == found[i] ? 1 : 0;
    }
    auto const n = static_cast<double>(found.size()), mean = sum / n;
    auto const half = 1.96 * std::sqrt(std::max(0.0, square / n - mean * mean) / (n - 1));
    fmt::print(
        "{}: TEL(mc-sf) / best found: mean {:.4f} [{:.4f}, {:.4f}], largest {:.4f}, equal in "
        "{}; {:.1f} s\n",
        name, mean, mean - half, mean + half, largest, equal, taken);
    std::fflush(stdout);
}

int model1(std::uint64_t count, search::Effort const& effort)
{
    std::vector<OwnedInstance> instances;
    for (std::uint64_t k = 0; k < count; ++k) instances.push_back(jaillet_instance(k, 0, 0));
    std::vector<Rounds> mc_sf(count), batch(count), single(count);
    auto const latencies = [](std::vector<search::FoundStarts> const& found,
                              std::vector<Rounds>& of) {
        std::ranges::transform(found, of.begin(), &search::FoundStarts::total_latency);
    };
    latencies(search::search_orders(instances, {1, 1, 1, 0}), mc_sf); // run 0 begins with MC-SF
    fmt::print("{} instances, {} x {} schedules each\n", count, effort.runs, effort.evaluations);
    auto begin = seconds_now();
    latencies(search::search_orders(instances, effort), batch);
    print_ratio("many instances at once   ", mc_sf, batch, seconds_now() - begin);
    begin = seconds_now();
    tbb::parallel_for(std::size_t{0}, instances.size(), [&](std::size_t i) {
        single[i] = baseline::local_search(instances[i], {effort.evaluations * effort.runs, 1e9, 1})
                        .total_latency;
    });
    print_ratio("search of one, overtaking", mc_sf, single, seconds_now() - begin);
    int below = 0;
    for (std::size_t i = 0; i < count; ++i) below += single[i] < batch[i] ? 1 : 0;
    fmt::print("the search of one found less in {}\n", below);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    std::string const mode = argc > 1 ? argv[1] : "";
    auto const number = [&](int k, double otherwise) {
        return argc > k ? std::atof(argv[k]) : otherwise;
    };
    if (mode == "rate") return rate(number(2, 1));
    if (mode == "model1")
        return model1(
            static_cast<std::uint64_t>(std::max(2.0, number(2, 200))),
            {static_cast<std::int64_t>(number(3, 20000)), static_cast<int>(number(4, 1)), 1, 0});
    fmt::print(stderr, "usage: search_speed rate|model1 ..., see its first lines\n");
    return 2;
}

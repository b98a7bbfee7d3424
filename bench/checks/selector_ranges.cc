// WANG Table 3, the operational ranges of the four selectors of Sorted-F, side by side in one run:
//   selector_ranges [COUNT] [SECONDS]
// s and o uniform on 1 .. 50 (WANG EC.4.2), n requests, memory M; scaled with 100 cells. For each n
// and M, means over COUNT instances: processor time of Phase 1 (all batches) and of the first
// batch, F of that batch over the least F, and total latency over that of the exact selector. A
// selector that took more than SECONDS at an n is left out at larger ones of the same M. Findings:
// docs/findings/sorted-f.md.
#include "analysis/sorted_f/sorted_f.hh"

#include <cstdlib>
#include <ctime>
#include <fmt/core.h>

namespace {

using namespace crx;
using sorted_f::Selector;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

OwnedInstance instance_of(std::int64_t n, Tokens memory, std::uint64_t number)
{
    WordStream words(2026, 0, number);
    OwnedInstance instance;
    instance.memory = memory;
    for (std::int64_t i = 0; i < n; ++i) {
        instance.prompt.push_back(1 + static_cast<std::int32_t>(words.bounded(50)));
        instance.output.push_back(1 + static_cast<std::int32_t>(words.bounded(50)));
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

std::vector<sorted_f::Item> items_of(OwnedInstance const& instance)
{
    std::vector<sorted_f::Item> items;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        items.push_back({i, instance.prompt[i], instance.output[i]});
    return items;
}

std::optional<sorted_f::Batch> first_batch(std::vector<sorted_f::Item> const& items, Tokens memory,
                                           Selector selector, std::uint64_t number)
{
    switch (selector) {
    case Selector::exact: return sorted_f::select_exact(items, memory);
    case Selector::scaled: return sorted_f::select_scaled(items, memory, 100);
    case Selector::swap: return sorted_f::select_swap(items, memory);
    case Selector::quantile: break;
    }
    WordStream words(1, 0, number);
    return sorted_f::select_quantile(items, memory, words);
}

/// What one selector does with one instance.
struct Done
{
    double first_seconds = 0, all_seconds = 0, quality = 0, latency = 0;
};

double value_of(sorted_f::Quality const& f)
{
    return static_cast<double>(f.outputs) /
           (static_cast<double>(f.count) * static_cast<double>(f.count));
}

std::optional<Done> run(OwnedInstance const& instance, Selector selector, std::uint64_t number)
{
    auto const items = items_of(instance);
    Done done;
    auto const start = processor_seconds();
    auto const batch = first_batch(items, instance.memory, selector, number);
    done.first_seconds = processor_seconds() - start;
    if (!batch) return std::nullopt;
    done.quality = value_of(sorted_f::quality_of(items, *batch));
    auto const middle = processor_seconds();
    auto const batches = sorted_f::batches(instance, {selector, 100, 1, number});
    done.all_seconds = processor_seconds() - middle;
    if (!batches) return std::nullopt;
    done.latency = static_cast<double>(
        execute_in_order(instance, sorted_f::order_of(*batches)).outcome.total_latency);
    return done;
}

} // namespace

int main(int argc, char** argv)
{
    auto const count = argc > 1 ? std::atoi(argv[1]) : 3;
    auto const most_seconds = argc > 2 ? std::atof(argv[2]) : 30;
    fmt::print("{:>6} {:>6} {:<9} {:>12} {:>12} {:>9} {:>12}\n", "M", "n", "selector",
               "first batch", "all batches", "F/least", "TEL/exact");
    for (Tokens const memory : {100, 1000, 16492}) {
        bool left_out[4] = {};
        for (std::int64_t const n : {50, 100, 200, 500, 1000, 2000, 5000}) {
            Done mean[4];
            bool known[4] = {true, true, true, true};
            for (int k = 0; k < count; ++k) {
                auto const number = static_cast<std::uint64_t>(k);
                auto const instance = instance_of(n, memory, number);
                double least = 0, exact = 0;
                for (int s = 0; s < 4; ++s) {
                    if (left_out[s] || !known[s]) continue;
                    auto const done = run(instance, static_cast<Selector>(s), number);
                    known[s] = done.has_value();
                    if (!done) continue;
                    if (s == 0) {
                        least = done->quality;
                        exact = done->latency;
                    }
                    mean[s].first_seconds += done->first_seconds / count;
                    mean[s].all_seconds += done->all_seconds / count;
                    mean[s].quality += least > 0 ? done->quality / least / count : 0;
                    mean[s].latency += exact > 0 ? done->latency / exact / count : 0;
                }
            }
            for (int s = 0; s < 4; ++s) {
                auto const* const name = sorted_f::selector_names[s].data();
                if (left_out[s]) continue;
                if (!known[s]) {
                    fmt::print("{:>6} {:>6} {:<9} its table needs more than 1 GiB\n", memory, n,
                               name);
                    left_out[s] = true;
                    continue;
                }
                auto const compared = known[0] && !left_out[0];
                fmt::print("{:>6} {:>6} {:<9} {:>10.6f} s {:>10.4f} s {:>9} {:>12}\n", memory, n,
                           name, mean[s].first_seconds, mean[s].all_seconds,
                           compared ? fmt::format("{:.4f}", mean[s].quality) : "-",
                           compared ? fmt::format("{:.4f}", mean[s].latency) : "-");
            }
            // After the row: exact stays the measure for all of it.
            for (int s = 0; s < 4; ++s)
                left_out[s] = left_out[s] || mean[s].all_seconds > most_seconds;
            std::fflush(stdout);
        }
    }
    return 0;
}

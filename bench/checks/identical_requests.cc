// JAILLET Theorem 4.3, second part: n identical requests (s, o), all at 0, M >= 2 (s + o); MC-SF is
// claimed to be within 4 of the optimum. Sweeps a grid for the largest ratio
//   identical_requests [LARGEST_O] [LARGEST_M_OVER_P]
// to the best of `dual` and `volume` (an upper bound on the ratio to OPT) and to staggered
// schedules (a lower bound on it), and prints each new largest; then the largest of ratio x vol /
// (P o), where P = s + o, vol = s o + o (o + 1) / 2: what MC-SF would lose if it served floor(M /
// P) requests a batch for ever and OPT filled memory. Findings: docs/findings/baselines.md.
#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/schedule.hh"
#include "bench/checks/instances.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <string>

namespace {

using namespace crx;
using namespace crx::baseline;

/// Request i is released at floor((i + 1 - burst) gap), the first `burst` at 0, and starts as early
/// from there as it fits beside those before it.
Starts staggered(OwnedInstance const& instance, double gap, Rounds burst)
{
    auto const s = instance.prompt[0], o = instance.output[0];
    std::vector<Tokens> held;
    Starts starts;
    Rounds start = 0;
    for (Rounds i = 0; i < instance.requests(); ++i) {
        if (i >= burst)
            start = std::max(
                start, static_cast<Rounds>(std::floor(static_cast<double>(i + 1 - burst) * gap)));
        for (bool fits = false; !fits;) {
            held.resize(std::max(held.size(), static_cast<std::size_t>(start + o + 1)), 0);
            fits = true;
            for (Rounds j = o; j >= 1 && fits; --j)
                fits = held[static_cast<std::size_t>(start + j)] + s + j <= instance.memory;
            if (!fits) ++start;
        }
        for (Rounds j = 1; j <= o; ++j) held[static_cast<std::size_t>(start + j)] += s + j;
        starts.push_back(start);
    }
    return starts;
}

struct Best
{
    Rounds latency;
    std::string how;
};

/// The best of MC-SF and a few staggered schedules, at gaps near what memory allows on average.
Best best_schedule(OwnedInstance const& instance, Rounds mc_sf, double fluid_gap, Rounds together)
{
    Best best{mc_sf, "mc-sf"};
    for (auto const factor : {0.9, 1.0, 1.02, 1.05, 1.1, 1.2, 1.3, 1.5, 2.0})
        for (auto const burst : {Rounds{1}, together / 2, 7 * together / 10, together}) {
            auto const starts = staggered(instance, factor * fluid_gap, burst);
            auto const latency = total_latency(instance, starts);
            if (latency >= best.latency) continue;
            CRX_ENSURE(!schedule_fault(instance, starts));
            best = {latency, fmt::format("gap {} x {:.3f}, {} at once", factor, fluid_gap, burst)};
        }
    return best;
}

struct Largest
{
    double over_bound = 0, over_found = 0, over_batches = 0;
    std::int64_t cases = 0;
};

void compare(std::int32_t s, std::int32_t o, Tokens memory, Rounds n, Largest& largest)
{
    auto const instance = identical(n, s, o, memory);
    auto const run = execute_single({ShortestFirst::kind, {}}, instance, 0, 0);
    auto const latency = total_latency(instance, {run.start.begin(), run.start.end()});
    auto const mc_sf = static_cast<double>(latency);
    auto const bound =
        static_cast<double>(std::max(*identical_dual_bound(instance), volume_bound(instance)));
    auto const peak = static_cast<double>(s + o),
               volume = static_cast<double>(s) * o + static_cast<double>(o) * (o + 1) / 2;
    ++largest.cases;
    largest.over_batches = std::max(largest.over_batches, mc_sf / bound * volume / (peak * o));
    auto const print = [&](char const* what, double ratio, std::string const& how) {
        fmt::print("{} {:.4f}: s = {}, o = {}, M = {} = {:.3f} P, n = {}{}\n", what, ratio, s, o,
                   memory, static_cast<double>(memory) / peak, n, how);
    };
    if (mc_sf / bound > largest.over_bound) {
        largest.over_bound = mc_sf / bound;
        print("over the bound   ", largest.over_bound, "");
    }
    if (mc_sf / bound <= largest.over_found) return; // no schedule can be that much better
    auto const best =
        best_schedule(instance, latency, volume / static_cast<double>(memory), memory / (s + o));
    if (mc_sf / static_cast<double>(best.latency) > largest.over_found) {
        largest.over_found = mc_sf / static_cast<double>(best.latency);
        print("over the schedule", largest.over_found, "; " + best.how);
    }
}

/// s = 0, o odd, M = o (o + 1) / 2 = o m with m = (o + 1) / 2. One start a round holds 1 + 2 + .. +
/// o = M tokens for ever, a schedule of TEL n (n - 1) / 2 + n o; MC-SF serves m requests every o
/// rounds, because M is a multiple of o and nothing is left to stagger with. The ratio tends to o /
/// m.
void family(std::int32_t o, Rounds batches)
{
    auto const m = (o + 1) / 2;
    auto const instance = identical(batches * m, 0, o, Tokens{o} * m);
    auto const run = execute_single({ShortestFirst::kind, {}}, instance, 0, 0);
    auto const mc_sf = total_latency(instance, {run.start.begin(), run.start.end()});
    auto const starts = staggered(instance, 1, 1);
    CRX_ENSURE(!schedule_fault(instance, starts));
    auto const latency = total_latency(instance, starts);
    fmt::print(
        "family: o = {}, M = {}, n = {}: MC-SF {}, one start a round {}, ratio {:.4f} (limit "
        "{:.4f})\n",
        o, instance.memory, instance.requests(), mc_sf, latency,
        static_cast<double>(mc_sf) / static_cast<double>(latency), static_cast<double>(o) / m);
}

} // namespace

int main(int argc, char** argv)
{
    auto const largest_output = argc > 1 ? std::atoi(argv[1]) : 60;
    auto const largest_batch = argc > 2 ? std::atoi(argv[2]) : 30;
    Largest largest;
    for (std::int32_t const s : {0, 1, 2, 5, 20})
        for (std::int32_t o = 1; o <= largest_output; o = o < 12 ? o + 1 : o * 5 / 4)
            for (std::int64_t m = 2; m <= largest_batch; m = m < 6 ? m + 1 : m * 3 / 2)
                for (std::int64_t part = 0; part < 8; ++part) {
                    auto const peak = std::int64_t{s} + o;
                    auto const left = part == 7 ? peak - 1 : peak * part / 7;
                    if (part > 0 && left == peak * (part - 1) / 7) continue;
                    for (auto const n : {m + 1, 2 * m, 3 * m, 10 * m, 40 * m})
                        if (n * o <= 400000) compare(s, o, m * peak + left, n, largest);
                }
    for (std::int32_t const o : {3, 9, 27, 81, 199}) family(o, 200);
    fmt::print("{} cases; largest over max(dual, volume) {:.4f}, over staggered schedules {:.4f}; "
               "largest ratio x vol / (P o) {:.4f}\n",
               largest.cases, largest.over_bound, largest.over_found, largest.over_batches);
    return 0;
}

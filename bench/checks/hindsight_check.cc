// Slow checks and figures of the hindsight baselines (docs/findings/baselines.md):
//   hindsight_check agree FIRST COUNT       n = 8, M = 20: the optimum against CBC's
//   hindsight_check exact N COUNT SECONDS [SCHEDULES]
//                                           JAILLET's shape: time to the proven optimum, or the
//                                           bracket; best-found with so many schedules a request
//   hindsight_check found N COUNT SCHEDULES [FIRST]
//                                           M = 40: how often best-found, with so many schedules an
//                                           instance, has the proven optimum
//   hindsight_check cbc N COUNT SECONDS     M = 40: time to the optimum or gap left, beside CBC
//                                           on JAILLET's program
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/search/best_found.hh"
#include "bench/checks/instances.hh"
#include "bench/checks/integer_program.hh"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>

namespace {

using namespace crx;
using namespace crx::baseline;

/// Of this process: what a thread alone would need on an idle machine.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int agree(std::uint64_t first, std::uint64_t count)
{
    int wrong = 0;
    for (auto k = first; k < first + count; ++k) {
        auto const instance = jaillet_instance(k, 8, 20);
        HindsightLimits limits;
        limits.seconds = 60;
        limits.evaluations_a_request = 100;
        auto const result = hindsight(instance, limits);
        auto const program = integer_program(instance, result.schedules.front().starts, 600);
        auto const same =
            result.optimal() && program.optimal && program.total_latency == result.upper;
        wrong += same ? 0 : 1;
        if (!same || (k - first) % 50 == 49)
            fmt::print("instance {}: {} against {}{}\n", k, result.upper, program.total_latency,
                       same                                  ? ""
                       : result.optimal() && program.optimal ? " DIFFER"
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

/// Both start from the schedule of best-found, which is not timed.
int beside_cbc(std::int64_t n, std::uint64_t count, double seconds)
{
    for (std::uint64_t k = 0; k < count; ++k) {
        auto const instance = jaillet_instance(k, n, 40);
        auto const known = best_found(instance, {300 * n * n * n, 1e9, 1}).value();
        auto start = processor_seconds();
        HindsightLimits limits;
        limits.seconds = seconds;
        auto const ours = hindsight(instance, limits);
        fmt::print("n = {}, instance {}, TEL {}: {}", n, k, ours.upper,
                   time_and_gap(start, ours.optimal(), ours.upper, ours.lower));
        std::fflush(stdout);
        start = processor_seconds();
        auto const program = integer_program(instance, known.starts, seconds);
        CRX_ENSURE(!program.optimal || !ours.optimal() || program.total_latency == ours.upper);
        fmt::print("; CBC {}\n", time_and_gap(start, program.optimal, program.total_latency,
                                              program.lower_bound));
        std::fflush(stdout);
    }
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
    if (mode == "cbc")
        return beside_cbc(static_cast<std::int64_t>(number(2, 8)),
                          static_cast<std::uint64_t>(number(3, 5)), number(4, 20));
    fmt::print(stderr, "usage: hindsight_check agree|exact|found|cbc ..., see its first lines\n");
    return 2;
}

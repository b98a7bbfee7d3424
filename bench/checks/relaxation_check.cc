// WANG's LP relaxation and the policies built on it, timed:
//   relaxation_check shape COUNT N              s, o uniform on 1 .. 50, M = 100 (WANG EC.4.2)
//   relaxation_check trace N CONV.csv ARXIV.csv the first 4 N / 5 and N / 5 rows of two traces with
//                                               columns num_prefill_tokens,num_decode_tokens, M =
//                                               16492
// Prints the program's value, or the bracket of it and the cell of time, and the TEL of sorted-lp,
// lp-swap, mc-sf, mc-sf-total and best-found (50 schedules a request) beside the lower bound.
// Findings: docs/findings/baselines.md.
#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/search/best_found.hh"
#include "analysis/sorted_f/sorted_lp.hh"
#include "host/input/trace.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/random/word_stream.cuh"

#include <chrono>
#include <cstdlib>
#include <fmt/core.h>
#include <string>

namespace {

using namespace crx;

double seconds_now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

void add(OwnedInstance& instance, std::int32_t s, std::int32_t o)
{
    instance.arrival.push_back(0);
    instance.prompt.push_back(s);
    instance.output.push_back(o);
    instance.lower = instance.upper = instance.output;
}

Rounds checked_latency(OwnedInstance const& instance, SingleRun const& run)
{
    baseline::Starts const starts(run.start.begin(), run.start.end());
    CRX_ENSURE(!baseline::schedule_fault(instance, starts));
    return baseline::total_latency(instance, starts);
}

void check(std::string const& name, OwnedInstance const& instance)
{
    auto const start = seconds_now();
    auto const relaxation = sorted_lp::relax(instance);
    auto const seconds = seconds_now() - start;
    auto const by = [&](auto order) {
        return checked_latency(instance,
                               execute_in_order(instance, order(instance, relaxation.mean_start)));
    };
    auto const of = [&](PolicyKind kind) {
        return checked_latency(instance, execute_single({kind, {}}, instance, 0, 0));
    };
    fmt::print(
        "{}: n = {}, LP {} [{:.3f}, {:.3f}], error at most {:.3f} %, cell {}, {:.1f} s; volume {}; "
        "sorted-lp {}, lp-swap {}, mc-sf {}, mc-sf-total {}, best-found {}\n",
        name, instance.requests(), relaxation.solved ? "solved" : "between", relaxation.lower,
        relaxation.upper, 100 * relaxation.error(), relaxation.cell, seconds,
        volume_bound(instance), by(sorted_lp::sorted_lp_order), by(sorted_lp::lp_swap_order),
        of(ShortestFirst::kind), of(ShortestTotalFirst::kind),
        baseline::best_found(instance, {50 * instance.requests(), 1e9, 1})->total_latency);
    std::fflush(stdout);
}

OwnedInstance uniform_instance(std::uint64_t number, std::int64_t n)
{
    WordStream words(2028, 0, number);
    OwnedInstance instance;
    instance.memory = 100;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = 1 + static_cast<std::int32_t>(words.bounded(50));
        add(instance, s, 1 + static_cast<std::int32_t>(words.bounded(50)));
    }
    return instance;
}

} // namespace

int main(int argc, char** argv)
{
    std::string const mode = argc > 1 ? argv[1] : "";
    if (mode == "shape" && argc == 4) {
        for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(std::atoi(argv[2])); ++k)
            check(fmt::format("instance {}", k), uniform_instance(k, std::atoi(argv[3])));
        return 0;
    }
    if (mode == "trace" && argc == 5) {
        auto const n = static_cast<std::size_t>(std::atoi(argv[2]));
        OwnedInstance instance;
        instance.memory = 16492;
        auto const take = [&](char const* file, std::size_t rows) {
            auto const trace = read_trace(file);
            for (auto const& request : trace.requests)
                if (rows > 0 && Tokens{request.prompt} + request.output <= instance.memory) {
                    add(instance, request.prompt, request.output);
                    --rows;
                }
        };
        take(argv[3], n - n / 5);
        take(argv[4], n / 5);
        check("trace", instance);
        return 0;
    }
    fmt::print(stderr, "usage: relaxation_check shape|trace ..., see its first lines\n");
    return 2;
}

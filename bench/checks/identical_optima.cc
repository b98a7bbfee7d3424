// JAILLET Theorem 4.3, second part, in small: n identical requests (s, o), all at 0, M >= 2 (s +
// o). For each n the largest ratio of MC-SF to the optimum on a grid of s, o and M, every optimum
// proven by configurations and the winner's by CBC too:
//   identical_optima [LARGEST_N] [LARGEST_S] [LARGEST_O] [NODES]
// Cases go by falling TEL(mc-sf) over the best cheap bound, so most need no search: they cannot
// win. Findings: docs/findings/baselines.md.
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/identical_dual.hh"
#include "bench/checks/instances.hh"
#include "bench/checks/integer_program.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>

namespace {

using namespace crx;
using namespace crx::baseline;

struct Case
{
    std::int32_t s, o;
    Tokens memory;
    Rounds mc_sf;
    double most; // TEL(mc-sf) over the larger of dual and volume
};

std::vector<Case> grid(std::int64_t n, std::int32_t largest_s, std::int32_t largest_o)
{
    std::vector<Case> cases;
    for (std::int32_t s = 0; s <= largest_s; ++s)
        for (std::int32_t o = 2; o <= largest_o; ++o)
            for (Tokens memory = 2 * (s + o); memory < n * (s + o); ++memory) {
                auto const instance = identical(n, s, o, memory);
                auto const start =
                    execute_single({ShortestFirst::kind, {}}, instance, 0, 0).outcome.total_latency;
                auto const bound =
                    std::max(*identical_dual_bound(instance), volume_bound(instance));
                cases.push_back(
                    {s, o, memory, start, static_cast<double>(start) / static_cast<double>(bound)});
            }
    std::ranges::stable_sort(cases, std::greater{}, &Case::most);
    return cases;
}

void search(std::int64_t n, std::int32_t largest_s, std::int32_t largest_o, std::int64_t nodes)
{
    auto const cases = grid(n, largest_s, largest_o);
    double best = 0, open_most = 0;
    Case winner{};
    Starts schedule;
    Rounds optimum = 0;
    std::int64_t searched = 0, open = 0;
    for (auto const& c : cases) {
        if (c.most <= best) break;
        ++searched;
        HindsightLimits limits;
        limits.seconds = 1e9;
        limits.evaluations_a_request = 200;
        limits.nodes = nodes;
        auto const result = hindsight(identical(n, c.s, c.o, c.memory), limits);
        auto const latency = static_cast<double>(c.mc_sf);
        if (!result.optimal()) {
            ++open;
            open_most = std::max(open_most, latency / static_cast<double>(result.lower));
        }
        // Over a schedule the ratio to the optimum is at least this, proven or not.
        if (latency / static_cast<double>(result.upper) <= best) continue;
        best = latency / static_cast<double>(result.upper);
        winner = c;
        optimum = result.upper;
        schedule = result.best().starts;
    }
    auto const instance = identical(n, winner.s, winner.o, winner.memory);
    auto const program = integer_program(instance, schedule, 60);
    std::string starts;
    std::ranges::sort(schedule);
    for (auto const k : schedule) starts += fmt::format(" {}", k);
    fmt::print("n = {}: {:.4f} = {} / {}: s = {}, o = {}, M = {}; CBC: {}{}; {} cases, {} "
               "searched, {} open{}; starts{}\n",
               n, best, winner.mc_sf, optimum, winner.s, winner.o, winner.memory,
               program.total_latency, program.optimal ? ", proven" : ", open", cases.size(),
               searched, open, open > 0 ? fmt::format(" (at most {:.4f})", open_most) : "", starts);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    auto const largest_n = argc > 1 ? std::atoi(argv[1]) : 12;
    auto const largest_s = argc > 2 ? std::atoi(argv[2]) : 3;
    auto const largest_o = argc > 3 ? std::atoi(argv[3]) : 10;
    auto const nodes = argc > 4 ? std::atoll(argv[4]) : 1'000'000;
    for (std::int64_t n = 3; n <= largest_n; ++n) search(n, largest_s, largest_o, nodes);
    return 0;
}

// Runs one engine of a GPU on one case, for scripts/kernel_counts, which counts under valgrind
// what its kernels do: crx_count_kernels ENGINE INSTANCES.
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_shape.hh"
#include "emulated_card/launch.hh"
#include "emulated_card/memory.hh"
#include "emulated_card/observer.hh"
#include "host/bench/bench_cases.hh"
#include "kernels/backends/cell.hh"
#include "kernels/policies/policy_info.hh"

#include <cstdlib>
#include <iostream>
#include <vector>

char volatile crx_kernel_mark; ///< written before each kernel and after it

namespace {

using namespace crx;

struct Counted
{
    std::string engine;
    PolicyKind policy;
    RandomLaw law;
    Workload workload;
    std::string text; ///< what the instances are like
};

/// Requests that differ in everything.
Workload varied(std::int64_t requests)
{
    auto w = jaillet_shape(requests, 16'492, 400, 1);
    auto const prompt = uniform_law(1, 1000);
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 2};
    return w;
}

std::vector<Counted> counted()
{
    auto const two_point = two_point_workload(10'000, 10'000, 10, 100);
    std::string const jaillet = "JAILLET's shape, n = 50, M = ", mixed = "varied, M = 16,492, n = ",
                      points = "two-point, n = M = 10,000";
    return {
        {"mc-sf-batch", ShortestFirst::kind, RandomLaw::request, jaillet_workload(),
         jaillet + "40"},
        {"list-schedule-warp", ShortestFirst::kind, RandomLaw::request,
         jaillet_shape(50, 200, 35, 1), jaillet + "200"},
        {"a-min-small-warp", MinLength::kind, RandomLaw::request, varied(500), mixed + "500"},
        {"requests", MinLength::kind, RandomLaw::request, varied(500), mixed + "500"},
        {"cohorts", MinLength::kind, RandomLaw::cohort, two_point, points},
        {"a-max-batch", MaxLength::kind, RandomLaw::cohort, two_point, points},
    };
}

} // namespace

int main(int argc, char** argv)
{
    for (auto const& one : counted()) {
        if (argc != 3 || one.engine != argv[1]) continue;
        emulated::observer() = {[](std::string const& kernel) {
                                    std::cout << "kernel " << kernel << '\n';
                                    crx_kernel_mark = 1;
                                },
                                [] { crx_kernel_mark = 0; }};
        Cell cell{one.workload, {{one.policy, {}}}, {false, false}, {one.law}};
        cell.card_choice = {one.engine};
        auto const [begin, end] = emulated::card_addresses();
        std::cout << "places " << static_cast<void*>(const_cast<char*>(&crx_kernel_mark)) << ' '
                  << begin << ' ' << end << '\n';
        auto const tally = launch_device(cell, {0, std::atoll(argv[2])});
        std::cout << "case " << policy_info(one.policy).id << ", " << one.text << '\n'
                  << "events " << static_cast<std::int64_t>(tally[0].sums.events) << '\n';
        return 0;
    }
    std::cerr << "crx_count_kernels ENGINE INSTANCES; engines:";
    for (auto const& one : counted()) std::cerr << ' ' << one.engine;
    std::cerr << '\n';
    return 2;
}

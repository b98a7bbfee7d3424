// Runs one engine of a GPU on one case, for scripts/kernel_counts, which counts under valgrind
// what its kernels do: crx_count_kernels ENGINE INSTANCES.
#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_shape.hh"
#include "emulated_gpu/launch.hh"
#include "emulated_gpu/memory.hh"
#include "emulated_gpu/observer.hh"
#include "host/bench/bench_cases.hh"
#include "host/selftest/path_cases.hh"
#include "kernels/cuda/device_paths.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
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
                      points = "two-point, 10 and 100, n = M = 10,000";
    return {
        {"mc-sf-batch", ShortestFirst::kind, RandomLaw::request, jaillet_workload(),
         jaillet + "40"},
        {"list-schedule-warp", ShortestFirst::kind, RandomLaw::request,
         jaillet_shape(50, 200, 35, 1), jaillet + "200"},
        {"a-min-small-warp", MinLength::kind, RandomLaw::request, varied(60), mixed + "60"},
        {"requests", MinLength::kind, RandomLaw::request, varied(60), mixed + "60"},
        {"cohorts", MinLength::kind, RandomLaw::cohort, two_point_workload(1'000, 1'000, 4, 20),
         "two-point, 4 and 20, n = M = 1,000"},
        {"a-max-batch", MaxLength::kind, RandomLaw::cohort, two_point, points},
    };
}

/// Tells what is launched and where marks and the GPU's memory lie.
void watch()
{
    emulated::observer() = {[](std::string const& kernel, emulated::Config const& config) {
                                std::cout << "kernel " << config.threads << ' ' << config.shared
                                          << ' ' << kernel << '\n';
                                crx_kernel_mark = 1;
                            },
                            [] { crx_kernel_mark = 0; }};
    auto const address = [](char volatile* at) {
        return static_cast<void*>(const_cast<char*>(at));
    };
    auto const [begin, end] = emulated::gpu_addresses();
    std::cout << "places " << address(&crx_kernel_mark) << ' ' << address(emulated::thread_marks)
              << ' ' << begin << ' ' << end << '\n';
}

void run(Counted const& one, std::int64_t instances)
{
    Cell cell{one.workload, {{one.policy, {}}}, {false, false}, {one.law}};
    cell.gpu_choice = {one.engine};
    auto const tally = launch_device(cell, {0, instances});
    std::cout << "case " << policy_info(one.policy).id << ", " << one.text << '\n'
              << "events " << static_cast<std::int64_t>(tally[0].sums.events) << '\n';
}

void run_paths(std::int64_t paths)
{
    auto const test = path_cases().front();
    std::int64_t iterations = 0;
    for (auto const& path : launch_paths_device(test.cell, 0, paths, {}))
        iterations += path.back().iterations;
    std::cout << "case " << test.name << '\n' << "events " << iterations << '\n';
}

} // namespace

int main(int argc, char** argv)
{
    std::string const engine = argc == 3 ? argv[1] : "";
    auto const instances = argc == 3 ? std::atoll(argv[2]) : 0;
    auto const all = counted();
    auto const found = std::ranges::find(all, engine, &Counted::engine);
    if (found != all.end() || engine == "paths") {
        watch();
        engine == "paths" ? run_paths(instances) : run(*found, instances);
        return 0;
    }
    std::cerr << "crx_count_kernels ENGINE INSTANCES; engines: paths";
    for (auto const& one : all) std::cerr << ' ' << one.engine;
    std::cerr << '\n';
    return 2;
}

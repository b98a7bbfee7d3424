#include "host/sweep/backend.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/paths.hh"
#include "host/experiment/policy_list.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <fmt/core.h>
#include <new>
#include <stdexcept>

namespace crx {

namespace {

/// What a chunk of a cell needs, where there was not enough.
std::string without_memory(Cell const& cell)
{
    std::size_t bytes = 0;
    std::string_view largest = "requests";
    for (auto const& run : CellEngines(cell, Processor::cpu).runs)
        for (auto const* engine : run.chain)
            if (auto const needed = engine->scratch_bytes(run.spec, run.where); needed > bytes) {
                largest = engine->name;
                bytes = needed;
            }
    return fmt::format("there is not enough memory: engine {} alone takes {:.1f} MB a thread\n  "
                       "fewer --threads, fewer requests or shorter outputs take less",
                       largest, static_cast<double>(bytes) / 1e6);
}

LaunchedParts on_cpu(std::span<LaunchPart const> parts, StopCondition const& stop_condition)
{
    auto done = launch_host(parts, stop_condition);
    try {
        if (done.error) std::rethrow_exception(done.error);
    } catch (std::bad_alloc const&) {
        done.error =
            std::make_exception_ptr(RunError(without_memory(*parts[done.parts.size()].cell)));
    } catch (...) {
        // The reason is another.
    }
    return done;
}

bool gpu_takes(Cell const& cell) { return gpu_refusal(cell).empty(); }

/// Every part, those that no GPU takes on the cores.
LaunchedParts on_gpu(std::span<LaunchPart const> parts, StopCondition const& stop_condition)
{
    LaunchedParts all;
    std::vector<LaunchPart> of_gpu, of_cpu;
    std::vector<std::size_t> gpu_places, cpu_places;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        bool const takes = gpu_takes(*parts[k].cell);
        (takes ? of_gpu : of_cpu).push_back(parts[k]);
        (takes ? gpu_places : cpu_places).push_back(k);
        all.parts.push_back({Tally(parts[k].cell->policies.size()), 0, {}});
    }
    auto const run = [&](auto const& launch, auto const& some, auto const& places) {
        if (some.empty() || all.error) return;
        auto done = launch(some, stop_condition);
        all.error = done.error;
        for (std::size_t k = 0; k < done.parts.size(); ++k)
            all.parts[places[k]] = std::move(done.parts[k]);
    };
    auto const on_device = [](std::span<LaunchPart const> some, StopCondition const& stop) {
        return launch_device(some, stop);
    };
    run(on_device, of_gpu, gpu_places);
    for (auto const place : gpu_places)
        all.parts[place].engines = engine_names(*parts[place].cell, Processor::gpu);
    run(on_cpu, of_cpu, cpu_places);
    return all;
}

Executor cores() { return {on_cpu, launch_paths_host}; }

Executor gpu_executor(Model model)
{
    // As many as a large GPU has threads, whose memory may not allow so many.
    constexpr std::int64_t threads = 1 << 18;
    // Of paths, which last, a quarter.
    if (model == Model::iterations) return {on_gpu, launch_paths_gpu, 1, threads / 4};
    // Two calls: while the host adds up what one gave, the GPU runs the other.
    return {on_gpu, launch_paths_gpu, 2, threads, 1 << 14, gpu_takes};
}

} // namespace

void choose_device_for(std::string const& backend, int number)
{
    auto const refuse = [&](std::string const& accepted) {
        throw ConfigError("command line", "--device", std::to_string(number), accepted);
    };
    if (backend == "cpu") refuse("left out with --backend cpu");
    choose_device(number);
    if (auto const device = find_device(); device.name.empty())
        refuse("a CUDA device that can be used: " + device.reason);
}

void choose_device_of_place(int place)
{
    int devices = 0;
    for (;; ++devices) {
        choose_device(devices);
        if (find_device().name.empty()) break;
    }
    choose_device(devices == 0 ? 0 : place % devices);
}

Backend choose_backend(std::string const& wanted, std::string const& cpu_only, Model model)
{
    auto const cpu = [](std::string const& why) {
        return Backend{"cpu", "", "running on the CPU" + why, {cores()}};
    };
    if (wanted == "cpu") return cpu("");
    if (!cpu_only.empty() && wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + cpu_only + ", which only the CPU does");
    if (!cpu_only.empty()) return cpu(": " + cpu_only);
    auto const device = find_device();
    if (!device.name.empty()) {
        Backend gpu{"cuda", device.name, "running on " + device.name, {gpu_executor(model)}};
        if (wanted == "cuda" || model == Model::iterations) {
            gpu.executors.front().takes = nullptr;
        } else {
            gpu.text += " and on the CPU, so that both end together";
            gpu.executors.push_back(cores());
        }
        return gpu;
    }
    if (wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + device.reason);
    return cpu("; no CUDA: " + device.reason);
}

std::int64_t share_of_gpu(SharedTimes const& times, std::int64_t left, int threads)
{
    constexpr double slowness = 50, start = 0.5; // the first call also makes a context
    if (!(times.core > 0)) return 0;
    auto const least = times.gpu_least > 0 ? times.gpu_least : slowness * times.core + start;
    auto const of_all = static_cast<double>(left);
    auto const by_cores = times.core / threads; // of an instance, all at work
    auto const beside_least = of_all - least / by_cores;
    auto const beside_many = of_all * by_cores / (by_cores + times.gpu_instance);
    return std::max(static_cast<std::int64_t>(std::min(beside_least, beside_many)),
                    std::int64_t{0});
}

std::string only_on_cpu(Experiment const& experiment, Plan const& plan)
{
    if (experiment.model == Model::iterations) {
        auto const& sweep = plan.sweeps.front().name; // [run] is of all cells
        return why_not_on_gpu(*plan.make_cell(sweep, plan.grid(sweep).front()).paths);
    }
    for (auto const& policy : experiment.policies)
        if (runs_by_itself(policy.id)) return "policy " + policy.label + " runs by itself";
    for (auto const& id : experiment.baselines)
        if (auto const kind = baseline_named(id);
            kind && static_cast<int>(*kind) >= engine_baselines)
            return "denominator " + id + " is searched for or solved";
    if (experiment.draws_whole_instances()) return "workload.instances draws n and M as well";
    return {};
}

} // namespace crx

#include "host/sweep/backend.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/paths.hh"
#include "host/experiment/policy_list.hh"
#include "kernels/engines/cell.hh"

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

Launched on_cpu(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    try {
        return launch_host(cell, range, stop_condition);
    } catch (std::bad_alloc const&) {
        throw RunError(without_memory(cell));
    }
}

Backend cpu(std::string const& why)
{
    return {"cpu", "", "running on the CPU" + why, on_cpu, launch_paths_host, 0, 1};
}

Backend gpu(std::string const& device, Model model)
{
    // A thread a path: as many as a large GPU has threads, which their memory may not allow.
    std::int64_t const paths = 1 << 16;
    return {"cuda",
            device,
            "running on " + device,
            [](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                if (!gpu_refusal(cell).empty()) return on_cpu(cell, range, stop_condition);
                auto done = launch_device(cell, range, stop_condition);
                done.engines = engine_names(cell, Processor::gpu);
                return done;
            },
            launch_paths_gpu,
            1,
            model == Model::iterations ? paths : 1};
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
    if (wanted == "cpu") return cpu("");
    if (!cpu_only.empty() && wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + cpu_only + ", which only the CPU does");
    if (!cpu_only.empty()) return cpu(": " + cpu_only);
    auto const device = find_device();
    if (!device.name.empty()) return gpu(device.name, model);
    if (wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + device.reason);
    return cpu("; no CUDA: " + device.reason);
}

ChunkResult run_chunk(Launch const& launch, LaunchPaths const& launch_paths, Cell const* cell,
                      IterationSetting const* paths, InstanceRange range,
                      StopCondition const& stop_condition)
{
    if (paths != nullptr) {
        auto done = launch_paths(*paths, range, stop_condition);
        return {{}, std::move(done.sums), done.count};
    }
    auto done = launch(*cell, range, stop_condition);
    for (auto const& policy : done.tally)
        if (policy.sums.count + policy.sums.unfinished != done.count)
            throw std::runtime_error("a policy's instances were not all counted");
    return {std::move(done.tally), {}, done.count, std::move(done.engines)};
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

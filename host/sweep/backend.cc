#include "host/sweep/backend.hh"

#include "host/error.hh"
#include "kernels/backends/cell_engines.hh"

#include <fmt/core.h>
#include <new>

namespace crx {

namespace {

/// What a chunk of a cell needs, where there was not enough.
std::string without_memory(Cell const& cell)
{
    std::size_t bytes = 0;
    std::string_view largest = "requests";
    for (auto const& run : CellEngines(cell, Processor::cpu).runs)
        for (auto const* engine : run.chain)
            if (auto const needed = engine->bytes(run.spec, run.where); needed > bytes) {
                largest = engine->name;
                bytes = needed;
            }
    return fmt::format("there is not enough memory: engine {} alone takes {:.1f} MB a thread\n  "
                       "fewer --threads, fewer requests or shorter outputs take less",
                       largest, static_cast<double>(bytes) / 1e6);
}

} // namespace

Backend choose_backend(std::string const& wanted, std::string const& cpu_only)
{
    auto const cpu = [](std::string const& why) {
        return Backend{
            "cpu",
            "",
            "running on the CPU" + why,
            [](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                try {
                    return launch_host(cell, range, stop_condition);
                } catch (std::bad_alloc const&) {
                    throw RunError(without_memory(cell));
                }
            },
            0,
            {}};
    };
    if (wanted == "cpu") return cpu("");
    if (!cpu_only.empty() && wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + cpu_only + ", which only the CPU does");
    if (!cpu_only.empty()) return cpu(": " + cpu_only);
    auto const device = find_device();
    if (!device.name.empty())
        return {"cuda",
                device.name,
                "running on " + device.name,
                [](Cell const& cell, InstanceRange range, StopCondition const&) {
                    return Launched{launch_device(cell, range), range.count,
                                    engine_names(cell, Processor::card)};
                },
                1,
                {}};
    if (wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + device.reason);
    return cpu("; no CUDA: " + device.reason);
}

} // namespace crx

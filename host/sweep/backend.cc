#include "host/sweep/backend.hh"

#include "host/error.hh"
#include "kernels/backends/cell_engines.hh"

namespace crx {

Backend choose_backend(std::string const& wanted, std::string const& cpu_only)
{
    auto const cpu = [](std::string const& why) {
        return Backend{
            "cpu",
            "",
            "running on the CPU" + why,
            [](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                return launch_host(cell, range, stop_condition);
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

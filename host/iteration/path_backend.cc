#include "host/iteration/path_backend.hh"

#include "host/error.hh"
#include "kernels/backends/cuda/device_paths.hh"

#include <tbb/task_arena.h>

namespace crx {

PathBackend cpu_path_backend(std::string const& why)
{
    return {"cpu", "running on the CPU" + why, launch_paths,
            std::int64_t{8} * tbb::this_task_arena::max_concurrency()};
}

PathBackend choose_path_backend(std::string const& wanted, bool by_type)
{
    if (wanted == "cpu") return cpu_path_backend();
    if (by_type && wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu with run.by_type: tallies by type are made on the CPU");
    if (by_type) return cpu_path_backend(", where tallies by type are made");
    auto const device = find_device();
    // A thread a path: as many as a large card has threads, which their memory may not allow.
    constexpr std::int64_t device_paths = 1 << 16;
    if (!device.name.empty())
        return {"cuda", "running on " + device.name, launch_paths_device, device_paths};
    if (wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + device.reason);
    return cpu_path_backend("; no CUDA: " + device.reason);
}

} // namespace crx

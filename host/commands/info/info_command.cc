#include "host/build_info.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/info/engine_report.hh"
#include "host/commands/info/law_report.hh"
#include "host/mpi/launcher.hh"
#include "kernels/engines/cell.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace crx {
namespace {

#ifdef CRX_HAVE_CUDA
constexpr bool built_with_cuda = true;
#else
constexpr bool built_with_cuda = false;
#endif

void run_info_command(bool json)
{
    auto const device = find_device();
    auto const processors = std::thread::hardware_concurrency();
    if (json) {
        auto const& build = build_info();
        nlohmann::ordered_json const info{{"version", build.version},
                                          {"commit", build.commit},
                                          {"build_type", build.build_type},
                                          {"processors", processors},
                                          {"built_with_cuda", built_with_cuda},
                                          {"cuda_device", device.name},
                                          {"cuda_absent_because", device.reason},
                                          {"mpi_absent_because", why_without_mpi()}};
        fmt::print("{}\n", info.dump(1));
        return;
    }
    fmt::print("{}\n", build_text());
    fmt::print("processors: {}\n", processors);
    if (device.name.empty())
        fmt::print("CUDA: none ({}); sweeps run on the CPU\n", device.reason);
    else
        fmt::print("CUDA: {}\n", device.name);
    auto const without_mpi = why_without_mpi();
    fmt::print("MPI: {}\n", without_mpi.empty() ? "sweeps run under mpirun and srun too"
                                                : "none (" + without_mpi + ")");
}

} // namespace

void add_info_command(CLI::App& app)
{
    Command const command(app, "info", "Version, build, processors and accelerators");
    command->footer("Example: crx info --json\n"
                    "         crx info --laws --trace lengths.csv\n"
                    "         crx info --engines experiments/chen/chen_two_point_alpha.toml");
    auto const json = std::make_shared<bool>(false);
    auto const laws = std::make_shared<bool>(false);
    auto const trace = std::make_shared<std::string>();
    command->add_flag("--json", *json, "One JSON object");
    auto const wants_laws =
        command->add_flag("--laws", *laws, "The lmsys-like laws, how they fit what is published");
    command->add_option("--trace", *trace, "Beside them the lengths of a trace (CSV)")
        ->needs(wants_laws);
    struct EngineOptions
    {
        bool wanted = false;
        std::string experiment;
        std::vector<std::string> overrides;
    };
    auto const engines = std::make_shared<EngineOptions>();
    auto const wants_engines = command->add_flag(
        "--engines", engines->wanted, "The engines, or which of them run an experiment and why");
    auto const experiment =
        command->add_option("EXPERIMENT", engines->experiment, "Experiment file, for --engines");
    experiment->needs(wants_engines);
    command->add_option("--set", engines->overrides, "KEY=VALUE in place of the file's")
        ->allow_extra_args(false)
        ->needs(experiment);
    wants_engines->excludes("--laws");
    command->callback([json, laws, trace, engines] {
        if (engines->wanted && engines->experiment.empty())
            report_engines(*json);
        else if (engines->wanted)
            report_engines(Experiment::read(engines->experiment, engines->overrides), *json);
        else if (*laws)
            report_laws(trace->empty() ? std::nullopt
                                       : std::optional<std::filesystem::path>(*trace),
                        *json);
        else
            run_info_command(*json);
    });
}

} // namespace crx

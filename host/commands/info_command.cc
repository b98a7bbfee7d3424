#include "host/commands/commands.hh"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <thread>

namespace crx {

void add_info_command(CLI::App& app)
{
    auto* command = app.add_subcommand("info", "Version, build, processors and accelerators");
    command->footer("Example: crx info");
    command->callback([] {
        fmt::print("crx {} ({}, {})\n", CRX_VERSION, CRX_COMMIT, CRX_BUILD_TYPE);
        fmt::print("processors: {}\n", std::thread::hardware_concurrency());
    });
}

} // namespace crx

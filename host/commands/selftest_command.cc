#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/selftest/selftest.hh"
#include "host/sweep/backend.hh"

#include <fmt/core.h>

namespace crx {
namespace {

void run_selftest_command(std::string const& wanted, int device)
{
    if (device >= 0) choose_device_for(wanted, device);
    auto const backend = choose_backend(wanted);
    fmt::print("{}\n", backend.text);
    SelftestResult total;
    auto const report = [&](char const* what, SelftestResult const& result) {
        fmt::print("{:<58} {} passed, {} failed\n", what, result.passed, result.failed);
        for (auto const& failure : result.failures) fmt::print("  {}\n", failure);
        total.passed += result.passed;
        total.failed += result.failed;
    };
    report("engines against the oracle's recorded answers:", selftest_recorded());
    report("CPU, whole and in pieces:", selftest_cpu());
    report("paths of the iteration model, whole and in slices:", selftest_paths_cpu());
    report("search over orders, checked and run by run:", selftest_search_cpu());
    if (backend.name == "cuda") {
        report("CUDA against CPU:", selftest_cuda());
        report("CUDA against CPU, paths of the iteration model:", selftest_paths_cuda());
        report("CUDA against CPU, search over orders:", selftest_search_cuda());
    }
    fmt::print("selftest: {} passed, {} failed\n", total.passed, total.failed);
    if (total.failed > 0) throw RunError("the self-test failed");
}

} // namespace

void add_selftest_command(CLI::App& app)
{
    Command const command(app, "selftest", "Prove on the spot that engines and processors agree");
    command->footer("Example: crx selftest --backend cuda");
    auto const backend = std::make_shared<std::string>("auto");
    command->add_option("--backend", *backend, "auto: CUDA where there is a device")
        ->one_of({"auto", "cuda", "cpu"})
        ->capture_default_str();
    auto const device = std::make_shared<int>(-1);
    command->add_option("--device", *device, "Number of the CUDA device; else 0")
        ->check(whole_number(0, 4096));
    command->callback([backend, device] { run_selftest_command(*backend, *device); });
}

} // namespace crx

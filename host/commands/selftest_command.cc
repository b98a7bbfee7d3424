#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/selftest/selftest.hh"
#include "host/sweep/backend.hh"
#include "kernels/cuda/device_checks.cuh"

#include <fmt/core.h>

namespace crx {
namespace {

struct SelftestOptions
{
    std::string backend = "auto";
    int device = -1;
    std::int64_t instances = DeviceCounts{}.awkward, larger = 0, draws = 100'000;
    bool break_contract = false;
};

void run_selftest_command(SelftestOptions const& options)
{
    if (options.device >= 0) choose_device_for(options.backend, options.device);
    auto const backend = choose_backend(options.backend);
    fmt::print("{}\n", backend.device.empty() ? backend.text : "running on " + backend.device);
    if (options.break_contract) {
        break_contract_on_device();
        throw RunError("a broken contract on the device went unnoticed");
    }
    SelftestResult total;
    auto const report = [&](char const* what, SelftestResult const& result) {
        fmt::print("{:<58} {} passed, {} failed\n", what, result.passed, result.failed);
        for (auto const& failure : result.failures) fmt::print("  {}\n", failure);
        total.passed += result.passed;
        total.failed += result.failed;
    };
    report("CPU, whole and in pieces:", selftest_cpu());
    report("paths of the iteration model, whole and in slices:", selftest_paths_cpu());
    if (backend.name == "cuda") {
        DeviceCounts counts;
        if (options.instances < counts.awkward) counts = {options.instances, options.larger, 0};
        report("CUDA against CPU:", selftest_cuda(counts));
        report("CUDA against CPU, paths of the iteration model:", selftest_paths_cuda());
        report("CUDA against CPU, hypergeometric draws and their words:",
               selftest_draws_cuda(options.draws));
    }
    fmt::print("selftest: {} passed, {} failed\n", total.passed, total.failed);
    if (total.failed > 0) throw RunError("the self-test failed");
}

} // namespace

void add_selftest_command(CLI::App& app)
{
    Command const command(app, "selftest", "Prove on the spot that engines and processors agree");
    command->footer("Example: crx selftest --backend cuda");
    auto const options = std::make_shared<SelftestOptions>();
    command->add_option("--backend", options->backend, "auto: CUDA where there is a device")
        ->one_of({"auto", "cuda", "cpu"})
        ->capture_default_str();
    command->add_option("--device", options->device, "Number of the CUDA device; else 0")
        ->check(whole_number(0, 4096));
    command
        ->add_option("--instances", options->instances,
                     "Instances of each case on the device; fewer than these leave out the largest "
                     "cases")
        ->check(whole_number<std::int64_t>(1, DeviceCounts{}.awkward))
        ->capture_default_str();
    command
        ->add_option("--larger", options->larger,
                     "With fewer --instances: so many of the largest cases, too")
        ->check(whole_number<std::int64_t>(0, DeviceCounts{}.larger));
    command
        ->add_option("--draws", options->draws,
                     "Hypergeometric draws that are compared on a device")
        ->check(whole_number<std::int64_t>(0, 1'000'000'000))
        ->capture_default_str();
    command->add_flag("--break-contract", options->break_contract,
                      "Only end a kernel by a broken contract, to see what a device says of it");
    command->callback([options] { run_selftest_command(*options); });
}

} // namespace crx

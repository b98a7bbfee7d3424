// crx_bench [--traces=CONVERSATIONS.csv,SUMMARIES.csv] [--quick] and Google Benchmark's options,
// --benchmark_filter=REGEX first of all. --quick: GPU rows in the smallest sizes.
#include "bench/speed/cases.hh"
#include "bench/speed/round_loop.hh"
#include "kernels/engines/cell.hh"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <string_view>

int main(int argc, char** argv)
{
    crx::bench::Settings settings;
    benchmark::Initialize(&argc, argv);
    for (int k = 1; k < argc; ++k) {
        constexpr std::string_view traces = "--traces=";
        std::string_view const argument = argv[k];
        auto const comma = argument.find(',');
        if (argument.starts_with(traces) && comma != argument.npos) {
            settings.traces = {argument.substr(traces.size(), comma - traces.size()),
                               argument.substr(comma + 1)};
        } else if (argument == "--quick") {
            settings.quick = true;
        } else {
            std::fprintf(stderr, "crx_bench: %s is not accepted; see bench/speed/main.cc\n",
                         argv[k]);
            return 2;
        }
    }
    try {
        crx::bench::add_round_rows(settings);
        crx::bench::add_iteration_rows();
        crx::bench::add_search_rows();
        crx::bench::add_gpu_rows(settings);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "crx_bench: %s\n", error.what());
        return 2;
    }
    benchmark::AddCustomContext("C++ loop compiled for", round_loop::instruction_set());
    if (auto const device = crx::find_device(); device.name.empty())
        benchmark::AddCustomContext("GPU", "none: " + device.reason);
    else
        benchmark::AddCustomContext("GPU", device.name);
    benchmark::RunSpecifiedBenchmarks();
}

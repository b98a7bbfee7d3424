#include "host/selftest/path_cases.hh"
#include "host/selftest/selftest.hh"
#include "kernels/cuda/device_paths.hh"
#include "kernels/engines/iterations/path_batches.hh"

#include <functional>

namespace crx {
namespace {

using Paths = std::vector<std::vector<IterationTally>>;

SelftestResult against_whole_paths(std::string const& how, std::int64_t first, std::int64_t count,
                                   std::function<Paths(IterationCell const&)> const& run)
{
    SelftestResult result;
    for (auto const& test : path_cases())
        result.count(run(test.cell) == launch_paths(test.cell, first, count),
                     how + ": " + test.name + ": paths differ");
    return result;
}

} // namespace

SelftestResult selftest_paths_cpu()
{
    constexpr std::int64_t first = 3, count = 11, slots = 4;
    auto result = SelftestResult{};
    for (double const launch_seconds : {0.0, 1e9}) { // ever shorter launches, ever longer ones
        auto const run = [&](IterationCell const& cell) {
            return run_in_slots(*host_path_slots(cell, slots), cell, first, count, {},
                                launch_seconds);
        };
        result.add(against_whole_paths("cpu, in slices", first, count, run));
    }
    return result;
}

SelftestResult selftest_paths_cuda()
{
    constexpr std::int64_t first = 5, count = 97; // no multiple of a warp
    return against_whole_paths("cuda", first, count, [](IterationCell const& cell) {
        return launch_paths_device(cell, first, count);
    });
}

} // namespace crx

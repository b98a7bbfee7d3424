#include "host/selftest/selftest.hh"

#include "host/experiment/policy_parameters.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/cuda/device_checks.cuh"
#include "kernels/cuda/device_paths.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/iterations/path_batches.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace crx {
namespace {

struct NamedCell
{
    std::string name;
    Cell cell;
    bool fits_warps = false; ///< every instance fits the lanes of a warp, under every policy
};

/// Whether instances may be run side by side under the policy.
bool in_lanes(PolicyKind kind)
{
    auto const form = policy_info(kind).cohort_form;
    return form == CohortForm::shortest_first || form == CohortForm::hidden_lengths;
}

bool cohorts_take(PolicySpec const& spec, Cell const& cell)
{
    auto const where = engine_case(cell, nullptr);
    return portable_engine(Processor::cpu, RandomLaw::cohort, spec, where)
        .refusal(spec, where)
        .empty();
}

/// The case by cohorts under all policies that can be, or those of them that run side by side.
void add_by_cohorts(SelftestCase const& test, bool only_in_lanes, std::vector<NamedCell>& all)
{
    Cell cell{test.workload, {}, {true, true}};
    for (auto const& spec : selftest_policies(test))
        if ((in_lanes(spec.kind) || !only_in_lanes) && cohorts_take(spec, cell))
            cell.policies.push_back(spec);
    cell.laws.assign(cell.policies.size(), RandomLaw::cohort);
    if (!cell.policies.empty()) all.push_back({test.name + ", by cohorts", cell});
}

NamedCell by_requests(SelftestCase const& test)
{
    return {test.name, {test.workload, selftest_policies(test), {true, true}}, test.fits_warps};
}

/// What every way of running instances is compared on.
std::vector<NamedCell> all_cells()
{
    std::vector<NamedCell> all;
    for (auto const& test : selftest_cases()) {
        all.push_back(by_requests(test));
        add_by_cohorts(test, false, all);
    }
    for (auto const& test : selftest_cohort_cases()) add_by_cohorts(test, true, all);
    return all;
}
/// Besides, the engines of a GPU.
std::vector<NamedCell> device_cells()
{
    std::vector<NamedCell> all;
    for (auto const& test : selftest_device_cases()) all.push_back(by_requests(test));
    return all;
}

using Run = std::function<Tally(Cell const&, InstanceRange)>;

/// Compares a way of running the first instances of a cell with what launch_host says of them.
SelftestResult against(Tally const& expected, std::string const& how, NamedCell const& test,
                       std::int64_t count, Run const& run)
{
    SelftestResult result;
    Tally got;
    try {
        got = run(test.cell, {0, count});
    } catch (std::exception const& error) {
        result.count(false, fmt::format("{}: {}: {}", how, test.name, error.what()));
        return result;
    }
    for (std::size_t k = 0; k < expected.size(); ++k)
        result.count(got[k] == expected[k],
                     fmt::format("{}: {}, {}: tallies differ", how, test.name,
                                 policy_info(test.cell.policies[k].kind).id));
    return result;
}

Tally on_host(Cell const& cell, InstanceRange range) { return launch_host(cell, range); }
Tally on_device(Cell const& cell, InstanceRange range) { return launch_device(cell, range); }

/// Some instances after the other, in chunks of these sizes in turn.
Run in_chunks(Run const& run, std::vector<std::int64_t> const& sizes)
{
    return [=](Cell const& cell, InstanceRange range) {
        Tally total(cell.policies.size());
        std::size_t turn = 0;
        for (std::int64_t done = 0; done < range.count; ++turn) {
            auto const count = std::min(sizes[turn % sizes.size()], range.count - done);
            auto const part = run(cell, {range.first + done, count});
            for (std::size_t k = 0; k < total.size(); ++k) total[k].add(part[k]);
            done += count;
        }
        return total;
    };
}

/// The same of every cell.
SelftestResult against_host(std::string const& how, std::int64_t count, Run const& run)
{
    SelftestResult result;
    for (auto const& test : all_cells())
        result.add(against(launch_host(test.cell, {0, count}), how, test, count, run));
    return result;
}

/// What a GPU may be asked to run a cell with: the portable engines, also in slices of so few
/// events that all instances have several, each other alone, then all compared with each other
/// instance by instance. Where instances fit the lanes of a warp, engines
/// by warps must take them all.
std::vector<GpuChoice> gpu_choices(NamedCell const& test)
{
    std::vector<GpuChoice> choices{{"portable"}, {"", true}};
    choices.push_back({"portable", false, true, 7});
    CellEngines const engines(test.cell, Processor::gpu);
    for (auto const& run : engines.runs)
        for (auto const* const engine : run.chain) {
            std::string const name(engine->name);
            if (engine->portable ||
                std::ranges::find(choices, name, &GpuChoice::engine) != choices.end())
                continue;
            choices.push_back({name});
            if (test.fits_warps && name.ends_with("-warp")) choices.push_back({name, false, false});
        }
    return choices;
}

/// Every engine of a GPU on every cell.
SelftestResult every_engine(std::vector<NamedCell> const& cells, std::int64_t count)
{
    SelftestResult result;
    for (auto const& test : cells) {
        auto const expected = launch_host(test.cell, {0, count});
        for (auto const& choice : gpu_choices(test))
            result.add(
                against(expected,
                        fmt::format("cuda, {}{}{}", choice.compare ? "every engine" : choice.engine,
                                    choice.repair ? "" : " alone",
                                    choice.slice_events > 0 ? " in slices" : ""),
                        test, count, [&](Cell cell, InstanceRange range) {
                            cell.gpu_choice = choice;
                            return launch_device(cell, range);
                        }));
    }
    return result;
}

/// All cells in one launch, as a sweep of many runs them.
SelftestResult in_one_list(std::vector<NamedCell> const& cells, std::int64_t count)
{
    SelftestResult result;
    std::vector<LaunchPart> parts;
    for (auto const& test : cells) parts.push_back({&test.cell, {0, count}});
    auto const done = launch_device(parts, {});
    for (std::size_t k = 0; k < cells.size(); ++k)
        result.add(against(launch_host(cells[k].cell, {0, count}), "cuda, one list of all cells",
                           cells[k], count, [&](Cell const&, InstanceRange) {
                               if (done.error) std::rethrow_exception(done.error);
                               return done.parts[k].tally;
                           }));
    return result;
}

} // namespace

void SelftestResult::count(bool ok, std::string const& what)
{
    ++(ok ? passed : failed);
    if (!ok && failures.size() < 20) failures.push_back(what);
}

void SelftestResult::add(SelftestResult const& other)
{
    passed += other.passed;
    failed += other.failed;
    for (auto const& failure : other.failures)
        if (failures.size() < 20) failures.push_back(failure);
}

SelftestResult selftest_cpu()
{
    return against_host("cpu", DeviceCounts{}.awkward, in_chunks(on_host, {1, 7, 64}));
}

SelftestResult selftest_cuda(DeviceCounts const& counts)
{
    if (auto const device = find_device(); device.name.empty())
        throw std::runtime_error("no CUDA device: " + device.reason);
    auto result = in_one_list(all_cells(), counts.awkward);
    result.add(against_host("cuda", counts.awkward, on_device));
    // As a sweep asks: at first by chunks too small to measure which engine is the fastest, ...
    for (auto const& test : device_cells())
        if (counts.growing > 0 && test.fits_warps && test.cell.workload.requests < 200)
            result.add(against(launch_host(test.cell, {0, counts.growing}), "cuda, growing chunks",
                               test, counts.growing, in_chunks(on_device, {1, 16, 256, 4096})));
    // ... and each engine for itself.
    result.add(every_engine(all_cells(), counts.awkward));
    if (counts.larger > 0) result.add(every_engine(device_cells(), counts.larger));
    return result;
}

// --- paths of the iteration model ----------------------------------------------------------------

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

// --- draws
// ----------------------------------------------------------------------------

SelftestResult selftest_draws_cuda(std::int64_t count)
{
    constexpr std::uint64_t seed = 20260801;
    constexpr std::int64_t at_once = 1 << 20;
    SelftestResult result;
    for (std::int64_t first = 0; first < count; first += at_once) {
        auto const part = std::min(at_once, count - first);
        std::vector<CheckedDraw> device;
        try {
            device = checked_draws_device(seed, first, part);
        } catch (std::exception const& error) {
            result.count(false, std::string("draws: ") + error.what());
            return result;
        }
        auto const host = checked_draws_host(seed, first, part);
        for (std::int64_t k = 0; k < part; ++k) {
            auto const same =
                host[static_cast<std::size_t>(k)] == device[static_cast<std::size_t>(k)];
            result.count(
                same, same ? "" : fmt::format("draw {}: another number or other words", first + k));
        }
    }
    return result;
}

} // namespace crx

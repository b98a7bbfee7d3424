/// How long `crx merge` takes: makes shards of a sweep of tiny instances, an instance of every cell
/// in each, merges them and compares the export with that of an undivided run.
///
///     merge_speed [SHARDS [CELLS]]       else 1000 and 100

#include "host/results/export_table.hh"
#include "host/shards/due_work.hh"
#include "host/shards/merge.hh"
#include "host/shards/share.hh"
#include "host/sweep/runner.hh"
#include "kernels/base/seconds_since.hh"

#include <chrono>
#include <fmt/core.h>

namespace {

using namespace crx;
using Steady = std::chrono::steady_clock;

std::string experiment_text(std::int64_t shards, int cells)
{
    std::string axis;
    for (int k = 1; k <= cells; ++k) axis += (k > 1 ? ", " : "") + std::to_string(40 + k);
    return fmt::format("[experiment]\nname = 'x'\nseed = 1\n[stop]\ninstances = {}\n"
                       "[workload]\nrequests = 6\nmemory = 'm'\nprompt = 1\n"
                       "[workload.output]\nlaw = 'uniform'\nlower = 1\nupper = 9\n"
                       "[workload.interval]\nrule = 'support'\n[[policy]]\nid = 'a-max'\n"
                       "[[policy]]\nid = 'a-min'\n[baselines]\nuse = ['h-sf', 'volume']\n"
                       "[[sweep]]\nname = 's'\naxes = {{ m = [{}] }}\n",
                       shards, axis);
}

std::string export_of(std::filesystem::path const& store)
{
    return to_csv(make_export(read_store(store)));
}

} // namespace

int main(int argc, char** argv)
{
    auto const shards = argc > 1 ? std::atoll(argv[1]) : 1000;
    auto const cells = argc > 2 ? std::atoi(argv[2]) : 100;
    auto pattern = (std::filesystem::temp_directory_path() / "crx-merge-XXXXXX").string();
    std::filesystem::path const folder = ::mkdtemp(pattern.data());
    auto const experiment = Experiment::parse(experiment_text(shards, cells), "x", folder);
    auto const plan = plan_of(experiment);
    auto const grid = grid_cells(plan);
    auto const due = due_work(plan, grid, std::nullopt);
    RunInfo const run{"1", "bench", "Release", "cpu", ""};
    SweepSettings settings;
    settings.threads = 1;
    settings.launch = [](Cell const& cell, InstanceRange range, StopCondition const& stop) {
        return launch_host(cell, range, stop);
    };
    Progress progress(stderr, ProgressStyle::none);
    std::vector<std::filesystem::path> stores;
    std::vector<std::int64_t> const costs(due.size(), 10'000); // a piece is an instance
    auto const begin = Steady::now();
    for (std::int64_t shard = 1; shard <= shards; ++shard) {
        ShardNumber const number{shard, shards};
        auto const work = share_of(due, costs, number);
        auto header = header_of(experiment, folder, {});
        header.shard = to_text(record_of(due, work, number));
        stores.push_back(folder / fmt::format("{}.db", shard));
        RunStore store(stores.back(), header, run);
        run_share(plan, work, store, settings, progress);
    }
    fmt::print("made {} shards of {} cells in {:.1f} s\n", shards, cells, seconds_since(begin));
    auto const merging = Steady::now();
    auto const merged = merge_stores(stores, folder / "all.db");
    fmt::print("merged {} chunks in {:.1f} s\n", merged.chunks, seconds_since(merging));
    {
        RunStore store(folder / "one.db", header_of(experiment, folder, {}), run);
        run_sweep(plan, grid, store, settings, progress);
    }
    bool const same = export_of(folder / "all.db") == export_of(folder / "one.db");
    fmt::print("the export is {}\n", same ? "that of an undivided run" : "ANOTHER");
    std::filesystem::remove_all(folder);
    return same ? 0 : 1;
}

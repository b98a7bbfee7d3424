#include "host/sweep/open_sweep.hh"

#include "host/build_info.hh"
#include "host/results/missing_baseline.hh"
#include "host/say.hh"
#include "host/store/extension/extend_store.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/rank_stores.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"

#include <fmt/core.h>

namespace crx {

RunInfo run_info_of(Backend const& backend, int threads, int ranks)
{
    auto const& build = build_info();
    auto const device = backend.device.empty() ? processor_text(threads) : backend.device;
    return {build.version, build.commit, build.build_type, backend.name,
            ranks == 1 ? device : fmt::format("{}; {} ranks", device, ranks)};
}

SweepSettings settings_of(Backend const& backend, int threads)
{
    SweepSettings settings;
    settings.launch = backend.launch;
    settings.launch_paths = backend.launch_paths;
    settings.least_chunk = backend.least_chunk;
    settings.threads = threads;
    settings.chunks_at_once = backend.chunks_at_once;
    return settings;
}

OpenSweep open_sweep(Experiment const& experiment, Plan const& plan,
                     std::vector<PlannedCell> const& cells, StoreHeader const& header,
                     Backend const& backend, OpenSettings const& open)
{
    int const threads = threads_to_use(open.threads);
    auto const added_parts =
        open.extend ? extend_store(open.store, header, plan.make_cell) : std::string();
    OpenSweep sweep;
    sweep.store = std::make_unique<RunStore>(
        open.store, header, run_info_of(backend, threads, open.ranks), open.on_damage);
    if (auto const& kept = sweep.store->damaged_file(); !kept.empty())
        say(open.store + ": what is damaged in it is run again; the damaged file is kept as " +
            kept.string());
    if (!added_parts.empty()) say(open.store + " is extended by " + added_parts);
    if (header.shard.empty())
        if (int const taken = take_in_ranks(*sweep.store, header.identity, open.ranks == 1);
            taken > 0)
            say(fmt::format("{}: took in what {} of a run before had done", open.store,
                            counted(taken, "rank")));
    for (auto const& program : sweep.store->other_programs())
        say(open.store + " also holds chunks made by crx " + program);
    write_message(stderr, left_out_text(cells));
    for (auto const& warning : warnings_of_baselines(experiment, cells)) say(warning);
    sweep.settings = settings_of(backend, threads);
    return sweep;
}

} // namespace crx

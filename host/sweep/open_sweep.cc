#include "host/sweep/open_sweep.hh"

#include "host/build_info.hh"
#include "host/results/what_is_missing.hh"
#include "host/say.hh"
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
    settings.executors = backend.executors;
    settings.threads = threads;
    return settings;
}

OpenSweep open_sweep(Experiment const& experiment, std::vector<PlannedCell> const& cells,
                     StoreHeader const& header, Backend const& backend, OpenSettings const& open)
{
    int const threads = threads_to_use(open.threads);
    OpenSweep sweep;
    sweep.store =
        std::make_unique<RunStore>(open.store, header, run_info_of(backend, threads, open.ranks));
    for (auto const& note : sweep.store->notes()) say(note);
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

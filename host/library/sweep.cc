#include "host/build_info.hh"
#include "host/experiment/reading/experiment_file.hh"
#include "host/library/library.hh"
#include "host/say.hh"
#include "host/store/extension/extend_store.hh"
#include "host/store/missing_baseline.hh"
#include "host/sweep/backend/backend.hh"
#include "host/sweep/backend/only_on_cpu.hh"
#include "host/sweep/backend/processor_text.hh"
#include "host/sweep/backend/threads.hh"
#include "host/sweep/estimate.hh"
#include "host/sweep/runner.hh"

#include <fmt/core.h>

namespace crx::library {

namespace {

ProgressStyle style_of(ProgressShown shown)
{
    if (shown == ProgressShown::none) return ProgressStyle::none;
    return shown == ProgressShown::live ? ProgressStyle::live : ProgressStyle::lines;
}

} // namespace

void send_messages(std::function<void(std::string const&)> sink)
{
    set_error_sink(std::move(sink));
}

std::string version() { return build_text(); }

std::string read_experiment(std::filesystem::path const& file)
{
    return read_experiment_file(file);
}

SweepDone sweep(SweepRequest const& request, StopAsked const& stop_asked)
{
    auto const experiment = with_own_orders(
        Experiment::parse(request.text, request.name, request.folder, request.overrides),
        request.own);
    auto const plan = plan_of(experiment);
    auto const cells = grid_cells(plan);
    if (request.device >= 0) choose_device_for(request.backend, request.device);
    auto const backend =
        choose_backend(request.backend, only_on_cpu(experiment, plan), experiment.model);
    int const threads = threads_to_use(request.threads);
    auto const file = request.store.empty() ? experiment.name + ".db" : request.store;
    auto const& build = build_info();
    auto const header =
        header_of(experiment, std::filesystem::absolute(request.folder), request.overrides);
    if (request.extend) extend_store(file, header, plan.make_cell);
    RunStore store(file, header,
                   {build.version, build.commit, build.build_type, backend.name,
                    backend.device.empty() ? processor_text(threads) : backend.device},
                   request.redo_damaged ? OnDamage::redo : OnDamage::refuse);
    if (auto const& kept = store.damaged_file(); !kept.empty())
        say(file + ": what is damaged in it is run again; the damaged file is kept as " +
            kept.string());
    for (auto const& program : store.other_programs())
        say(file + " also holds chunks made by crx " + program);
    write_message(stderr, left_out_text(cells));
    for (auto const& warning : warnings_of_baselines(experiment, cells)) say(warning);

    SweepSettings settings;
    settings.launch = backend.launch;
    settings.launch_paths = backend.launch_paths;
    settings.least_chunk = backend.least_chunk;
    settings.threads = threads;
    settings.chunks_at_once = backend.chunks_at_once;
    settings.stop_asked = stop_asked;
    Progress progress(stderr, style_of(request.progress));
    auto const done = run_sweep(plan, cells, store, settings, progress);
    return {file, done.cells, done.instances, done.instances - done.instances_before, done.seconds};
}

ExportTable read_table(std::filesystem::path const& store)
{
    return make_export(read_store(store));
}

} // namespace crx::library

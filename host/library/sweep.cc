#include "host/build_info.hh"
#include "host/experiment/experiment_text.hh"
#include "host/library/library.hh"
#include "host/say.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/open_sweep.hh"

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
    auto const file = request.store.empty() ? experiment.name + ".db" : request.store;
    auto const header =
        header_of(experiment, std::filesystem::absolute(request.folder), request.overrides);
    auto sweep =
        open_sweep(experiment, plan, cells, header, backend,
                   {.store = file,
                    .threads = request.threads,
                    .extend = request.extend,
                    .on_damage = request.redo_damaged ? OnDamage::redo : OnDamage::refuse});
    sweep.settings.stop_asked = stop_asked;
    Progress progress(stderr, style_of(request.progress));
    auto const done = run_sweep(plan, cells, *sweep.store, sweep.settings, progress);
    return {file, done.cells, done.instances, done.instances - done.instances_before, done.seconds};
}

ExportTable read_table(std::filesystem::path const& store)
{
    return make_export(read_store(store));
}

} // namespace crx::library

#include "analysis/statistics/baseline_name.hh"
#include "host/build_info.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/results/capacity.hh"
#include "host/results/panel_series.hh"
#include "host/results/path_points.hh"
#include "host/results/rank_text.hh"
#include "host/results/stored_panels.hh"
#include "host/results/what_is_missing.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/estimate.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/open_sweep.hh"
#include "host/sweep/rank_stores.hh"
#include "host/sweep/rank_sweep.hh"
#include "host/sweep/shard_work.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/counted.hh"
#include "kernels/cuda/gpu_times.hh"

#include <chrono>
#include <fmt/core.h>
#include <tbb/task_arena.h>
#include <thread>

namespace crx {

namespace {

/// Shares of the time of launches, "engines 81 %, copies 3 %", and the share of instances that an
/// engine lost, where it ran some.
std::string gpu_times_text(GpuTimes const& times)
{
    auto const all = times.all();
    std::string text;
    for (int k = 0; k < gpu_tasks; ++k)
        if (times.seconds[k] > 0)
            text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ",
                                name_of(static_cast<GpuTask>(k)), 100 * times.seconds[k] / all);
    if (times.run > 0)
        text += fmt::format("; mc-sf-batch lost {:.3g} %",
                            100 * static_cast<double>(times.lost) / static_cast<double>(times.run));
    return text;
}

struct SweepOptions
{
    std::string experiment, store, backend = "auto", shard, base;
    int threads = 0, device = -1, rank_timeout = 120;
    std::vector<std::string> overrides;
    bool plan = false, gpu_times = false;
};

/// Whether crx plot can draw a panel of the store.
bool has_picture(std::string const& store_file)
try {
    auto const contents = with_horizons(read_store(store_file));
    auto const experiment = read_stored_panels(contents, store_file);
    return std::ranges::any_of(
        panel_sources(contents, experiment, store_file),
        [](PanelSource const& source) { return !panel_series(source).empty(); });
} catch (InputError const&) {
    return false;
}

/// Commands that show the store: a picture where a panel can be drawn, else why there is none, and
/// the table where the experiment has no panels.
std::string what_next(std::string const& store_file, bool without_panels)
{
    auto const stem = std::filesystem::path(store_file).stem().string();
    auto const line = [&](char const* command, char const* ending) {
        return fmt::format("crx {} {} -o {}", command, shell_word(store_file),
                           shell_word(stem + ending));
    };
    auto const second = without_panels            ? line("export", ".csv")
                        : has_picture(store_file) ? line("plot", ".svg")
                                                  : "crx panels " + shell_word(store_file);
    return line("report", ".html") + "\n      " + second;
}

/// The table of results; empty where nothing can be divided by the first baseline. The sweep is
/// done and kept, so a failure here is only said.
std::string results_text(std::string const& store_file, double confidence)
try {
    constexpr std::size_t most_lines = 40; // a screen
    auto const contents = read_store(store_file, ReadMeasures::no);
    std::string capacity;
    if (auto const plan = stored_capacity(contents.header, store_file)) {
        auto const measured = read_store(store_file);
        capacity =
            capacity_text(measured, capacity_tables(measured, *plan, confidence), confidence);
    }
    if (contents.header.baselines.empty()) return capacity;
    auto const baseline = baseline_named(contents.header.baselines.front());
    if (!baseline) return capacity;
    return rank_text(contents, rank_tables(contents, {{}, *baseline}, confidence), confidence,
                     store_file, most_lines) +
           capacity;
} catch (std::exception const& error) {
    say(std::string("no table of results: ") + reason_of(error));
    return {};
}

std::string store_name(SweepOptions const& options, Experiment const& experiment)
{
    if (!options.store.empty()) return options.store;
    if (options.shard.empty()) return experiment.name + ".db";
    auto const number = parse_shard_number(options.shard);
    return fmt::format("{}-shard-{}-of-{}.db", experiment.name, number.shard, number.of);
}

/// The stores of all shards, as a shell names them.
std::string all_shards(SweepOptions const& options, Experiment const& experiment)
{
    if (!options.store.empty()) return shell_word(options.store) + " OTHERS";
    return fmt::format("{}-shard-*-of-{}.db", experiment.name,
                       parse_shard_number(options.shard).of);
}

void print_made(std::string const& store_file, SweepSummary const& done)
{
    auto const added = done.instances - done.instances_before;
    auto const rate = added == 0 ? std::string()
                                 : fmt::format(" ({:.4g} instances/s)",
                                               static_cast<double>(added) / done.seconds);
    write_stdout(fmt::format("made {}: {}, {}, {} of them in this run, in {}{}\n", store_file,
                             counted(done.cells, "cell"), counted(done.instances, "instance"),
                             added, duration_text(done.seconds), rate));
}

/// Says where the half-width was not reached.
void say_imprecise(StopRule const& stop, SweepSummary const& done)
{
    if (done.imprecise == 0) return;
    say(fmt::format("{} of {} reached stop.instances = {} before stop.half_width = {}",
                    done.imprecise, counted(done.cells, "cell"), stop.instances, *stop.half_width));
}

Backend backend_of(SweepOptions const& options, RankPlace const& place,
                   Experiment const& experiment, Plan const& plan)
{
    if (place.size > 1 && options.device >= 0)
        throw ConfigError("command line", "--device", std::to_string(options.device),
                          "left out under mpirun or srun, where each rank takes one device of its "
                          "machine");
    if (place.size > 1 && options.backend != "cpu") choose_device_of_place(place.local_rank);
    if (options.device >= 0) choose_device_for(options.backend, options.device);
    auto backend = choose_backend(options.backend, only_on_cpu(experiment, plan), experiment.model);
    if (options.gpu_times && backend.name != "cuda")
        throw InputError("--gpu-times needs a CUDA device; this would be " + backend.text);
    if (options.gpu_times) { // of a GPU that does all, call by call
        backend.executors.resize(1);
        backend.executors.front().at_once = 1;
        backend.executors.front().takes = nullptr;
    }
    return backend;
}

/// What there is to do, and about what it costs; nothing is run for good.
void print_plan(SweepOptions const& options, Experiment const& experiment, Plan const& plan,
                std::vector<PlannedCell> const& cells, StoreHeader const& header)
{
    auto const store = options.base.empty() ? store_name(options, experiment) : options.base;
    std::error_code ignored;
    if (!options.base.empty() || std::filesystem::exists(store, ignored)) {
        auto const missing = missing_work(plan, cells, header, store);
        if (missing.cells == 0) return write_stdout("nothing is missing in " + store + "\n");
        write_stdout(fmt::format("missing in {}: {} in {}, and what follows from their sums\n",
                                 store, counted(missing.instances, "instance"),
                                 counted(missing.cells, "cell")));
        if (!options.base.empty()) return;
    }
    for (auto const& warning : warnings_of_baselines(experiment, cells)) say(warning);
    int const threads =
        options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
    auto const backend = backend_of(options, {}, experiment, plan);
    InterruptGuard const guard;
    write_stdout(plan_text(experiment, cells, threads, backend, InterruptGuard::asked));
    if (InterruptGuard::asked())
        throw Stopped(InterruptGuard::stopped() + ": the plan is of what was measured by then");
}

/// `place`: of this process among the ranks of the run; one of one where it runs a shard.
void run_sweep_here(SweepOptions const& options, RankPlace const& place)
{
    std::filesystem::path const file = options.experiment;
    auto const experiment = Experiment::read(file, options.overrides);
    for (auto const& line : experiment.trace_lines()) say(line);
    auto const plan = plan_of(experiment);
    auto const cells = grid_cells(plan);
    auto header =
        header_of(experiment, std::filesystem::absolute(file).parent_path(), options.overrides);
    auto const store_file = store_name(options, experiment);
    if (!options.base.empty() && options.shard.empty() && !options.plan)
        throw ConfigError("command line", "--base", options.base, "left out without --shard I/N");
    if (options.plan) return print_plan(options, experiment, plan, cells, header);
    std::optional<ShardWork> shard;
    if (!options.shard.empty()) {
        shard = shard_work(plan, cells, header, options.base, parse_shard_number(options.shard));
        if (shard->is_complete) {
            write_stdout("nothing is missing in " + options.base + "; no store is made\n");
            return;
        }
        header.shard = shard->record;
    }
    auto const backend = backend_of(options, place, experiment, plan);
    int const threads =
        options.threads > 0 || place.size == 1 ? options.threads : threads_of(place);
    std::optional<RankBoard> ranks;
    if (place.size > 1)
        ranks.emplace(folder_of_ranks(store_file), place,
                      std::chrono::seconds(options.rank_timeout));
    if (place.rank > 0) {
        InterruptGuard const guard(InterruptGuard::Voice::silent);
        int const used = threads_to_use(threads);
        return run_as_other_rank(*ranks, plan, header, run_info_of(backend, used, place.size),
                                 settings_of(backend, used));
    }
    InterruptGuard const guard;
    auto sweep = open_sweep(experiment, cells, header, backend,
                            {.store = store_file, .threads = threads, .ranks = place.size});
    auto& settings = sweep.settings;
    settings.stop_asked = InterruptGuard::asked;
    say(backend.text);
    if (ranks)
        say(fmt::format("{}, this one with {}", counted(place.size, "rank"),
                        counted(threads, "thread")));
    if (options.gpu_times) measure_gpu_times(true);
    auto const done = [&] {
        Progress progress(stderr, style_for(stderr));
        if (ranks)
            return run_as_rank_zero(*ranks, plan, cells, header, *sweep.store, settings, progress);
        return shard ? run_share(plan, shard->work, *sweep.store, settings, progress)
                     : run_sweep(plan, cells, *sweep.store, settings, progress);
    }();
    if (options.gpu_times) say("time of launches: " + gpu_times_text(gpu_times()));
    print_made(store_file, done);
    say_imprecise(experiment.stop, done);
    if (shard) {
        write_stdout("next, when all shards are run: crx merge " + all_shards(options, experiment) +
                     " -o " + shell_word(experiment.name + ".db") + "\n");
        return;
    }
    write_stdout(results_text(store_file, experiment.stop.confidence) +
                 "next: " + what_next(store_file, experiment.panels.empty()) + "\n");
}

/// Several processes that a launcher started run one sweep, unless each was given a shard.
void run_sweep_command(SweepOptions const& options)
{
    auto const place = options.shard.empty() ? place_of_process() : RankPlace{};
    if (options.plan && place.rank > 0) return; // rank 0 prints it
    if (options.plan || place.size == 1) return run_sweep_here(options, {});
    try {
        run_sweep_here(options, place);
    } catch (InputError const&) {
        // Rank 0 mostly says the same, and most launchers then end the others.
        if (place.rank > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
        throw;
    }
}

} // namespace

void add_sweep_command(CLI::App& app)
{
    Command const command(app, "sweep", "Run an experiment; the same command again continues it");
    command->footer("Ctrl-C keeps all that is done. The number of instances is a target: raising\n"
                    "it adds to what is there.\n"
                    "Example: crx sweep experiments/chen/chen_two_point_alpha.toml --set "
                    "stop.instances=1000");
    auto const options = std::make_shared<SweepOptions>();
    command->add_option("EXPERIMENT", options->experiment, "Experiment file (docs/experiments.md)")
        ->required();
    command->add_option("--db", options->store,
                        "Store to make or continue; else the experiment's name with .db");
    command
        ->add_option("--backend", options->backend,
                     "auto: CUDA where there is a device, and the cores")
        ->one_of({"auto", "cuda", "cpu"})
        ->capture_default_str();
    command->add_option("--device", options->device, "Number of the CUDA device; else 0")
        ->check(whole_number(0, 4096));
    command->add_option("--threads", options->threads, "Threads of the CPU; else all")
        ->check(whole_number(1, 4096));
    command->add_option("--set", options->overrides, "KEY=VALUE in place of the file's")
        ->allow_extra_args(false);
    command->add_flag("--gpu-times,--card-times", options->gpu_times,
                      "Also say where the time of launches on a CUDA device went");
    command->add_flag("--plan", options->plan,
                      "Only say what would be run and about what it costs; nothing is written");
    auto const shard =
        command->add_option("--shard", options->shard,
                            "I/N: run the I-th of N equal parts into a store of its own, for crx "
                            "merge (docs/cluster.md)");
    shard->excludes("--plan");
    command->add_option("--base", options->base,
                        "With --shard: go on from this store, which crx merge made of the rounds "
                        "before; with --plan: only say what is missing in it");
    command
        ->add_option("--rank-timeout", options->rank_timeout,
                     "Under mpirun or srun: seconds after which a silent rank counts as dead")
        ->check(whole_number(5, 1'000'000))
        ->capture_default_str();
    command->callback([options] { run_sweep_command(*options); });
}

} // namespace crx

#include "analysis/fluid/heavy_traffic_figure.hh"
#include "analysis/plot/picture_file.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/iteration/iteration_report.hh"
#include "host/iteration/path_store.hh"
#include "host/store/output_check.hh"
#include "host/store/output_file.hh"
#include "host/sweep/interrupt.hh"

#include <chrono>
#include <fmt/core.h>
#include <tbb/global_control.h>

namespace crx {

namespace {

struct IterateOptions
{
    std::string experiment, output, by_type, plot, store, backend = "auto";
    std::vector<std::string> set;
    int threads = 0;
    bool json = false;
};

/// The policy's paths; what they show of the types is added to `types` where the experiment asks.
std::vector<std::vector<IterationTally>>
paths_of(PathStore& store, IterationExperiment const& experiment, IterationPolicyEntry const& entry,
         PathBackend const& backend, std::vector<TypeCurve>& types)
{
    auto const cell = experiment.cell(entry);
    if (!experiment.by_type)
        return store.paths(cell, experiment.paths, InterruptGuard::asked, backend);
    auto paths = store.typed_paths(cell, experiment.paths, InterruptGuard::asked);
    types.push_back(type_curve(paths, experiment.confidence));
    std::vector<std::vector<IterationTally>> totals;
    for (auto& path : paths) totals.push_back(std::move(path.tallies));
    return totals;
}

void run_iterate(IterateOptions const& given)
{
    auto experiment = IterationExperiment::read(given.experiment, given.set);
    if (!given.by_type.empty()) experiment.by_type = true;
    if (!given.plot.empty() && !plot::picture_format(given.plot))
        throw InputError("--plot " + given.plot +
                         "\n  not accepted: must end in .svg, .pdf or .png");
    auto const store_file = given.store.empty()
                                ? std::filesystem::path(given.experiment).stem().string() + ".db"
                                : given.store;
    std::vector<NamedFile> named{{"EXPERIMENT", given.experiment}, {"--db", store_file}};
    for (auto const& trace : experiment.traces) named.push_back({"the trace", trace});
    check_outputs({{"-o", given.output}, {"--by-type", given.by_type}, {"--plot", given.plot}},
                  named);
    std::optional<tbb::global_control> limit;
    if (given.threads > 0)
        limit.emplace(tbb::global_control::max_allowed_parallelism,
                      static_cast<std::size_t>(given.threads));

    for (auto const& entry : experiment.policies) {
        auto const cell = experiment.cell(entry);
        if (cell.checkpoints.back() > cell.arrivals.longest())
            throw InputError(fmt::format(
                "{}: run.horizon after all doublings is {:.6g} s\n  not accepted: must be at most "
                "{:.6g} s at these rates, where the random words of a path end",
                given.experiment, static_cast<double>(cell.checkpoints.back()) * 1e-9,
                static_cast<double>(cell.arrivals.longest()) * 1e-9));
    }
    for (auto const& note : experiment.notes) fmt::print(stderr, "{}\n", note);
    auto const backend = choose_path_backend(given.backend, experiment.by_type);
    fmt::print(stderr, "{}\n", backend.text);
    PathStore store(store_file);
    InterruptGuard const guard;

    std::vector<fluid::HeavyTrafficCurve> curves;
    std::vector<fluid::LabelledCurve> labelled;
    std::vector<TypeCurve> types;
    for (auto const& entry : experiment.policies) {
        auto const begin = std::chrono::steady_clock::now();
        auto const kept_before = store.found();
        auto const paths = paths_of(store, experiment, entry, backend, types);
        curves.push_back(fluid::heavy_traffic_curve(
            paths, static_cast<std::size_t>(experiment.fit_from), experiment.confidence));
        labelled.push_back({entry.label, curves.back()});
        std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - begin;
        auto const iterations =
            curves.back().points.back().iterations * static_cast<double>(experiment.paths);
        if (auto const kept = store.found() - kept_before; kept > 0)
            fmt::print(stderr, "{}: {} of {} paths from {}, {:.1f} s\n", entry.label, kept,
                       experiment.paths, store_file, spent.count());
        else
            fmt::print(stderr, "{}: {:.4g} iterations in {:.1f} s, {:.3g} a second\n", entry.label,
                       iterations, spent.count(), iterations / spent.count());
    }
    auto const table =
        given.json ? iteration_json(experiment, curves, types) : iteration_csv(experiment, curves);
    if (given.output.empty())
        write_stdout(table);
    else
        write_file(given.output, table);
    if (!given.by_type.empty()) write_file(given.by_type, type_csv(experiment, types));
    fmt::print(stderr, "{}", exponents_text(experiment, curves));
    if (!given.plot.empty())
        plot::draw(fluid::heavy_traffic_figure(labelled, experiment.title,
                                               {experiment.seed, experiment.paths,
                                                static_cast<std::size_t>(experiment.fit_from),
                                                experiment.confidence}),
                   given.plot);
}

struct FluidOptions
{
    std::string experiment;
    std::vector<std::string> set;
    Tokens type_blind = 0;
    bool json = false;
};

} // namespace

void add_iterate_command(CLI::App& app)
{
    Command const command(
        app, "iterate",
        "Simulates Poisson arrivals in the iteration model (WAIT, Nested WAIT, FCFS)");
    command->footer(
        "File format and columns: docs/iteration.md. Ctrl-C keeps all paths that are done; the "
        "same\ncommand again goes on, and more paths are added to what is there.\n"
        "Example: crx iterate experiments/iteration/ao_heavy_traffic.toml --plot gap.svg");
    auto const given = std::make_shared<IterateOptions>();
    command->add_option("EXPERIMENT", given->experiment, "Experiment file (TOML)")->required();
    command->add_option("--set", given->set, "KEY=VALUE in place of the file's");
    command
        ->add_option("--backend", given->backend,
                     "auto: CUDA where there is a device; every backend gives the same integers")
        ->one_of({"auto", "cuda", "cpu"})
        ->capture_default_str();
    command->add_option("--threads", given->threads, "Threads; all processors if not given")
        ->check(whole_number(1, 4096));
    command->add_option("--db", given->store,
                        "Store to make or continue; else the experiment's name with .db");
    command->add_option("-o,--output", given->output, "Table to write; else standard output");
    command->add_option("--by-type", given->by_type,
                        "Table of latencies by type to write (as run.by_type = true)");
    command->add_option("--plot", given->plot, "Picture to draw: FILE.svg, .pdf or .png");
    command->add_flag("--json", given->json, "JSON instead of comma-separated values");
    command->callback([given] { run_iterate(*given); });
}

void add_fluid_command(CLI::App& app)
{
    Command const command(
        app, "fluid",
        "Fluid equilibrium, least thresholds and memory bounds of an iteration experiment");
    command->footer("Example: crx fluid experiments/iteration/ao_heavy_traffic.toml --json");
    auto const given = std::make_shared<FluidOptions>();
    command->add_option("EXPERIMENT", given->experiment, "Experiment file (TOML)")->required();
    command->add_option("--set", given->set, "KEY=VALUE in place of the file's");
    command
        ->add_option("--type-blind", given->type_blind,
                     "C: the most that policies complete which do not know a prompt's type, with C "
                     "tokens of\nhard memory; for tens of tokens")
        ->check(whole_number<Tokens>(1, 1'000'000));
    command->add_flag("--json", given->json, "One JSON object");
    command->callback([given] {
        auto const experiment = IterationExperiment::read(given->experiment, given->set);
        for (auto const& note : experiment.notes) fmt::print(stderr, "{}\n", note);
        write_stdout(given->json ? fluid_json(experiment, given->type_blind)
                                 : fluid_text(experiment, given->type_blind));
    });
}

} // namespace crx

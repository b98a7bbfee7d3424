#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/simulate/fluid_report.hh"
#include "host/sweep/plan.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <set>

namespace crx {

namespace {

struct FluidOptions
{
    std::string experiment;
    std::vector<std::string> set;
    Tokens type_blind = 0;
    bool json = false;
};

void run_fluid(FluidOptions const& options)
{
    auto const experiment = Experiment::read(options.experiment, options.set);
    if (experiment.model != Model::iterations)
        throw InputError(options.experiment +
                         ": of the round model; the fluid theory is of experiments with [model] "
                         "kind = \"iterations\" (docs/iteration.md)");
    auto const plan = plan_of(experiment);
    std::vector<PlannedCell> cells;
    for (auto const& sweep : plan.sweeps)
        for (auto const& point : plan.grid(sweep.name))
            cells.push_back(plan.make_cell(sweep.name, point));
    std::set<std::string> notes;
    for (auto const& cell : cells)
        for (auto const& note : cell.paths->notes)
            if (notes.insert(note).second) write_message(stderr, note + "\n");
    std::string text;
    auto list = nlohmann::ordered_json::array();
    for (auto const& cell : cells) {
        if (options.json) {
            auto theory = nlohmann::ordered_json::parse(
                fluid_json(*cell.paths, experiment.title, options.type_blind));
            nlohmann::ordered_json object{{"sweep", cell.sweep},
                                          {"coordinates", nlohmann::ordered_json::object()}};
            for (auto const& [axis, value] : cell.coordinates) object["coordinates"][axis] = value;
            object.update(theory);
            list.push_back(std::move(object));
            continue;
        }
        if (cells.size() > 1)
            text += fmt::format("{}sweep {}\n", text.empty() ? "" : "\n",
                                point_text(cell.sweep, cell.coordinates));
        text += fluid_text(*cell.paths, options.type_blind);
    }
    if (options.json) text = (list.size() == 1 ? list.front() : list).dump(2) + "\n";
    write_stdout(text);
}

} // namespace

void add_fluid_command(CLI::App& app)
{
    Command const command(
        app, "fluid",
        "Fluid equilibrium, least thresholds and memory bounds of the iteration model");
    command->footer("Of every cell of the experiment; nothing is simulated.\n"
                    "Example: crx fluid experiments/ao/ao_heavy_traffic.toml --json");
    auto const options = std::make_shared<FluidOptions>();
    command->add_option("EXPERIMENT", options->experiment, "Experiment file (TOML)")->required();
    command->add_option("--set", options->set, "KEY=VALUE in place of the file's")
        ->allow_extra_args(false);
    command
        ->add_option("--type-blind", options->type_blind,
                     "C: the most that policies complete which do not know a prompt's type, with C "
                     "tokens of\nhard memory; for tens of tokens")
        ->check(whole_number<Tokens>(1, 1'000'000));
    command->add_flag("--json", options->json,
                      "One JSON object; a list where there are more cells");
    command->callback([options] { run_fluid(*options); });
}

} // namespace crx

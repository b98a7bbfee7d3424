#include "host/experiment/experiment.hh"

#include "host/error.hh"
#include "host/experiment/experiment_text.hh"
#include "host/experiment/iteration_plan.hh"
#include "host/experiment/panel_list.hh"
#include "host/experiment/sweep_plan.hh"
#include "host/input/accepted.hh"
#include "host/input/config_reader.hh"
#include "host/say.hh"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace crx {

namespace {

void read_head(ConfigReader& top, Experiment& experiment)
{
    ConfigReader reader(top.need("experiment", "a table with name and seed"), "experiment");
    auto const accepted = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    auto const read_name = [&] {
        experiment.name = reader.text("name");
        if (experiment.name.empty() || experiment.name.size() > 100 ||
            !std::all_of(experiment.name.begin(), experiment.name.end(), accepted))
            reader.reject("name", *reader.find("name"),
                          "1 to 100 small letters, digits and _, as a file is called");
    };
    reader.read_parts({read_name, [&] { experiment.title = reader.text("title", ""); },
                       [&] {
                           experiment.seed = static_cast<std::uint64_t>(
                               reader.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
                       }});
}

StopRule read_stop(ConfigReader& top)
{
    ConfigReader reader(top.need("stop", "a table with instances"), "stop");
    StopRule rule;
    reader.read_parts(
        {[&] { rule.instances = reader.integer("instances", 1, 1'000'000'000'000); },
         [&] { rule.half_width = reader.optional_number("half_width", positive_numbers()); },
         [&] {
             NumberRange const between{0, 1, false, true, true};
             rule.confidence = reader.number("confidence", between, rule.confidence);
         },
         [&] {
             rule.first = reader.integer("first", 2, 1'000'000'000'000,
                                         std::clamp<std::int64_t>(rule.instances, 2, rule.first));
         }});
    if (rule.half_width && rule.instances < 2)
        reader.reject("instances", *reader.find("instances"), "at least 2 with half_width");
    if (rule.half_width && !(rule.first <= rule.instances))
        reader.reject("first", *reader.find("first"),
                      "at most instances, which is " + std::to_string(rule.instances));
    return rule;
}

Model read_model(ConfigReader& top)
{
    auto const* table = top.find("model");
    if (table == nullptr) return Model::rounds;
    ConfigReader reader(*table, "model");
    auto const kind = reader.choice("kind", {std::begin(model_ids), std::end(model_ids)});
    reader.finish();
    return kind == model_ids[1] ? Model::iterations : Model::rounds;
}

/// Says of everything that every experiment of its model has what is missing, all at once. One
/// thing alone is said where it is read, which knows names that are nearly the same.
void require_all(ConfigValue const& document, Model model)
{
    using Required = std::vector<std::pair<char const*, char const*>>;
    Required const rounds{{"experiment.name", "a text in quotes"},
                          {"experiment.seed", "an integer in [0, 9223372036854775807]"},
                          {"stop.instances", "an integer in [1, 1000000000000]"},
                          {"workload", "a table"},
                          {"policy", "at least one [[policy]] with an id"},
                          {"sweep", "at least one [[sweep]] with a name"}};
    auto all = rounds;
    if (model == Model::iterations)
        all.insert(all.end(), {{"workload.clock", "a table with profile, or with d0 and d1"},
                               {"workload.type", "one [[workload.type]] table or more"},
                               {"workload.horizon", "a number of seconds"}});
    std::string missing;
    int count = 0;
    for (auto const& [path, accepted] : all) {
        auto const* value = &document;
        std::istringstream keys(path);
        for (std::string key; value != nullptr && value->kind == ConfigValue::Kind::table &&
                              std::getline(keys, key, '.');)
            value = value->find(key);
        if (value != nullptr) continue;
        ++count;
        missing += fmt::format("\n  {}: must be {}", path, accepted);
    }
    if (count > 1) throw InputError(document.where + ": these keys are missing" + missing);
}

/// Says what has become of the tables that files of the iteration model once had.
void refuse_old_tables(ConfigValue const& document, std::string const& name)
{
    if (document.find("machine") == nullptr || document.find("workload") != nullptr) return;
    throw InputError(
        name + ": has a [machine], as experiments of the iteration model had when crx iterate ran "
               "them\n  [model] kind = \"iterations\" says the model now, [workload.clock] the "
               "machine in nanoseconds, [[workload.type]] the types, [workload] the horizon "
               "and [stop] instances the number of paths (docs/iteration.md)");
}

/// Refuses panels of measures of requests that are not kept.
void check_request_measures(Experiment const& experiment, Experiment::Detail const& detail)
{
    for (std::size_t k = 0; k < experiment.panels.size(); ++k) {
        auto const& panel = experiment.panels[k];
        for (auto const& [key, name] : {std::pair<char const*, std::string>{"x", panel.x},
                                        {"x", panel.x_measure},
                                        {"measure", panel.measure}}) {
            auto const statistic = request_statistic_named(name);
            if (!statistic) continue;
            if (auto const why = refusal_of(*statistic, detail.measures); !why.empty())
                throw ConfigError(detail.name, fmt::format("panel.{}.{}", k, key), name,
                                  "left out unless " + why);
        }
    }
}

/// Refuses panels of shares of a memory that no policy has.
void check_shares_of_memory(Experiment const& experiment, IterationPlan const& plan,
                            std::string const& name)
{
    for (std::size_t k = 0; k < experiment.panels.size(); ++k) {
        auto const& panel = experiment.panels[k];
        for (auto const& [key, of] : {std::pair<char const*, std::string>{"x", panel.x},
                                      {"x", panel.x_measure},
                                      {"measure", panel.measure}}) {
            if (of != "memory-mean" && of != "memory-above-90") continue;
            auto const& sweep = *std::ranges::find_if(
                plan.sweeps, [&](auto const& one) { return one.sweep.name == panel.sweep; });
            auto const cell = plan_iteration_cell(plan, sweep, point_of(sweep.sweep, 0));
            if (std::ranges::all_of(cell.paths->policies,
                                    [](auto const& policy) { return policy.spec.memory == 0; }))
                throw ConfigError(name, fmt::format("panel.{}.{}", k, key), of,
                                  "left out unless a [[policy]] has memory, of which it is a "
                                  "share");
        }
    }
}

/// The parts of an experiment that the iteration model has.
void read_iterations(ConfigReader& top, std::string const& name,
                     std::filesystem::path const& folder, ConfigValue const& document,
                     Experiment& experiment, Experiment::Detail& detail)
{
    auto const plan =
        std::make_shared<IterationPlan const>(read_iteration_plan(top, folder, experiment.seed));
    detail.iterations = plan;
    detail.name = name;
    detail.measures = plan->measures;
    experiment.policies = plan->policies;
    for (auto const& sweep : plan->sweeps) experiment.sweeps.push_back(sweep.sweep);
    experiment.panels = read_panels(top, *plan);
    check_request_measures(experiment, detail);
    check_shares_of_memory(experiment, *plan, name);
    experiment.identity = experiment_identity(document, {});
}

/// Hash of every trace, by its name in the document.
std::map<std::string, std::string> trace_hashes(std::vector<SweepPlan> const& sweeps)
{
    std::map<std::string, std::string> hashes;
    for (auto const& plan : sweeps)
        if (plan.workload.output.trace)
            for (auto const& source : plan.workload.output.trace->sources)
                hashes[source.name] = source.rows->hash + source.rows->time_hash;
    return hashes;
}

/// The workload and all that is said of its cells, which need policies and baselines. Every cell of
/// every grid is checked before anything is run or written.
void read_cells_and_panels(ConfigReader& top, TraceFiles& traces, Experiment& experiment,
                           Experiment::Detail& detail)
{
    detail.sweeps = read_sweeps(top, detail.policies, detail.baseline_plan.ids,
                                detail.measures.capacity, traces);
    for (auto const& plan : detail.sweeps) {
        auto const cells = points_of(plan.sweep);
        if (cells > 300'000)
            say(fmt::format("sweep {}: {} cells, each of which is checked first", plan.sweep.name,
                            cells));
        for (std::size_t k = 0; k < cells; ++k)
            plan_cell(detail, plan, point_of(plan.sweep, k), CellWork::check);
    }
    experiment.panels = read_panels(top, detail);
    check_request_measures(experiment, detail);
}

} // namespace

Experiment Experiment::read(std::filesystem::path const& file,
                            std::vector<std::string> const& overrides)
{
    return parse(read_experiment_file(file), file.string(), file.parent_path(), overrides);
}

Experiment Experiment::parse(std::string const& text, std::string const& name,
                             std::filesystem::path const& folder,
                             std::vector<std::string> const& overrides)
{
    auto document = parse_toml(text, name,
                               {{"experiment", "model", "stop", "run", "variables", "workload",
                                 "baselines", "measures", "capacity"},
                                {"policy", "sweep", "panel"}});
    Experiment experiment;
    experiment.text = text;
    if (!text.ends_with('\n')) experiment.text += '\n';
    for (auto const& override : overrides) {
        apply_override(document, override);
        experiment.text += "# --set " + override + "\n";
    }
    ConfigReader top(document, "");
    refuse_old_tables(document, name);
    for (auto const* key : {"experiment", "model", "stop", "run", "variables", "workload", "policy",
                            "baselines", "sweep", "panel", "measures", "capacity"})
        top.find(key);
    top.finish();
    experiment.model = read_model(top);
    require_all(document, experiment.model);
    Mistakes mistakes;
    mistakes.collect([&] { read_head(top, experiment); });
    mistakes.collect([&] { experiment.stop = read_stop(top); });
    auto detail = std::make_shared<Detail>();
    if (experiment.model == Model::iterations) {
        mistakes.collect(
            [&] { read_iterations(top, name, folder, document, experiment, *detail); });
        mistakes.throw_all();
        experiment.detail = std::move(detail);
        return experiment;
    }
    detail->name = name;
    detail->seed = experiment.seed;
    bool known = mistakes.collect([&] { detail->baseline_plan = read_baselines(top); });
    known &= mistakes.collect([&] { detail->engine = read_engine_choice(top); });
    known &= mistakes.collect([&] { detail->measures = read_measures(top); });
    known &= mistakes.collect([&] { detail->policies = read_policies(top, folder); });
    experiment.baselines = detail->baseline_plan.ids;
    TraceFiles traces(folder);
    mistakes.collect([&] {
        if (known)
            read_cells_and_panels(top, traces, experiment, *detail);
        else
            check_workloads(top, traces);
    });
    mistakes.throw_all();
    for (auto const& plan : detail->policies) experiment.policies.push_back(plan.entry);
    for (auto const& plan : detail->sweeps) experiment.sweeps.push_back(plan.sweep);
    experiment.identity = experiment_identity(document, trace_hashes(detail->sweeps));
    experiment.detail = std::move(detail);
    return experiment;
}

PlannedCell Experiment::make_cell(std::string const& sweep, Coordinates const& coordinates) const
{
    if (detail->iterations != nullptr)
        for (auto const& plan : detail->iterations->sweeps)
            if (plan.sweep.name == sweep)
                return plan_iteration_cell(*detail->iterations, plan, coordinates);
    auto const* plan = detail->find(sweep);
    if (plan == nullptr) throw InputError(detail->name + ": there is no sweep " + sweep);
    return plan_cell(*detail, *plan, coordinates, CellWork::tabulate);
}

bool Experiment::draws_whole_instances() const
{
    return std::ranges::any_of(detail->sweeps,
                               [](auto const& plan) { return plan.workload.source != nullptr; });
}

std::vector<std::string> Experiment::trace_lines() const
{
    std::vector<std::string> lines;
    for (auto const& plan : detail->sweeps)
        if (plan.workload.output.trace)
            for (auto const& source : plan.workload.output.trace->sources)
                if (std::ranges::find(lines, source.rows->line) == lines.end())
                    lines.push_back(source.rows->line);
    return lines;
}

std::vector<Coordinates> Experiment::grid(std::string const& sweep) const
{
    auto const found = std::ranges::find(sweeps, sweep, &Sweep::name);
    if (found == sweeps.end()) throw InputError(detail->name + ": there is no sweep " + sweep);
    std::vector<Coordinates> points;
    for (std::size_t k = 0; k < points_of(*found); ++k) points.push_back(point_of(*found, k));
    return points;
}

std::string point_text(Coordinates const& coordinates)
{
    std::string text;
    for (auto const& [axis, value] : coordinates)
        text += fmt::format("{}{}={:.12g}", text.empty() ? "" : " ", axis, value);
    return text;
}

std::string point_text(std::string const& sweep, Coordinates const& coordinates)
{
    return sweep + (coordinates.empty() ? "" : " " + point_text(coordinates));
}

std::string point_clause(Coordinates const& coordinates)
{
    std::string text;
    for (auto const& [axis, value] : coordinates)
        text += ", " + axis + " = " + written_number(value);
    return text;
}

std::string cell_place(std::string const& sweep, Coordinates const& coordinates)
{
    auto const clause = point_clause(coordinates);
    return (clause.empty() ? "" : " at " + clause.substr(2)) + " (sweep " + sweep + ")";
}

} // namespace crx

#include "host/experiment/iteration_plan.hh"

#include "analysis/fluid/critical_load.hh"
#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/expression.hh"

#include <algorithm>
#include <cmath>

namespace crx {

namespace {

/// Fields of [workload.clock] that an axis of their name gives.
constexpr char const* clock_fields[] = {"d0", "d1", "slowdown"};
/// Names that stand for something else in panels and tables.
constexpr char const* taken_names[] = {"horizon",     "type",         "doublings",
                                       "utilisation", "fluid_memory", "total_rate"};

bool is_clock_field(std::string const& name)
{
    return std::ranges::find(clock_fields, name) != std::end(clock_fields);
}

/// Rejects variables and axes whose name is taken.
void check_names(IterationSweep const& sweep, std::string const& key)
{
    auto const taken = [](std::string const& name) {
        return std::ranges::find(taken_names, name) != std::end(taken_names);
    };
    for (auto const& [name, expression] : sweep.variables)
        if (taken(name) || is_clock_field(name))
            throw ConfigError(expression.where(), expression.key(), expression.written(),
                              "given another name: " + name + " has a meaning in this model");
    for (auto const& [name, where] : sweep.axis_places)
        if (taken(name))
            throw InputError(where + ": " + key + ".axes." + name +
                             "\n  not accepted: give the axis another name: " + name +
                             " has a meaning in this model; horizons are workload.horizon and "
                             "doublings, any other number may be an expression of an axis");
}

/// Rejects an axis that no number of a cell depends on.
void check_fields_use_axes(IterationSweep const& sweep, std::string const& key)
{
    UsedNames used;
    for (auto const& [axis, where] : sweep.axis_places)
        if (is_clock_field(axis)) used.emplace(axis, Expression::of_name(axis, where, key));
    std::vector<Expression> open;
    auto document = sweep.document;
    for_each_number(document, [&](ConfigValue& value, std::string const& path) {
        if (value.kind == ConfigValue::Kind::text) open.emplace_back(value, path, "a number");
    });
    std::vector<std::string> variables;
    for (auto const& [variable, expression] : sweep.variables) variables.push_back(variable);
    while (!open.empty()) {
        auto const expression = open.back();
        open.pop_back();
        for (auto const& name : expression.names())
            if (used.try_emplace(name, expression).second)
                for (auto const& [variable, definition] : sweep.variables)
                    if (variable == name) open.push_back(definition);
    }
    check_axes_used(sweep.axis_places, used, variables, key);
}

ConfigValue number_value(double x, std::string const& where)
{
    ConfigValue value;
    bool const whole = x == std::floor(x) && std::abs(x) < 0x1p53;
    value.kind = whole ? ConfigValue::Kind::integer : ConfigValue::Kind::real;
    value.integer = whole ? static_cast<std::int64_t>(x) : 0;
    value.real = x;
    value.where = where;
    return value;
}

/// Fields of the clock that axes give.
void put_axes(ConfigValue& document, IterationSweep const& sweep, Coordinates const& coordinates)
{
    auto* workload = document.find("workload");
    auto* clock = workload != nullptr ? workload->find("clock") : nullptr;
    if (clock == nullptr || clock->kind != ConfigValue::Kind::table) return;
    for (auto const& [axis, x] : coordinates) {
        if (!is_clock_field(axis)) continue;
        auto const value = number_value(x, sweep.axis_places.at(axis));
        if (auto* field = clock->find(axis))
            *field = value;
        else
            clock->table.emplace_back(axis, value);
    }
}

/// The document of one cell, every number of which is a number.
ConfigValue cell_document(IterationSweep const& sweep, Coordinates const& coordinates,
                          NameTable& names)
{
    auto document = sweep.document;
    for (auto const& [axis, x] : coordinates) names.set(axis, x);
    for (auto const& [name, expression] : sweep.variables) names.define(name, expression);
    put_axes(document, sweep, coordinates);
    for_each_number(document, [&](ConfigValue& value, std::string const& path) {
        if (value.kind != ConfigValue::Kind::text) return;
        auto const x = names.evaluate(Expression(value, path, "a number"), {});
        value = number_value(x, value.where + names.at());
    });
    if (auto* workload = document.find("workload")) workload->where += names.at();
    return document;
}

void publish_parameters(IterationSweep const& sweep, NameTable& names, PlannedCell& cell)
{
    auto const& setting = *cell.paths;
    auto& parameters = cell.parameters;
    parameters["d0"] = static_cast<double>(setting.time.overhead);
    parameters["d1"] = static_cast<double>(setting.time.per_token) / 65536;
    parameters["utilisation"] = fluid::utilisation(setting.load);
    if (parameters["utilisation"] < 1)
        parameters["fluid_memory"] = fluid::equilibrium(setting.load).memory;
    parameters["total_rate"] = 0;
    for (auto const rate : setting.load.rate) parameters["total_rate"] += rate;
    for (auto const& [name, expression] : sweep.variables)
        parameters[name] = names.value_of(name, expression);
    for (auto const& [axis, value] : cell.coordinates) parameters[axis] = value;
}

} // namespace

PlannedCell plan_iteration_cell(IterationPlan const& plan, IterationSweep const& sweep,
                                Coordinates const& coordinates)
{
    NameTable names(cell_place(sweep.sweep.name, coordinates));
    auto const document = cell_document(sweep, coordinates, names);
    PlannedCell cell;
    cell.sweep = sweep.sweep.name;
    cell.coordinates = coordinates;
    auto setting = std::make_shared<IterationSetting>(
        read_iteration_setting(document, *plan.traces, plan.seed));
    setting->measures = plan_measures(plan.measures, true, names.at());
    cell.identity = setting->identity();
    cell.left_out = setting->left_out;
    cell.paths = std::move(setting);
    publish_parameters(sweep, names, cell);
    return cell;
}

namespace {

std::vector<PolicyEntry> read_labels(ConfigReader& top)
{
    auto const& list = top.tables("policy", "at least one [[policy]] with an id");
    std::vector<PolicyEntry> entries;
    for (std::size_t i = 0; i < list.size(); ++i) {
        ConfigReader reader(list[i], "policy." + std::to_string(i));
        PolicyEntry entry;
        entry.id =
            reader.choice("id", {std::begin(iteration_policy_ids), std::end(iteration_policy_ids)});
        entry.label = reader.text("label", entry.id);
        auto const* label = reader.find("label");
        for (auto const& other : entries)
            if (other.label == entry.label)
                reader.reject(label != nullptr ? "label" : "id",
                              label != nullptr ? *label : *reader.find("id"),
                              "a policy with a label of its own (label = \"..\")");
        if (entry.label.empty()) reader.reject("label", *label, "a text that is not empty");
        entries.push_back(std::move(entry));
    }
    return entries;
}

IterationSweep read_iteration_sweep(ConfigReader& top, ConfigReader& reader, std::string const& key)
{
    auto frame = read_sweep_frame(top.table(), reader, key);
    IterationSweep sweep{
        std::move(frame.sweep), std::move(frame.axis_places), std::move(frame.document), {}, {}, 0};
    if (auto const* refine = reader.find("refine"))
        reader.reject("refine", *refine,
                      "left out: cells are refined by ratios, which the iteration model has not");
    reader.finish();
    sweep.variables = read_variables(sweep.document);
    check_names(sweep, key);
    check_fields_use_axes(sweep, key);
    return sweep;
}

} // namespace

IterationPlan read_iteration_plan(ConfigReader& top, std::filesystem::path const& folder,
                                  std::uint64_t seed)
{
    if (auto const* baselines = top.find("baselines"))
        top.reject("baselines", *baselines,
                   "left out: the iteration model has no denominators, as no instance ends");
    if (auto const* const capacity = top.find("capacity"))
        top.reject("capacity", *capacity,
                   "left out: cells of the iteration model are not refined; an axis of loads, "
                   "[measures] with slo and a panel of measure \"attainment\" show where the "
                   "objective fails");
    IterationPlan plan;
    plan.measures = read_measures(top);
    plan.traces = std::make_shared<TraceFiles>(folder);
    plan.seed = seed;
    plan.policies = read_labels(top);
    auto const& list = top.tables("sweep", "at least one [[sweep]] with a name");
    std::vector<Sweep> sweeps;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const key = "sweep." + std::to_string(i);
        ConfigReader reader(list[i], key);
        auto sweep = read_iteration_sweep(top, reader, key);
        sweeps.push_back(sweep.sweep);
        check_sweep_sizes(list, sweeps);
        for (std::size_t k = 0; k < points_of(sweep.sweep); ++k) {
            auto const cell = plan_iteration_cell(plan, sweep, point_of(sweep.sweep, k));
            sweep.horizons = cell.paths->horizons(); // no axis changes them
            if (cell.paths->by_type)
                sweep.types = std::max(sweep.types, cell.paths->load.types.size());
        }
        plan.sweeps.push_back(std::move(sweep));
    }
    return plan;
}

namespace {

using Visit = std::function<void(ConfigValue&, std::string const&)>;

/// Keys of a table whose value is a number, or a list of numbers.
void visit_keys(ConfigValue& table, std::string const& path,
                std::vector<std::string> const& numbers, std::vector<std::string> const& lists,
                Visit const& visit)
{
    for (auto const& key : numbers)
        if (auto* value = table.find(key)) visit(*value, path + "." + key);
    for (auto const& key : lists)
        if (auto* value = table.find(key); value != nullptr)
            for (std::size_t i = 0; i < value->list.size(); ++i)
                visit(value->list[i], path + "." + key + "." + std::to_string(i));
}

/// Calls use(element, path) for each element of a list of tables.
template <class Use>
void each_table(ConfigValue& parent, std::string const& path, std::string const& key, Use use)
{
    auto* list = parent.find(key);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->list.size(); ++i)
        if (list->list[i].kind == ConfigValue::Kind::table)
            use(list->list[i], (path.empty() ? key : path + "." + key) + "." + std::to_string(i));
}

/// Whether the text is a word that `memory` takes, and no expression.
bool is_word(ConfigValue const& value)
{
    return value.kind == ConfigValue::Kind::text &&
           (value.text == "fluid" || value.text.starts_with("peak-of:"));
}

} // namespace

void for_each_number(ConfigValue& document, Visit const& visit)
{
    if (auto* workload = document.find("workload")) {
        if (auto* clock = workload->find("clock"))
            visit_keys(*clock, "workload.clock", {"d0", "d1", "slowdown"}, {}, visit);
        each_table(*workload, "workload", "type", [&](ConfigValue& type, std::string const& path) {
            visit_keys(type, path,
                       {"prompt", "output", "rate", "prompt_bin", "output_bin", "longest_prompt",
                        "longest_output"},
                       {}, visit);
            each_table(type, path, "rates", [&](ConfigValue& step, std::string const& of_step) {
                visit_keys(step, of_step, {"rate", "duration"}, {}, visit);
            });
        });
    }
    each_table(document, "", "policy", [&](ConfigValue& policy, std::string const& path) {
        visit_keys(policy, path, {"limit", "budget", "delta", "segments"}, {"thresholds", "ends"},
                   visit);
        if (auto* memory = policy.find("memory"); memory != nullptr && !is_word(*memory))
            visit(*memory, path + ".memory");
        each_table(policy, path, "group", [&](ConfigValue& group, std::string const& of_group) {
            visit_keys(group, of_group, {"prompt", "segments"}, {"thresholds", "ends"}, visit);
        });
    });
}

} // namespace crx

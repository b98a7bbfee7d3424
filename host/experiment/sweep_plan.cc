#include "host/experiment/sweep_plan.hh"

#include "host/error.hh"
#include "host/experiment/axis.hh"
#include "host/input/accepted.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <set>

namespace crx {

namespace {

bool is_name(std::string const& text)
{
    auto const letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    auto const rest = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), rest);
}

constexpr char const* name_rule = "called by letters, digits and _, not a digit first";

/// Sets `path` ("workload.output.upper") in a document, making tables on the way.
void assign(ConfigValue& document, std::string const& path, ConfigValue const& value,
            std::string const& key)
{
    auto* at = &document;
    for (std::size_t start = 0;;) {
        auto const dot = path.find('.', start);
        auto const part = path.substr(start, dot - start);
        if (at->kind != ConfigValue::Kind::table || part.empty())
            throw ConfigError(value.where, key, value.written(),
                              "under a name that leads through tables only");
        auto* next = at->find(part);
        if (next == nullptr) {
            ConfigValue made;
            made.where = value.where;
            at->table.push_back({part, made});
            next = &at->table.back().value;
        }
        at = next;
        if (dot == std::string::npos) break;
        start = dot + 1;
    }
    *at = value;
}

/// Every value of [sweep.set] by its dotted key; a table in braces counts as one value.
void flatten(ConfigValue const& table, std::string const& prefix,
             std::vector<std::pair<std::string, ConfigValue const*>>& out)
{
    for (auto const& [name, value] : table.table) {
        auto const path = prefix.empty() ? name : prefix + "." + name;
        if (value.kind == ConfigValue::Kind::table && !value.braced)
            flatten(value, path, out);
        else
            out.emplace_back(path, &value);
    }
}

/// The document with the values of [sweep.set] in place.
ConfigValue with_set(ConfigValue const& document, ConfigReader& reader)
{
    auto changed = document;
    auto const* set = reader.find("set");
    if (set == nullptr) return changed;
    if (set->kind != ConfigValue::Kind::table)
        reader.reject("set", *set, "a table of workload keys or variables");
    std::vector<std::pair<std::string, ConfigValue const*>> values;
    flatten(*set, "", values);
    auto const* variables = document.find("variables");
    for (auto const& [path, value] : values) {
        auto const key = reader.path("set") + "." + path;
        if (variables != nullptr && variables->find(path) != nullptr)
            assign(changed, "variables." + path, *value, key);
        else if (path.starts_with("workload.") || path.starts_with("variables."))
            assign(changed, path, *value, key);
        else
            throw ConfigError(value->where, key, value->written(),
                              "a variable, or a key that begins with workload.");
    }
    return changed;
}

} // namespace

std::vector<std::pair<std::string, Expression>> read_variables(ConfigValue const& document)
{
    std::vector<std::pair<std::string, Expression>> out;
    auto const* table = document.find("variables");
    if (table == nullptr) return out;
    if (table->kind != ConfigValue::Kind::table)
        throw ConfigError(table->where, "variables", table->written(),
                          "a table of numbers and expressions");
    constexpr std::size_t most = 256; // each may be defined by the next, which is evaluated inside
    if (table->table.size() > most)
        throw InputError(table->where + ": variables: there are " +
                         std::to_string(table->table.size()) + "; at most " + std::to_string(most) +
                         " are accepted");
    for (auto const& [name, value] : table->table) {
        auto const key = "variables." + name;
        if (!is_name(name)) throw ConfigError(value.where, key, value.written(), name_rule);
        Expression expression(value, key, "a number");
        expression.set_range({}); // finite
        out.emplace_back(name, std::move(expression));
    }
    return out;
}

namespace {

/// Why an axis cannot have the name of a field that this workload has no number for.
std::string why_no_axis(WorkloadSpec const& workload, std::string const& name)
{
    if (name == "prompt" && workload.prompt.law)
        return "prompt is a law in this file, so it cannot be an axis; write `prompt = 0` in "
               "[workload]";
    if (name == "prompt" && workload.output.trace)
        return "prompts are those of the trace in this file, so prompt cannot be an axis";
    return name + " is the name of a field that this workload does not have; give the axis "
                  "another name";
}

/// Variables whose name a field of the workload has too.
void check_names(SweepPlan const& plan, std::string const& key)
{
    std::set<std::string> fields{"requests", "memory",  "prompt", "lower", "upper",
                                 "least",    "largest", "x",      "width"};
    for (auto const& [name, expression] : plan.workload.expressions()) fields.insert(name);
    for (auto const& [name, expression] : plan.variables)
        if (fields.contains(name))
            throw ConfigError(expression.where(), expression.key(), expression.written(),
                              "given another name: " + name + " is a field of the workload");
    for (auto const& [name, where] : plan.axis_places)
        if (fields.contains(name) && !plan.workload.given_by_axis.contains(name))
            throw InputError(where + ": " + key + ".axes." + name +
                             "\n  not accepted: " + why_no_axis(plan.workload, name));
}

/// Rejects an axis that no number of a cell depends on.
void check_fields_use_axes(SweepPlan const& plan, std::vector<PolicyPlan> const& policies,
                           std::string const& key)
{
    std::map<std::string, Expression const*> definition;
    for (auto const& [name, expression] : plan.variables) definition.emplace(name, &expression);
    std::vector<Expression const*> open;
    for (auto const& [name, expression] : plan.workload.expressions()) {
        open.push_back(expression);
        definition.emplace(name, expression);
    }
    for (auto const& policy : policies) {
        for (auto const& parameter : policy.parameters)
            for (auto const& number : parameter.numbers) open.push_back(&number);
        if (policy.by_key) {
            open.push_back(&policy.by_key->key);
            open.push_back(&policy.by_key->plans_with);
        }
    }
    UsedNames used;
    while (!open.empty()) {
        auto const* expression = open.back();
        open.pop_back();
        for (auto const& name : expression->names())
            if (used.try_emplace(name, *expression).second && !plan.axis_places.contains(name))
                if (auto const found = definition.find(name); found != definition.end())
                    open.push_back(found->second);
    }
    std::vector<std::string> names{"lower", "upper", "least", "largest", "width"}; // of all cells
    names.insert(names.end(), std::begin(key_fields), std::end(key_fields));       // of requests
    for (auto const& [name, expression] : definition) names.push_back(name);
    check_axes_used(plan.axis_places, used, names, key);
}

/// Whether the axis sets a number that is whole.
bool is_whole(SweepPlan const& plan, std::string const& axis)
{
    auto const given = plan.workload.given_by_axis.find(axis);
    return given != plan.workload.given_by_axis.end() && given->second;
}

/// The refinement of a capacity, where the sweep has its axis.
std::optional<Refinement> refinement_of(std::optional<CapacityPlan> const& capacity,
                                        SweepPlan const& plan)
{
    if (!capacity) return {};
    for (auto const& axis : plan.sweep.axes)
        if (axis.first == capacity->axis) {
            if (is_whole(plan, axis.first))
                throw ConfigError(capacity->where, "capacity.over", axis.first,
                                  "an axis that may lie between its values");
            return Refinement{axis.first, capacity->rounds, "", capacity->share};
        }
    return {};
}

void read_refinement(ConfigReader& sweep, SweepPlan& plan,
                     std::vector<std::string> const& baselines,
                     std::optional<CapacityPlan> const& capacity)
{
    plan.sweep.refinement = refinement_of(capacity, plan);
    auto const* value = sweep.find("refine");
    if (value == nullptr) return;
    if (plan.sweep.refinement)
        sweep.reject("refine", *value, "left out: [capacity] looks closer along " + capacity->axis);
    ConfigReader reader(*value, sweep.path("refine"));
    std::vector<std::string> names;
    for (auto const& axis : plan.sweep.axes) names.push_back(axis.first);
    Refinement refinement;
    refinement.axis = reader.choice("axis", names);
    if (is_whole(plan, refinement.axis))
        reader.reject("axis", *reader.find("axis"),
                      "an axis that may lie between its values; " + refinement.axis +
                          " is an integer");
    refinement.rounds = static_cast<int>(reader.integer("rounds", 0, 40));
    // Cells are compared by all of their instances, and opt has some of them only.
    auto comparable = baselines;
    std::erase(comparable, "opt");
    if (comparable.empty())
        throw ConfigError(reader.table().where, reader.path("baseline"), "\"opt\"",
                          "another denominator of baselines.use: opt has some instances only");
    refinement.baseline = reader.choice("baseline", comparable, comparable.front());
    reader.finish();
    if (refinement.rounds > 0) plan.sweep.refinement = refinement; // 0: the grid alone
}

} // namespace

Coordinates point_of(Sweep const& sweep, std::size_t number)
{
    Coordinates point(sweep.axes.size());
    for (std::size_t k = sweep.axes.size(); k-- > 0;) {
        auto const& [axis, values] = sweep.axes[k];
        point[k] = {axis, values[number % values.size()]};
        number /= values.size();
    }
    return point;
}

std::size_t points_of(Sweep const& sweep)
{
    std::size_t points = 1;
    for (auto const& axis : sweep.axes) points *= axis.second.size();
    return points;
}

SweepFrame read_sweep_frame(ConfigValue const& document, ConfigReader& reader,
                            std::string const& key)
{
    Sweep sweep;
    sweep.name = reader.text("name");
    if (!is_name(sweep.name)) reader.reject("name", *reader.find("name"), name_rule);
    AxisPlaces places;
    if (auto const* axes = reader.find("axes")) {
        if (axes->kind != ConfigValue::Kind::table) reader.reject("axes", *axes, "a table of axes");
        for (auto const& [name, value] : axes->table) {
            if (!is_name(name))
                throw ConfigError(value.where, key + ".axes." + name, value.written(), name_rule);
            auto values = read_axis(value, key + ".axes." + name);
            for (double x : values)
                if (name == "alpha" && !(x > 0 && x <= 1))
                    throw ConfigError(value.where, key + ".axes.alpha", value.written(),
                                      "values in (0, 1], and " + written_number(x) + " is not");
            sweep.axes.emplace_back(name, std::move(values));
            places[name] = value.where;
        }
    }
    return {std::move(sweep), std::move(places), with_set(document, reader)};
}

void check_axes_used(AxisPlaces const& axes, UsedNames const& used,
                     std::vector<std::string> const& others, std::string const& key)
{
    for (auto const& [axis, where] : axes) {
        if (used.contains(axis)) continue;
        for (auto const& [name, expression] : used)
            if (std::ranges::find(others, name) == others.end() && !axes.contains(name) &&
                nearest_name(name, {axis}) == axis)
                throw ConfigError(expression.where(), expression.key(), expression.written(),
                                  "an expression of known names, and " + name +
                                      " is none (did you mean the axis " + axis + "?)");
        auto names = others;
        std::erase(names, axis);
        auto const nearest = nearest_name(axis, names);
        throw InputError(where + ": " + key + ".axes." + axis +
                         "\n  not accepted: must be an axis that the cells depend on; no field of "
                         "workload or policy uses " +
                         axis + (nearest.empty() ? "" : " (did you mean " + nearest + "?)"));
    }
}

void check_sweep_sizes(std::vector<ConfigValue> const& list, std::vector<Sweep> const& sweeps)
{
    double cells = 0;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        auto const key = "sweep." + std::to_string(i);
        ConfigReader reader(list[i], key);
        for (std::size_t k = 0; k < i; ++k)
            if (sweeps[k].name == sweeps[i].name)
                reader.reject("name", *reader.find("name"), "a name that no other sweep has");
        double product = 1;
        for (auto const& axis : sweeps[i].axes) product *= static_cast<double>(axis.second.size());
        cells += product;
        if (!(cells <= static_cast<double>(most_cells)))
            throw InputError(
                list[i].where + ": " + key + " = \"" + sweeps[i].name +
                "\"\n  not accepted: must be sweeps of at most " + std::to_string(most_cells) +
                " cells in all, and with this one there " + "are " + written_number(cells));
    }
}

namespace {

/// Throws where no interval is given and a policy plans with it.
void require_interval(IntervalSpec const& interval, std::vector<PolicyPlan> const& policies)
{
    for (auto const& policy : policies)
        if (!interval.given && policy.reads_interval)
            throw InputError(interval.where + ": " + interval.key +
                             "\n  missing: must be a table with a rule: policy " +
                             policy.entry.label + " plans with prediction intervals");
}

SweepPlan read_sweep(ConfigValue const& document, ConfigReader& reader, std::string const& key,
                     std::vector<PolicyPlan> const& policies,
                     std::vector<std::string> const& baselines,
                     std::optional<CapacityPlan> const& capacity, TraceFiles& traces)
{
    auto [sweep, places, changed] = read_sweep_frame(document, reader, key);
    auto const* workload = changed.find("workload");
    if (workload == nullptr)
        throw InputError(document.where + ": workload\n  missing: must be a table");
    SweepPlan plan{std::move(sweep), read_workload(*workload, places, traces),
                   read_variables(changed), places};
    require_interval(plan.workload.interval, policies);
    read_refinement(reader, plan, baselines, capacity);
    check_names(plan, key);
    check_fields_use_axes(plan, policies, key);
    return plan;
}

} // namespace

SweepPlan const* Experiment::Detail::find(std::string const& sweep) const
{
    for (auto const& plan : sweeps)
        if (plan.sweep.name == sweep) return &plan;
    return nullptr;
}

namespace {

/// What a [[sweep]] may have, where it is read no further than a mistake.
std::vector<std::string> const sweep_keys{"name", "axes", "set", "refine"};

} // namespace

void check_workloads(ConfigReader& top, TraceFiles& traces)
{
    auto const& list = top.tables("sweep", "at least one [[sweep]] with a name");
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const key = "sweep." + std::to_string(i);
        ConfigReader reader(list[i], key);
        reader.find("refine"); // needs baselines
        auto const read = [&] {
            auto const frame = read_sweep_frame(top.table(), reader, key);
            if (auto const* workload = frame.document.find("workload"))
                read_workload(*workload, frame.axis_places, traces);
        };
        reader.read_parts({read}, sweep_keys);
    }
}

std::vector<SweepPlan> read_sweeps(ConfigReader& top, std::vector<PolicyPlan> const& policies,
                                   std::vector<std::string> const& baselines,
                                   std::optional<CapacityPlan> const& capacity, TraceFiles& traces)
{
    auto const& list = top.tables("sweep", "at least one [[sweep]] with a name");
    std::vector<SweepPlan> plans;
    std::vector<Sweep> sweeps;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const key = "sweep." + std::to_string(i);
        ConfigReader reader(list[i], key);
        auto const read = [&] {
            plans.push_back(
                read_sweep(top.table(), reader, key, policies, baselines, capacity, traces));
        };
        reader.read_parts({read}, sweep_keys);
        sweeps.push_back(plans.back().sweep);
        check_sweep_sizes(list, sweeps);
    }
    if (capacity && std::ranges::none_of(sweeps, [](auto const& s) {
            return s.refinement && s.refinement->is_capacity();
        }))
        throw ConfigError(capacity->where, "capacity.over", capacity->axis,
                          "an axis of a sweep, such as offered_load");
    return plans;
}

} // namespace crx

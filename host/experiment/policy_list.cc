#include "host/experiment/policy_list.hh"

#include "host/error.hh"
#include "host/experiment/own_order.hh"
#include "host/input/accepted.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace crx {

namespace {

/// Cells of the scaled table, B / epsilon.
constexpr std::int64_t most_table_cells = 1'000'000;

void read_sorted_f(ConfigReader& reader, PolicyPlan& plan)
{
    auto const names = selector_ids();
    auto const id = reader.choice("selector", names);
    sorted_f::Settings settings;
    settings.selector =
        static_cast<sorted_f::Selector>(std::ranges::find(names, id) - names.begin());
    if (settings.selector == sorted_f::Selector::scaled)
        settings.cells = reader.integer("cells", 1, most_table_cells, settings.cells);
    plan.kind = ArrivalOrder::kind;
    plan.sorted_f = settings;
    plan.where = reader.find("selector")->where;
    plan.key = reader.path("selector");
}

/// Nothing where the id is not one of them.
std::optional<sorted_lp::Rule> rule_of(std::string const& id)
{
    auto const* const found = std::ranges::find(sorted_lp::rule_ids, id);
    if (found == std::end(sorted_lp::rule_ids)) return std::nullopt;
    return static_cast<sorted_lp::Rule>(found - std::begin(sorted_lp::rule_ids));
}

} // namespace

bool runs_by_itself(std::string const& id)
{
    return id == sorted_f_id || id == own_order_id || id == own_decisions_id || id == by_key_id ||
           id == program_id || rule_of(id);
}

std::vector<std::string> policy_ids()
{
    std::vector<std::string> ids;
    for (auto const& info : policy_table()) ids.emplace_back(info.id);
    ids.emplace_back(sorted_f_id);
    ids.insert(ids.end(), std::begin(sorted_lp::rule_ids), std::end(sorted_lp::rule_ids));
    ids.emplace_back(own_order_id);
    ids.emplace_back(own_decisions_id);
    ids.emplace_back(by_key_id);
    ids.emplace_back(program_id);
    return ids;
}

std::vector<std::string> selector_ids()
{
    return {std::begin(sorted_f::selector_names), std::end(sorted_f::selector_names)};
}

void check_label(ConfigReader& reader, std::string const& label)
{
    if (!label.empty() && label.find_first_of("=+-@\t\r") != 0) return;
    reader.reject("label", *reader.find("label"),
                  "a text that is not empty and begins with none of = + - @, which a spreadsheet "
                  "would take for a formula");
}

namespace {

PolicyPlan read_policy(ConfigReader& reader, std::filesystem::path const& folder)
{
    PolicyPlan plan;
    plan.entry.id = reader.choice("id", policy_ids());
    plan.entry.label = reader.text("label", plan.entry.id);
    if (auto const* info = find_policy(plan.entry.id)) {
        plan.kind = info->kind;
        plan.plans_with_upper = info->plans_with_upper;
        plan.parameters = read_parameters(reader, *info);
        plan.reads_interval = !info->knows_lengths;
    }
    if (plan.entry.id == sorted_f_id) read_sorted_f(reader, plan);
    if (auto const rule = rule_of(plan.entry.id)) {
        plan.kind = ArrivalOrder::kind;
        plan.by_program = rule;
        plan.where = reader.find("id")->where;
        plan.key = reader.path("id");
    }
    if (plan.entry.id == own_order_id || plan.entry.id == own_decisions_id) {
        plan.reads_interval = plan.plans_with_upper =
            plan.entry.id == own_decisions_id && !reader.flag("knows_lengths", false);
        plan.kind = ArrivalOrder::kind;
        if (reader.find("digest") == nullptr)
            reader.reject("id", *reader.find("id"),
                          "another policy in a file: this one is what a Python function or object "
                          "decides, crx.sweep(.., policies = {..}) (docs/python.md)");
        plan.own_digest = reader.text("digest");
        plan.where = reader.find("id")->where;
        plan.key = reader.path("id");
    }
    if (plan.entry.id == by_key_id) {
        plan.kind = ArrivalOrder::kind;
        plan.by_key = read_by_key(reader);
        plan.plans_with_upper = plan.by_key->plans_with_upper();
        plan.reads_interval = plan.by_key->reads_interval();
    }
    if (plan.entry.id == program_id) {
        plan.kind = ArrivalOrder::kind;
        auto program = read_program(reader, folder);
        program.command.policy = plan.entry.label;
        plan.program = std::make_shared<ProgramPolicy>(program);
        plan.plans_with_upper = plan.reads_interval = !program.knows_lengths;
    }
    if (plan.by_key || plan.program) {
        plan.where = reader.find("id")->where;
        plan.key = reader.path("id");
    }
    reader.finish();
    return plan;
}

} // namespace

std::vector<PolicyPlan> read_policies(ConfigReader& top, std::filesystem::path const& folder)
{
    auto const& list = top.tables("policy", "at least one [[policy]] with an id");
    std::vector<PolicyPlan> plans;
    Mistakes mistakes;
    for (std::size_t i = 0; i < list.size(); ++i)
        mistakes.collect([&] {
            ConfigReader reader(list[i], "policy." + std::to_string(i));
            auto plan = read_policy(reader, folder);
            for (auto const& other : plans)
                if (other.entry.label == plan.entry.label) {
                    auto const* label = list[i].find("label");
                    reader.reject(label != nullptr ? "label" : "id",
                                  label != nullptr ? *label : *list[i].find("id"),
                                  "a policy with a label of its own (label = \"..\")");
                }
            check_label(reader, plan.entry.label);
            plans.push_back(std::move(plan));
        });
    mistakes.throw_all();
    return plans;
}

namespace {

constexpr char const *accepted_key = "an exact expression of a request",
                     *usual_plans_with = "upper";

/// The place of what the table chooses among names; the first where it says nothing.
template <std::size_t N>
std::ptrdiff_t chosen_of(ConfigReader& reader, char const* name, char const* const (&ids)[N])
{
    std::vector<std::string> const names(std::begin(ids), std::end(ids));
    return std::ranges::find(names, reader.choice(name, names, names.front())) - names.begin();
}

ConfigValue text_value(std::string const& text, std::string const& where)
{
    ConfigValue value;
    value.kind = ConfigValue::Kind::text;
    value.text = text;
    value.where = where;
    return value;
}

/// Throws ConfigError where the text is no exact expression.
KeyExpression exact(std::string const& text, std::string const& where, std::string const& key)
{
    try {
        return KeyExpression(text);
    } catch (std::invalid_argument const& error) {
        throw ConfigError(where, key, '"' + text + '"',
                          std::string(accepted_key) + " (" + error.what() + ")");
    }
}

Expression read_expression(ConfigReader& reader, std::string const& name, char const* usual)
{
    auto const* value = reader.find(name);
    if (value == nullptr && usual == nullptr)
        reader.reject_missing(name, std::string(accepted_key) +
                                        " in quotes, the least value of which is served first: "
                                        "\"prompt * output\"");
    auto const fallback = text_value(usual == nullptr ? "" : usual, reader.table().where);
    Expression expression(value == nullptr ? fallback : *value, reader.path(name), accepted_key);
    exact(expression.text(), expression.where(), expression.key());
    return expression;
}

/// Whether the text of a plan has the field.
bool reads(Expression const& expression, KeyField field)
{
    return std::ranges::find(expression.names(), key_fields[static_cast<int>(field)]) !=
           expression.names().end();
}

/// With the values that names have in a cell, as decimals.
KeyExpression in_cell(Expression const& expression, NameTable& names)
{
    auto const parsed = exact(expression.text(), expression.where(), expression.key());
    std::vector<std::string> values;
    for (auto const& name : parsed.names()) {
        if (!names.has(name))
            throw ConfigError(
                expression.where(), expression.key(), expression.written(),
                "an expression of axes, variables and a request's " +
                    listed_with_nearest(name, {std::begin(key_fields), std::end(key_fields)}) +
                    ", and " + name + " is none of them");
        auto const value = names.value_of(name, expression);
        auto const text = written_number(value);
        try {
            if (!std::isfinite(value)) throw std::range_error("it is not finite");
            exact_decimal(value < 0 ? text.substr(1) : text);
        } catch (std::exception const& error) {
            throw ConfigError(expression.where(), expression.key(),
                              expression.written() + ", in which " + name + " is " + text +
                                  names.at(),
                              std::string("an expression of names that are exact decimals (") +
                                  error.what() + ")");
        }
        values.push_back(value < 0 ? "(" + text + ")" : text);
    }
    return parsed.with(values);
}

} // namespace

bool ByKeyPlan::reads_interval() const
{
    return plans_with_upper() || reads(key, KeyField::lower) || reads(plans_with, KeyField::lower);
}
bool ByKeyPlan::plans_with_upper() const
{
    return reads(key, KeyField::upper) || reads(plans_with, KeyField::upper);
}
bool ByKeyPlan::knows_lengths() const
{
    return reads(key, KeyField::output) || reads(plans_with, KeyField::output);
}

ByKeyPlan read_by_key(ConfigReader& reader)
{
    auto key = read_expression(reader, "key", nullptr);
    auto plans_with = read_expression(reader, "plans_with", usual_plans_with);
    for (auto const field : {KeyField::waited, KeyField::generated})
        if (reads(plans_with, field))
            throw ConfigError(plans_with.where(), plans_with.key(), plans_with.written(),
                              std::string("an expression of what is known when a request arrives, "
                                          "which ") +
                                  key_fields[static_cast<int>(field)] + " is not");
    auto const on_overflow =
        static_cast<OnOverflow>(chosen_of(reader, "on_overflow", on_overflow_ids));
    return {std::move(key), std::move(plans_with), on_overflow,
            static_cast<Ties>(chosen_of(reader, "ties", ties_ids))};
}

std::shared_ptr<ByKey const> plan_by_key(ByKeyPlan const& plan, NameTable& names)
{
    return std::make_shared<ByKey>(in_cell(plan.key, names), in_cell(plan.plans_with, names),
                                   plan.on_overflow, plan.ties);
}

std::shared_ptr<ByKey const> by_key_argument(PolicyParameters const& given)
{
    ConfigValue table;
    table.where = "command line";
    for (auto const& parameter : own_parameters)
        if (std::string_view(parameter.policy) == by_key_id)
            if (auto const found = given.find(parameter.name);
                found != given.end() && !found->second.empty())
                table.table.push_back({parameter.name, text_value(found->second, table.where)});
    ConfigReader reader(table, "policy by-key");
    NameTable names("");
    return plan_by_key(read_by_key(reader), names);
}

} // namespace crx

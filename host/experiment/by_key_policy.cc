#include "host/experiment/by_key_policy.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace crx {
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

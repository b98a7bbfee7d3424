#include "host/experiment/name_table.hh"

#include "host/error.hh"
#include "host/experiment/reading/nearest_name.hh"

namespace crx {

void NameTable::define(std::string const& name, Expression const& expression)
{
    definition_.emplace(name, &expression);
}

bool NameTable::has(std::string const& name) const
{
    return value_.contains(name) || definition_.contains(name);
}

double NameTable::value_of(std::string const& name, Expression const& used_in)
{
    if (auto const known = value_.find(name); known != value_.end()) return known->second;
    auto const found = definition_.find(name);
    if (found == definition_.end()) {
        std::vector<std::string> names;
        for (auto const& entry : value_) names.push_back(entry.first);
        for (auto const& entry : definition_) names.push_back(entry.first);
        throw ConfigError(used_in.where(), used_in.key(), used_in.written(),
                          names.empty()
                              ? "a number: no axis or variable has the name " + name + at_
                              : "an expression of the names " + listed_with_nearest(name, names) +
                                    ", and " + name + " is none of them");
    }
    if (!in_progress_.insert(name).second)
        throw ConfigError(used_in.where(), used_in.key(), used_in.written(),
                          "an expression that does not lead back to itself, and " + name +
                              " depends on itself");
    auto const& expression = *found->second;
    auto const range = name == "alpha" ? alpha_range() : expression.range();
    auto const value = range ? evaluate(expression, *range) : evaluate(expression);
    in_progress_.erase(name);
    value_[name] = value;
    return value;
}

double NameTable::evaluate(Expression const& expression)
{
    return expression.evaluate([&](std::string const& name) { return value_of(name, expression); });
}

double NameTable::evaluate(Expression const& expression, NumberRange const& range)
{
    auto const value = evaluate(expression);
    if (!range.contains(value))
        expression.reject(value, expression.names().empty() ? "" : at_, range.accepted());
    return value;
}

} // namespace crx

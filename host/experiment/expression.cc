#include "host/experiment/expression.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"

#include <cmath>
#include <map>
#include <muParser.h>
#include <mutex>

namespace crx {

namespace {

double round_value(double x) { return std::round(x); }
double floor_value(double x) { return std::floor(x); }
double ceil_value(double x) { return std::ceil(x); }

/// muParser's assignment would change a name's value in the middle of an expression.
bool assigns(std::string const& text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        if (i + 1 < text.size() && text[i + 1] == '=') {
            ++i;
            continue;
        }
        if (i == 0 || std::string("<>!").find(text[i - 1]) == std::string::npos) return true;
    }
    return false;
}

} // namespace

struct Expression::Compiled
{
    std::mutex mutex; // muParser evaluates through the variables it is bound to
    mu::Parser parser;
    std::map<std::string, double> variable;
};

Expression::Expression(ConfigValue const& value, std::string key, std::string const& accepted)
    : where_(value.where), key_(std::move(key)), written_(value.written()), text_(written_)
{
    if (value.is_number()) {
        constant_ = value.number();
        return;
    }
    if (value.kind != ConfigValue::Kind::text)
        throw ConfigError(where_, key_, written_, accepted + ", or an expression in quotes");
    auto const refuse = [&](std::string const& why) {
        throw ConfigError(where_, key_, written_,
                          accepted + ", or an expression in quotes (" + why + ")");
    };
    text_ = value.text;
    if (value.text.size() > 1000) refuse("this one is longer than 1000 characters");
    if (assigns(value.text)) refuse("= assigns, == compares");
    compiled_ = std::make_shared<Compiled>();
    auto& parser = compiled_->parser;
    try {
        parser.DefineFun("round", round_value);
        parser.DefineFun("floor", floor_value);
        parser.DefineFun("ceil", ceil_value);
        parser.SetExpr(value.text);
        for (auto const& used : parser.GetUsedVar()) names_.push_back(used.first);
        for (auto const& name : names_) parser.DefineVar(name, &compiled_->variable[name]);
        parser.Eval();
        if (parser.GetNumResults() != 1)
            refuse("this one has " + std::to_string(parser.GetNumResults()) + " values");
    } catch (mu::Parser::exception_type const& error) {
        refuse(error.GetMsg());
    }
}

Expression Expression::of_name(std::string const& name, std::string where, std::string key)
{
    ConfigValue value;
    value.kind = ConfigValue::Kind::text;
    value.text = name;
    value.where = std::move(where);
    return {value, std::move(key), "a number"};
}

Expression Expression::of_number(double number, std::string where, std::string key)
{
    Expression expression;
    expression.constant_ = number;
    expression.where_ = std::move(where);
    expression.key_ = std::move(key);
    expression.text_ = expression.written_ = written_number(number);
    return expression;
}

double Expression::evaluate(Lookup const& lookup) const
{
    if (compiled_ == nullptr) return constant_;
    // Look up first: a name may be an expression that this one's lock must not wait for.
    std::vector<double> value;
    for (auto const& name : names_) value.push_back(lookup(name));
    std::lock_guard const lock(compiled_->mutex);
    for (std::size_t i = 0; i < names_.size(); ++i) compiled_->variable[names_[i]] = value[i];
    return compiled_->parser.Eval();
}

void Expression::reject(double value, std::string const& at, std::string const& accepted) const
{
    auto shown = shortened(written_);
    if (compiled_ != nullptr) shown += ", which is " + written_number(value);
    shown += at;
    auto const hint = compiled_ != nullptr && std::isfinite(value) && value != std::floor(value) &&
                              accepted.starts_with("an integer")
                          ? " (round(..), floor(..) and ceil(..) make one)"
                          : "";
    throw ConfigError(where_, key_, shown, accepted + hint);
}

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

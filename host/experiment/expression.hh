#pragma once

#include "host/input/accepted.hh"
#include "host/input/config_reader.hh"
#include "host/input/config_value.hh"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crx {

/// A number of an experiment file: written as one, or as an expression of names in a text.
///
/// Operators + - * / ^ ( ) comparisons and `a ? b : c`; functions round (halves away from zero),
/// floor, ceil, min, max, abs, sqrt, exp, log (natural), log2, log10.
class Expression
{
  public:
    /// Throws ConfigError if the value is neither a number nor a well-formed expression; names are
    /// not checked here. `accepted` says what the number is to be.
    Expression(ConfigValue const& value, std::string key, std::string const& accepted);
    /// The name itself, as an axis gives it.
    static Expression of_name(std::string const& name, std::string where, std::string key);
    /// A constant that the file does not have.
    static Expression of_number(double value, std::string where, std::string key);

    using Lookup = std::function<double(std::string const&)>;
    /// The value, where `lookup` gives that of each name. May be called from several threads.
    double evaluate(Lookup const& lookup) const;

    /// Where its value must lie in every use. Not checked here.
    void set_range(NumberRange const& range) { range_ = range; }
    std::optional<NumberRange> const& range() const { return range_; }

    std::vector<std::string> const& names() const { return names_; } ///< that it depends on
    std::string const& where() const { return where_; }
    std::string const& key() const { return key_; }
    std::string const& written() const { return written_; }
    /// Without quotes.
    std::string const& text() const { return text_; }

    /// Throws the error that the value is not accepted; `at` names the cell it came out in.
    [[noreturn]] void reject(double value, std::string const& at,
                             std::string const& accepted) const;

  private:
    Expression() = default;
    struct Compiled;
    double constant_ = 0;
    std::optional<NumberRange> range_;
    std::vector<std::string> names_;
    std::string where_, key_, written_, text_;
    std::shared_ptr<Compiled> compiled_; ///< null: constant
};

/// The names that a cell's expressions may use, each a number or an expression of other names.
/// Expressions must outlive the table.
class NameTable
{
  public:
    /// `at` names the cell's coordinates in messages.
    explicit NameTable(std::string at) : at_(std::move(at)) {}

    void set(std::string const& name, double value) { value_[name] = value; }
    /// Unless the name has a value already (an axis comes before what the file says).
    void define(std::string const& name, Expression const& expression);

    /// Throws ConfigError for an unknown name, a loop of names, `alpha` outside (0, 1], or a name
    /// whose expression comes out where it must not: of that expression, not of this one.
    double evaluate(Expression const& expression);
    /// Evaluates and throws ConfigError unless the value is in the range.
    double evaluate(Expression const& expression, NumberRange const& range);

    bool has(std::string const& name) const;
    double value_of(std::string const& name, Expression const& used_in);
    std::string const& at() const { return at_; }

  private:
    std::string at_;
    std::map<std::string, double> value_;
    std::map<std::string, Expression const*> definition_;
    std::set<std::string> in_progress_;
};

/// Every variable or axis of this name is a ratio l/u.
inline NumberRange alpha_range() { return {0, 1, false, true, false}; }

/// Names of axes and where each is written.
using AxisPlaces = std::map<std::string, std::string>;

/// Reads numeric fields of the workload, from the file or from an axis.
class FieldReader
{
  public:
    FieldReader(AxisPlaces const& axes, std::map<std::string, bool>& given_by_axis)
        : axes_(axes), given_by_axis_(given_by_axis)
    {
    }

    /// `name` is what an axis that gives this field is called; empty: no axis can.
    Expression read(ConfigReader& reader, std::string const& key, std::string const& name,
                    NumberRange const& range, std::optional<double> fallback = {})
    {
        auto expression = written(reader, key, name, range, fallback);
        expression.set_range(range);
        // Integers are lengths and sizes, whose range no cell narrows.
        if (range.integer && expression.names().empty()) NameTable("").evaluate(expression, range);
        return expression;
    }
    /// Whether an axis gives the field of that name.
    bool has_axis(std::string const& name) const { return axes_.contains(name); }

  private:
    Expression written(ConfigReader& reader, std::string const& key, std::string const& name,
                       NumberRange const& range, std::optional<double> fallback)
    {
        auto const* value = reader.find(key);
        if (auto const axis = axes_.find(name); axis != axes_.end()) {
            given_by_axis_[name] = range.integer;
            return Expression::of_name(name, axis->second, reader.path(key));
        }
        if (value != nullptr) return {*value, reader.path(key), range.accepted()};
        if (fallback)
            return Expression::of_number(*fallback, reader.table().where, reader.path(key));
        reader.reject_missing(key, range.accepted() + ", or an expression in quotes");
    }

    AxisPlaces const& axes_;
    std::map<std::string, bool>& given_by_axis_;
};

} // namespace crx

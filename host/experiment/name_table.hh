#pragma once

#include "host/experiment/expression.hh"

#include <map>
#include <set>
#include <string>

namespace crx {

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
    /// The same, and the value must be in the range.
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

} // namespace crx

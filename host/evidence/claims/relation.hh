#pragma once

#include "host/experiment/expression.hh"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crx::claims {

using Numbers = std::map<std::string, double>;

/// A number and what is known of its error: exact where the three are equal.
struct Interval
{
    double low = 0, value = 0, high = 0;
    Interval() = default;
    Interval(double exact) : low(exact), value(exact), high(exact) {}
    Interval(double from, double mean, double to) : low(from), value(mean), high(to) {}
};

/// Both sides of a relation at a point.
struct Compared
{
    Interval left, right;
    bool kept = false, missed = false; ///< neither: within the intervals
    double nearness = 0;               ///< above 1: past the bound; 1: on it
};

/// "LEFT <= RIGHT", also >=, <, > and ==: two expressions of names (host/experiment/expression.hh).
class Relation
{
  public:
    Relation() = default;
    /// Throws ConfigError: no comparison, or more than one, outside of brackets.
    Relation(ConfigValue const& value, std::string const& key);

    std::string const& text() const { return text_; }
    std::vector<std::string> names() const;

    /// A side's interval is that of its values at all ends of the intervals of its names, which is
    /// right where it rises or falls in each of them. `slack` moves the bound, relative to it.
    Compared compare(std::function<Interval(std::string const&)> const& value, double slack) const;

  private:
    std::string text_, sign_;
    std::optional<Expression> left_, right_;
};

} // namespace crx::claims

#pragma once

#include "host/experiment/reading/config_value.hh"
#include "host/experiment/reading/number_range.hh"

#include <functional>
#include <memory>
#include <optional>
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

    /// Where its value must lie whoever uses it. Not checked here.
    void set_range(NumberRange const& range) { range_ = range; }
    std::optional<NumberRange> const& range() const { return range_; }

    std::vector<std::string> const& names() const { return names_; } ///< that it depends on
    std::string const& where() const { return where_; }
    std::string const& key() const { return key_; }
    std::string const& written() const { return written_; }

    /// Throws the error that the value is not accepted; `at` names the cell it came out in.
    [[noreturn]] void reject(double value, std::string const& at,
                             std::string const& accepted) const;

  private:
    Expression() = default;
    struct Compiled;
    double constant_ = 0;
    std::optional<NumberRange> range_;
    std::vector<std::string> names_;
    std::string where_, key_, written_;
    std::shared_ptr<Compiled> compiled_; ///< null: constant
};

} // namespace crx

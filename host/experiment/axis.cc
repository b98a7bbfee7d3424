#include "host/experiment/axis.hh"

#include "analysis/laws/discrete_laws.hh"
#include "host/error.hh"
#include "host/experiment/expression.hh"
#include "host/input/config_reader.hh"

#include <algorithm>
#include <charconv>

namespace crx {

namespace {

/// The nearest number of 12 significant decimal digits.
double rounded(Real const& x)
{
    char buffer[40];
    auto const end = std::to_chars(buffer, buffer + sizeof buffer, x.convert_to<double>(),
                                   std::chars_format::scientific, 11);
    double value = 0;
    std::from_chars(buffer, end.ptr, value);
    return value;
}

/// A number, or an expression without names.
double constant(ConfigReader& reader, std::string const& key)
{
    auto const accepted = std::string("a finite number");
    Expression const expression(reader.need(key, accepted), reader.path(key), accepted);
    auto const without_names = accepted + ", or an expression without names";
    if (!expression.names().empty())
        throw ConfigError(expression.where(), expression.key(), expression.written(),
                          without_names);
    auto const value = expression.evaluate({});
    if (!std::isfinite(value)) expression.reject(value, "", without_names);
    return value;
}

std::vector<double> range_by_step(ConfigReader& reader, double from, double to)
{
    auto const step = reader.number("step", positive_numbers());
    // A last point that rounding would lose is kept.
    auto const steps = std::floor((to - from) / step + 1e-9);
    if (!(steps < static_cast<double>(most_cells)))
        reader.reject("step", *reader.find("step"),
                      "a step of at most " + std::to_string(most_cells) + " points");
    std::vector<double> values;
    for (std::int64_t k = 0; k <= static_cast<std::int64_t>(steps); ++k)
        values.push_back(rounded(Real(from) + k * Real(step)));
    return values;
}

std::vector<double> range_by_points(ConfigReader& reader, double from, double to)
{
    auto const logarithmic = reader.choice("scale", {"linear", "log"}, "linear") == "log";
    auto const points = reader.integer("points", 1, most_cells);
    if (logarithmic && !(from > 0))
        reader.reject("from", *reader.find("from"), "a number above 0 on a log scale");
    if (points == 1 && from != to)
        reader.reject("points", *reader.find("points"), "at least 2 where from and to differ");
    if (points > 1 && from == to)
        reader.reject("points", *reader.find("points"), "1 where from and to are equal");
    Real const first = logarithmic ? Real(log(Real(from))) : Real(from);
    Real const last = logarithmic ? Real(log(Real(to))) : Real(to);
    std::vector<double> values;
    for (std::int64_t k = 0; k < points; ++k) {
        Real const x = points == 1 ? first : Real(first + (last - first) * k / (points - 1));
        values.push_back(k == 0            ? from
                         : k == points - 1 ? to
                                           : rounded(logarithmic ? Real(exp(x)) : x));
    }
    return values;
}

} // namespace

std::vector<double> read_axis(ConfigValue const& value, std::string const& key)
{
    std::string const accepted = "a list of numbers, or { from, to, points } or { from, to, step }";
    std::vector<double> values;
    if (value.kind == ConfigValue::Kind::list) {
        if (value.list.empty())
            throw ConfigError(value.where, key, value.written(), "a list of at least one number");
        for (std::size_t i = 0; i < value.list.size(); ++i) {
            auto const& element = value.list[i];
            if (!element.is_number() || !std::isfinite(element.number()))
                throw ConfigError(element.where, key + "." + std::to_string(i), element.written(),
                                  "a finite number");
            values.push_back(element.number());
        }
    } else if (value.kind == ConfigValue::Kind::table) {
        ConfigReader reader(value, key);
        auto const from = constant(reader, "from");
        auto const to = constant(reader, "to");
        if (!(from <= to))
            reader.reject("to", *reader.find("to"),
                          "at least from, which is " + written_number(from));
        if (value.find("step") != nullptr)
            values = range_by_step(reader, from, to);
        else
            values = range_by_points(reader, from, to);
        reader.find("step");
        reader.finish();
    } else {
        throw ConfigError(value.where, key, value.written(), accepted);
    }
    std::sort(values.begin(), values.end());
    auto const twice = std::adjacent_find(values.begin(), values.end());
    if (twice != values.end())
        throw ConfigError(value.where, key, value.written(),
                          "values that differ, and " + written_number(*twice) + " is there twice");
    return values;
}

} // namespace crx

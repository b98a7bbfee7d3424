#pragma once

#include "host/experiment/expression.hh"
#include "host/experiment/reading/config_reader.hh"

#include <map>

namespace crx {

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
        return expression;
    }

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

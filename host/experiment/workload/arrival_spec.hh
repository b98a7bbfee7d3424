#pragma once

#include "host/experiment/field_reader.hh"
#include "kernels/model/workload.cuh"

namespace crx {

/// [workload.clock] as the file says it.
struct ClockSpec
{
    bool affine = false; ///< without the table: the unit clock
    /// d0, d1, d2, d3 in nanoseconds, or those of a profile; and what all are multiplied by.
    std::vector<Expression> costs;
    std::optional<Expression> slowdown;
};

/// A step of a rate that varies.
struct RateStepSpec
{
    Expression rate;
    std::optional<Expression> duration; ///< none: for ever
};

/// [workload.arrivals] as the file says it.
struct ArrivalSpec
{
    ArrivalKind kind = ArrivalKind::at_zero;
    std::vector<RateStepSpec> rates; ///< of both Poisson laws
    bool repeat = false;
    std::optional<Expression> speed; ///< of trace
    std::string where, key;
};

/// Both throw InputError; a table that is left out is the unit clock, all at 0.
ClockSpec read_clock(ConfigReader& workload, FieldReader& fields);
ArrivalSpec read_arrivals(ConfigReader& workload, FieldReader& fields);

/// Every expression, under the name others may use it by; empty where it has none.
using NamedExpressions = std::vector<std::pair<std::string, Expression const*>>;
void add_expressions(ClockSpec const& clock, NamedExpressions& out);
void add_expressions(ArrivalSpec const& arrivals, NamedExpressions& out);

} // namespace crx

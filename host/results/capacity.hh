#pragma once

#include "host/experiment/measure_plan.hh"
#include "host/results/results.hh"

#include <nlohmann/json_fwd.hpp>

namespace crx {

/// What is known of one policy along a line of cells; nothing: it is beyond the line's values.
struct Capacity
{
    std::optional<double> holds, fails;               ///< by the shares that were measured
    std::optional<double> surely_holds, surely_fails; ///< by their intervals
};

/// What [capacity] of an experiment asks for, of a line of cells along the axis: a row a policy.
/// `holds` and `fails` are neighbouring values between which the share of requests within the
/// objective falls below what is asked. The interval is from the largest value up to which all
/// hold, and there surely, to the least that surely fails: all intervals of the line hold together
/// with `confidence` (each has its share of the error, after Bonferroni), so the capacity is in it
/// if more load never helps.
struct CapacityTable
{
    std::string sweep, axis;
    Coordinates others; ///< the other coordinates of its cells
    double share = 0;
    std::vector<Capacity> policies; ///< in the store's order
};

/// In the order of the store's cells.
std::vector<CapacityTable> capacity_tables(StoreContents const& contents, CapacityPlan const& plan,
                                           double confidence);

std::string capacity_text(StoreContents const& contents, std::vector<CapacityTable> const& tables,
                          double confidence);

/// A list, a table an object; null: beyond the line's values.
nlohmann::ordered_json capacity_json(StoreContents const& contents,
                                     std::vector<CapacityTable> const& tables, double confidence);

} // namespace crx

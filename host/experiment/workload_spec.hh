#pragma once

#include "host/experiment/arrivals.hh"
#include "host/experiment/law_catalogue.hh"
#include "host/input/trace_rows.hh"
#include "kernels/model/workload.cuh"

#include <filesystem>
#include <memory>

namespace crx {

// A workload as the file says it, with expressions in place of numbers: what a sweep's cells have
// in common.

/// A law of the catalogue with its fields in the order of the catalogue.
struct LawSpec
{
    LawShape const* shape = nullptr;
    std::vector<Expression> fields;
    std::string where, key; ///< of the law's table
};

/// Exact counts of each length.
struct CompositionSpec
{
    std::vector<Expression> values;
    std::vector<Expression> amounts; ///< counts, or weights
    bool weights = false;            ///< counts are shares of the requests, largest remainder
    std::string where, key;
};

struct TraceSource
{
    std::string name; ///< file name without folders
    std::shared_ptr<TraceRows const> rows;
    Expression weight;
    std::string where, key;
};

struct TraceSpec
{
    TraceOrder order = TraceOrder::sampled;
    std::vector<TraceSource> sources;
};

struct OutputSpec
{
    std::optional<LawSpec> law; ///< one of the three
    std::optional<CompositionSpec> composition;
    std::optional<TraceSpec> trace;
    bool exact_counts = false; ///< of the two-point law: round(w n) short ones
};

struct PromptSpec
{
    std::optional<Expression> constant; ///< neither: from the trace
    std::optional<LawSpec> law;
};

enum class IntervalChoice
{
    support,
    common,
    buckets,
    relative,
    exact
};

struct IntervalSpec
{
    /// Where it is not, the rule is exact, and every policy must know the lengths.
    bool given = true;
    IntervalChoice rule = IntervalChoice::exact;
    std::vector<Expression> fields; ///< common: lower, upper; buckets: width; relative: x
    std::string where, key;
};

struct WorkloadSpec
{
    Expression requests, memory;                  ///< the most of each where there is a source
    std::shared_ptr<InstanceSource const> source; ///< of whole instances; null: the laws below
    OutputSpec output;
    PromptSpec prompt;
    IntervalSpec interval;
    ClockSpec clock;
    ArrivalSpec arrivals;
    /// Fields that an axis of that name gives; whether they must be integers.
    std::map<std::string, bool> given_by_axis;

    /// Every expression, under the name others may use it by; empty where it has none.
    NamedExpressions expressions() const;
};

/// Reads [workload]. An axis with the name of a field gives that field's value.
/// Throws InputError.
WorkloadSpec read_workload(ConfigValue const& workload, AxisPlaces const& axes, TraceFiles& files);

inline NumberRange requests_range() { return integers_in(1, 100'000'000); }
inline NumberRange memory_range() { return integers_in(1, longest_length); }

} // namespace crx

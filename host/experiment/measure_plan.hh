#pragma once

#include "host/input/config_reader.hh"
#include "kernels/model/measures.hh"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// A limit as a file says it.
struct LimitSpec
{
    std::string name; ///< latency, first_token or per_token
    double value = 0;
    std::string unit; ///< ns, us, ms, s; empty: rounds
    std::string where, key, written;
};

/// [capacity]: along which axis the largest value is sought at which the objective is kept.
struct CapacityPlan
{
    std::string axis;
    double share = 0; ///< of requests within the objective
    int rounds = 0;   ///< of bisection
    std::string where;
};

/// [measures]: which measures of requests a sweep keeps beside the sums.
struct MeasurePlan
{
    MeasureChoice choice;
    std::vector<LimitSpec> limits;
    std::optional<CapacityPlan> capacity;
};

/// Names of the measures as files, panels and exports have them, in the order of RequestMeasure.
std::vector<std::string> const& request_measure_names();

/// What a panel can show of the measures: a statistic of one, or a total.
struct RequestStatistic
{
    int measure = 0;   ///< of RequestMeasure; -1: a total
    int statistic = 0; ///< place in request_statistics, or in request_totals
};
inline constexpr char const* request_statistics[] = {"mean", "p50", "p90", "p95", "p99", "max"};
inline constexpr char const* request_totals[] = {
    "throughput-requests", "throughput-tokens", "memory-mean",   "memory-above-90", "in-vain",
    "attainment",          "goodput-requests",  "goodput-tokens"};

/// Names of all, as "latency-p99" and "throughput-tokens", and the one of a name.
std::vector<std::string> request_statistic_names();
std::optional<RequestStatistic> request_statistic_named(std::string const& name);

/// Why a cell that keeps such measures has no such statistic; empty: it has it.
std::string refusal_of(RequestStatistic const& wanted, MeasurePlan const& plan);

/// With [capacity]. Left out: none. Throws ConfigError.
MeasurePlan read_measures(ConfigReader& top);

/// For a cell whose times are nanoseconds, if `timed`, or rounds. Throws ConfigError for limits in
/// seconds without a clock, or in rounds on one; `at` says where the cell is.
MeasureChoice plan_measures(MeasurePlan const& plan, bool timed, std::string const& at);

/// What identities of cells have of it.
nlohmann::json measures_identity(MeasureChoice const& choice);

} // namespace crx

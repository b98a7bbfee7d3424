#pragma once

#include "host/bench/measure.hh"
#include "kernels/engines/cell.hh"

#include <filesystem>

namespace crx {

/// 2,000 requests of two traces, M = 16492 (WANG section 6): 1,600 sampled rows of the first, say
/// conversations, and 400 of the second, say summaries, of those that fit under every interval of
/// trace_intervals. All at 0.
///
/// Throws InputError as read_trace does, and where no row of a file fits.
Workload trace_workload(std::filesystem::path const& first, std::filesystem::path const& second);

struct TraceInterval
{
    char const* name;
    IntervalRule rule;
};
/// What a-min is told; the paper's experiments use relative and bucketed predictions.
inline constexpr TraceInterval trace_intervals[] = {
    {"x = 0.5", {IntervalKind::relative, 1, 1, 100, 1, 2}},
    {"x = 0.2", {IntervalKind::relative, 1, 1, 100, 1, 5}},
    {"buckets", {IntervalKind::buckets, 1, 1, 100, 0, 1}},
};

/// The request engine on instance 0 of the workload, made beforehand; the policy's own words differ
/// from run to run.
Contender trace_engine_contender(std::string const& name, Workload const& workload,
                                 PolicyKind kind);
/// The C++ round loop on the same instance, for mc-sf sorted beforehand too, in the loop's favour.
/// Policies: mc-sf, a-min.
Contender trace_loop_contender(std::string const& name, Workload const& workload, PolicyKind kind,
                               bool branch_free);

} // namespace crx

#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"

#include <algorithm>

namespace crx {

namespace {

LaneNeeds needs_of(WorkloadView const& w)
{
    auto const rounds = most_lane_rounds(w, w.interval.upper, w.interval.upper);
    return {rounds, rounds, std::min(w.requests, std::int64_t{w.interval.upper} + 1)};
}

} // namespace

std::string a_max_batch_refusal(WorkloadView const& w)
{
    if (w.requests == 0) return "there are no requests";
    if (w.output_value.size() > most_a_max_lengths)
        return "there are more than " + std::to_string(most_a_max_lengths) + " output lengths";
    return lanes_refusal(w, needs_of(w));
}

LaneFit a_max_batch_fit(WorkloadView const& w)
{
    return a_max_batch_refusal(w).empty() ? lane_fit(w, needs_of(w)) : LaneFit::none;
}

std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& w, SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_a_max_batch);
    auto const fit = a_max_batch_fit(w);
    if (make == nullptr || fit == LaneFit::none) return nullptr;
    return std::unique_ptr<InstanceBatch>(make(w, fit == LaneFit::floats));
}

} // namespace crx

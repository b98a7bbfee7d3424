#include "kernels/engines/cohorts/instance_batch.hh"

#include "kernels/engines/cohorts/composition.cuh"

namespace crx {

InstanceBatch::InstanceBatch(int lanes) : outcomes_(static_cast<std::size_t>(lanes)) {}
InstanceBatch::~InstanceBatch() = default;

void InstanceBatch::keep(int k, Outcome const& outcome, WorkloadView const& workload,
                         std::int64_t const* counts)
{
    auto& kept = outcomes_[static_cast<std::size_t>(k)] = outcome;
    kept.first_token_latency = first_token_latency(kept.total_latency, workload, counts);
}

// Nothing can wrap in lanes: rounds are no more than the steps asked about, so TEL is below n 2^23,
// and n below 2^32.
static_assert(!lanes_end_soon(1 << 23, 0));

double most_lane_rounds(WorkloadView const& w, std::int64_t longest, std::int64_t each)
{
    auto const together = w.memory / (w.prompt_constant + longest);
    return static_cast<double>(w.requests) * static_cast<double>(each) /
               static_cast<double>(together) +
           static_cast<double>(each) + 1;
}

bool lanes_hold(int bits, WorkloadView const& w, double rounds)
{
    auto const least_not = static_cast<double>(std::int64_t{1} << bits);
    auto const longest = w.output_value.empty() ? 1 : w.output_value.back();
    auto const reach = static_cast<double>(w.prompt_constant) +
                       (w.interval.upper > longest ? w.interval.upper : longest);
    return static_cast<double>(w.memory) < least_not &&
           rounds + static_cast<double>(w.prompt_constant) + reach < least_not &&
           static_cast<double>(w.requests) + 2 <= least_not;
}

std::string lanes_refusal(WorkloadView const& w, LaneNeeds const& needs)
{
    if (!lanes_hold(51, w, needs.rounds)) return "numbers may pass 2^51";
    if (needs.places > most_lane_places)
        return std::to_string(needs.places) + " cohorts may be active at a time, more than " +
               std::to_string(most_lane_places);
    if (!lanes_end_soon(needs.steps, needs.places))
        return "an instance may take longer than a second";
    return {};
}

std::string gpu_lanes_refusal(LaneNeeds const& needs)
{
    if (gpu_lanes_end_soon(needs.steps, needs.places)) return {};
    return "an instance may hold a warp for longer than a launch should last";
}

LaneFit lane_fit(WorkloadView const& w, LaneNeeds const& needs)
{
    if (!lanes_refusal(w, needs).empty()) return LaneFit::none;
    return lanes_hold(24, w, needs.rounds) ? LaneFit::floats : LaneFit::doubles;
}

} // namespace crx

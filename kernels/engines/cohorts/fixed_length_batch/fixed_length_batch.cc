#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"

#include "kernels/policies/ladder.cuh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>

namespace crx {

bool runs_fixed_lengths(PolicyKind kind)
{
    return kind == PromoteLower::kind ||
           policy_info(kind).cohort_form == CohortForm::shortest_first;
}

bool ends_at_working_lengths(PolicySpec const& spec, WorkloadView const& w)
{
    if (spec.kind != PromoteLower::kind) return true;
    return w.interval.kind == IntervalKind::common &&
           std::ranges::all_of(w.output_value, [&](auto value) {
               return value == w.interval.lower || value == w.interval.upper;
           });
}

LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& w)
{
    if (!runs_fixed_lengths(spec.kind) || w.requests == 0 || w.output_value.empty() ||
        !ends_at_working_lengths(spec, w))
        return LaneFit::none;
    bool const hidden = spec.kind == PromoteLower::kind;
    auto const longest = std::int64_t{hidden ? w.interval.upper : w.output_value.back()};
    auto const rounds = most_lane_rounds(w, longest, hidden ? longest + w.interval.lower : longest);
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    auto const places = fixed_length_batch_steps(w, longest);
    if (!lanes_end_soon(rounds + static_cast<double>(classes), places) ||
        !lanes_hold(51, w, rounds))
        return LaneFit::none;
    return lanes_hold(24, w, rounds) ? LaneFit::floats : LaneFit::doubles;
}

std::unique_ptr<InstanceBatch> fixed_length_batch(PolicySpec const& spec, WorkloadView const& w,
                                                  SimdLevel level)
{
    auto* const make = CRX_AT_LEVEL(level, make_fixed_length_batch);
    auto const fit = fixed_length_batch_fit(spec, w);
    if (make == nullptr || level > simd_level() || fit == LaneFit::none) return nullptr;
    bool const hidden = spec.kind == PromoteLower::kind;
    return std::unique_ptr<InstanceBatch>(make(w, hidden, fit == LaneFit::floats));
}

} // namespace crx

#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"

#include <algorithm>

namespace crx {

#ifdef CRX_INSTANCE_LANES
InstanceBatch* fixed_length_batch_avx512(WorkloadView const& workload, bool hidden, bool floats);
InstanceBatch* fixed_length_batch_avx2(WorkloadView const& workload, bool hidden, bool floats);
#endif

namespace {

bool of_the_kind(PolicySpec const& spec, WorkloadView const& w)
{
    if (w.requests == 0 || w.output_value.empty()) return false;
    if (spec.kind == PolicyKind::mc_sf || spec.kind == PolicyKind::mc_sf_total) return true;
    return spec.kind == PolicyKind::a_ell && w.interval.kind == IntervalKind::common &&
           std::ranges::all_of(w.output_value, [&](auto value) {
               return value == w.interval.lower || value == w.interval.upper;
           });
}

} // namespace

LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& w)
{
    if (!of_the_kind(spec, w)) return LaneFit::none;
    bool const hidden = spec.kind == PolicyKind::a_ell;
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
                                                  LaneWidth width)
{
    if (width == LaneWidth::none || width > lane_width()) return nullptr;
    auto const fit = fixed_length_batch_fit(spec, w);
    if (fit == LaneFit::none) return nullptr;
    bool const hidden = spec.kind == PolicyKind::a_ell, floats = fit == LaneFit::floats;
#ifdef CRX_INSTANCE_LANES
    return std::unique_ptr<InstanceBatch>(width >= LaneWidth::full
                                              ? fixed_length_batch_avx512(w, hidden, floats)
                                              : fixed_length_batch_avx2(w, hidden, floats));
#else
    return nullptr;
#endif
}

} // namespace crx

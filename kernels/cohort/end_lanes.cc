#include "kernels/cohort/end_lanes.hh"

#include <algorithm>

namespace crx {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
InstanceLanes* end_lanes_avx512(WorkloadView const& workload, bool hidden, bool floats);
InstanceLanes* end_lanes_avx2(WorkloadView const& workload, bool hidden, bool floats);
#endif

namespace {

/// Most rounds until all have completed: while some wait, at least as many run as fit whatever
/// their age, and each of the n runs so many rounds at most.
double most_rounds(WorkloadView const& w, bool hidden)
{
    auto const longest = std::int64_t{hidden ? w.interval.upper : w.output_value.back()};
    auto const together = w.memory / (w.prompt_constant + longest);
    auto const each = hidden ? longest + w.interval.lower : longest;
    return static_cast<double>(w.requests) * static_cast<double>(each) /
               static_cast<double>(together) +
           static_cast<double>(each) + 1;
}

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

std::unique_ptr<InstanceLanes> end_lanes(PolicySpec const& spec, WorkloadView const& w,
                                         LaneWidth width)
{
    constexpr double most_steps = 1 << 18; // some tenths of a second
    if (width == LaneWidth::none || !of_the_kind(spec, w)) return nullptr;
    bool const hidden = spec.kind == PolicyKind::a_ell;
    auto const rounds = most_rounds(w, hidden);
    if (rounds > most_steps || !lanes_hold(52, w, rounds)) return nullptr;
    bool const floats = lanes_hold(24, w, rounds);
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    return std::unique_ptr<InstanceLanes>(width == LaneWidth::full
                                              ? end_lanes_avx512(w, hidden, floats)
                                              : end_lanes_avx2(w, hidden, floats));
#else
    return nullptr;
#endif
}

} // namespace crx

#include "kernels/cohort/upper_lanes.hh"

#include "kernels/cohort/upper_lanes_forms.hh"

#include <utility>

namespace crx {

#ifdef CRX_UPPER_LANES
namespace {

constexpr double two_to(int k) { return static_cast<double>(std::int64_t{1} << k); }

/// Most rounds until all have completed: while some wait, at least as many run as fit whatever
/// their age, and each of the n runs u rounds at most.
double most_rounds(WorkloadView const& w)
{
    auto const u = std::int64_t{w.interval.upper};
    auto const together = w.memory / (w.prompt_constant + u);
    return static_cast<double>(w.requests) * static_cast<double>(u) /
               static_cast<double>(together) +
           static_cast<double>(u) + 1;
}

/// Whether whole numbers below 2^bits hold all that is computed of a cohort: a room times the time
/// to an end, a time, n; and a quotient of a room rounds down exactly.
bool holds(int bits, WorkloadView const& w)
{
    auto const memory = static_cast<double>(w.memory);
    auto const reach = static_cast<double>(w.prompt_constant) + w.interval.upper;
    return 2 * memory < two_to(bits) && memory * reach < two_to(bits) &&
           most_rounds(w) + reach < two_to(bits) && static_cast<double>(w.requests) < two_to(bits);
}

bool has(LaneWidth width)
{
    return width == LaneWidth::wide ? __builtin_cpu_supports("x86-64-v4") != 0
                                    : __builtin_cpu_supports("x86-64-v3") != 0;
}

} // namespace

std::unique_ptr<UpperLanes> UpperLanes::serving(WorkloadView const& w, LaneWidth width)
{
    constexpr double most_steps = 1 << 18; // some tenths of a second
    constexpr std::size_t most_classes = 8;
    if (!has(width) || w.requests == 0 || w.output_value.size() > most_classes ||
        most_rounds(w) > most_steps)
        return nullptr;
    auto const make = width == LaneWidth::wide ? upper_lanes_wide : upper_lanes_half;
    if (holds(24, w)) return make(w, LaneType::floats);
    if (holds(52, w)) return make(w, LaneType::doubles);
    return nullptr;
}

#else

std::unique_ptr<UpperLanes> UpperLanes::serving(WorkloadView const&, LaneWidth) { return nullptr; }

#endif

std::unique_ptr<UpperLanes> UpperLanes::serving(WorkloadView const& w)
{
    auto lanes = serving(w, LaneWidth::wide);
    return lanes != nullptr ? std::move(lanes) : serving(w, LaneWidth::half);
}

} // namespace crx

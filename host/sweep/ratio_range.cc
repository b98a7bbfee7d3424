#include "host/sweep/ratio_range.hh"

#include "kernels/laws/generate.cuh"

#include <algorithm>

namespace crx {

namespace {

/// Whether the denominator is at least the sum of o.
bool at_least_sum_of_lengths(BaselineKind baseline)
{
    return baseline != BaselineKind::dual && baseline != BaselineKind::lp &&
           baseline != BaselineKind::clique_lp;
}

std::int64_t largest(std::vector<std::int32_t> const& values)
{
    return values.empty() ? 0 : *std::ranges::max_element(values);
}

/// Requests that fit together, whichever they are, by the most that the policy reserves for one;
/// one always does.
std::int64_t always_fit(Workload const& w, bool plans_with_upper)
{
    bool const trace = w.output_kind == OutputKind::trace;
    auto const length = static_cast<std::int32_t>(largest(trace ? w.trace_output : w.output_value));
    std::int32_t lower = length, upper = length;
    if (plans_with_upper) interval_of(w.interval, length, lower, upper);
    auto const prompt = w.prompt_kind == PromptKind::constant ? w.prompt_constant
                        : w.prompt_kind == PromptKind::table  ? largest(w.prompt_value)
                                                              : largest(w.trace_prompt);
    return std::max<std::int64_t>(1, w.memory / (prompt + std::max(length, upper)));
}

} // namespace

std::optional<RatioRange> ratio_range(Cell const& cell, std::size_t policy, BaselineKind baseline)
{
    auto const& w = cell.workload;
    if (cell.source != nullptr || w.clock.affine() || !at_least_sum_of_lengths(baseline))
        return std::nullopt;
    auto const& spec = cell.policies[policy];
    std::int64_t begins = 1;
    bool cancels_on_overflow = false, plans_with_upper = false;
    switch (spec.kind) {
    case PolicyKind::mc_sf:
    case PolicyKind::mc_sf_total:
    case PolicyKind::mc_benchmark: // and every order made beforehand
    case PolicyKind::a_random: break;
    case PolicyKind::a_max: plans_with_upper = true; break;
    case PolicyKind::a_min:
    case PolicyKind::a_min_evict: cancels_on_overflow = true; break;
    case PolicyKind::a_ell:
        plans_with_upper = true;
        begins = 2;
        break;
    case PolicyKind::a_ladder:
        plans_with_upper = true;
        begins = spec.levels.count;
        break;
    case PolicyKind::protect:
    case PolicyKind::clear: return std::nullopt;
    }
    auto const delay = [&](std::int64_t together) {
        return together >= w.requests
                   ? 1.0
                   : 1 + static_cast<double>(w.requests - 1) / static_cast<double>(together);
    };
    auto const together = always_fit(w, plans_with_upper);
    if (cancels_on_overflow && together < w.requests) return std::nullopt;
    // The least: sum o over the most that a schedule of mc-sf, which no denominator passes, has.
    return RatioRange{1 / delay(always_fit(w, false)),
                      static_cast<double>(begins) * delay(together)};
}

} // namespace crx

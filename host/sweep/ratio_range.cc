#include "host/sweep/ratio_range.hh"

#include "kernels/model/generate.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"

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

std::int32_t longest(Workload const& w)
{
    bool const trace = w.output_kind == OutputKind::trace;
    return static_cast<std::int32_t>(largest(trace ? w.trace_output : w.output_value));
}

/// The largest u that a request of the workload has.
std::int32_t largest_upper(Workload const& w)
{
    std::int32_t lower = 0, upper = 0;
    interval_of(w.interval, longest(w), lower, upper);
    return upper;
}

/// How often a request can begin.
template <class P>
std::int64_t most_begins(P const& policy, Workload const& w)
{
    if constexpr (P::cancelling == Cancelling::at_working_length)
        return policy.most_begins(largest_upper(w));
    else
        return 1;
}

/// Requests that fit together, whichever they are, by the most that the policy reserves for one;
/// one always does.
std::int64_t always_fit(Workload const& w, bool plans_with_upper)
{
    auto const length = longest(w), upper = plans_with_upper ? largest_upper(w) : length;
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
    auto const& spec = cell.policies[policy]; // mc-benchmark for every order made beforehand
    auto const& info = policy_info(spec.kind);
    if (info.admission == Admission::threshold) return std::nullopt;
    auto const begins = with_policy(spec, [&](auto const& value) { return most_begins(value, w); });
    auto const delay = [&](std::int64_t together) {
        return together >= w.requests
                   ? 1.0
                   : 1 + static_cast<double>(w.requests - 1) / static_cast<double>(together);
    };
    auto const together = always_fit(w, info.plans_with_upper);
    bool const overflows = info.cancelling == Cancelling::on_overflow;
    if (overflows && together < w.requests) return std::nullopt;
    // The least: sum o over the most that a schedule of mc-sf, which no denominator passes, has.
    return RatioRange{1 / delay(always_fit(w, false)),
                      static_cast<double>(begins) * delay(together)};
}

} // namespace crx

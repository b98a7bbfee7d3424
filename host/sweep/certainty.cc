#include "host/sweep/certainty.hh"

#include "analysis/statistics/moments.hh"
#include "kernels/laws/generate.cuh"

#include <algorithm>

namespace crx {

namespace {

/// The value that every word stands for; none where words differ.
std::optional<std::int32_t> sure_value(std::vector<std::int32_t> const& value,
                                       std::vector<std::uint64_t> const& threshold)
{
    TableLaw const law{value, threshold};
    auto const least = law.draw(0);
    return least == law.draw(~std::uint64_t{0}) ? std::optional(least) : std::nullopt;
}

bool one_prompt(Workload const& w)
{
    return w.prompt_kind == PromptKind::constant ||
           (w.prompt_kind == PromptKind::table && sure_value(w.prompt_value, w.prompt_threshold));
}

/// The length that all requests have; none where they differ.
std::optional<std::int32_t> one_length(Workload const& w)
{
    if (w.output_kind == OutputKind::table) return sure_value(w.output_value, w.output_threshold);
    if (w.output_kind != OutputKind::composition) return std::nullopt;
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        if (w.output_count[k] == w.requests) return w.output_value[k];
    return std::nullopt;
}

/// Whether policies are told the length itself.
bool told_exactly(IntervalRule const& rule)
{
    switch (rule.kind) {
    case IntervalKind::exact: return true;
    case IntervalKind::common: return rule.lower == rule.upper;
    case IntervalKind::buckets: return rule.width == 1;
    case IntervalKind::relative: return rule.numerator == 0;
    }
    return false;
}

/// Whether the policy serves as mc-sf does, but for which of two equal requests goes first.
bool serves_as_mc_sf(Cell const& cell, std::size_t policy)
{
    auto const& w = cell.workload;
    switch (cell.policies[policy].kind) {
    case PolicyKind::mc_sf: return true;
    case PolicyKind::mc_sf_total: return one_prompt(w);
    case PolicyKind::a_max:
    case PolicyKind::a_min:
    case PolicyKind::a_min_evict: return one_prompt(w) && told_exactly(w.interval);
    default: return false;
    }
}

/// Whether requests that are all alike, at 0, have one total latency under the policy. A policy
/// that cancels some of those that run chooses between different numbers of tokens.
bool sure_of_equal_requests(Cell const& cell, std::size_t policy, std::int32_t length)
{
    std::int32_t lower = 0, upper = 0;
    interval_of(cell.workload.interval, length, lower, upper);
    switch (cell.policies[policy].kind) {
    case PolicyKind::a_min:
    case PolicyKind::a_min_evict: return lower == length;
    case PolicyKind::clear: return false;
    default: return true;
    }
}

/// Whether the same requests come in every instance, in the same order and at the same times.
bool same_requests(Workload const& w)
{
    return w.output_kind == OutputKind::trace && w.trace_order == TraceOrder::in_order &&
           (w.arrival_kind == ArrivalKind::at_zero || w.arrival_kind == ArrivalKind::trace);
}

/// Of orders made beforehand, those that are known to be functions of the requests alone.
bool draws_nothing(OfflineOrder const& order)
{
    auto const names = order.identity();
    auto const says = [&](char const* name, char const* value) {
        return std::ranges::find(names, std::pair<std::string, std::string>(name, value)) !=
               names.end();
    };
    return says("id", "sorted-lp") || says("id", "lp-swap") ||
           (says("id", "sorted-f") && !says("selector", "quantile")); // which samples
}

bool draws_nothing(Cell const& cell, std::size_t policy)
{
    if (auto const* order = order_of(cell, policy)) return draws_nothing(*order);
    auto const kind = cell.policies[policy].kind;
    return kind == PolicyKind::mc_sf || kind == PolicyKind::mc_sf_total ||
           kind == PolicyKind::mc_benchmark || kind == PolicyKind::protect;
}

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

bool ratio_cannot_vary(Cell const& cell, std::size_t policy, BaselineKind baseline)
{
    bool const by_mc_sf = baseline == BaselineKind::h_sf || baseline == BaselineKind::mc_sf;
    auto const& w = cell.workload;
    if (by_mc_sf && cell.policies[policy].kind == PolicyKind::mc_sf) return true;
    if (cell.source != nullptr) return false;
    if (same_requests(w)) return draws_nothing(cell, policy);
    if (w.arrival_kind != ArrivalKind::at_zero) return false;
    if (by_mc_sf && serves_as_mc_sf(cell, policy)) return true;
    if (!one_prompt(w)) return false;
    if (auto const length = one_length(w)) return sure_of_equal_requests(cell, policy, *length);
    // Only the order is random. Searches for a denominator may see it.
    return w.output_kind == OutputKind::composition && serves_as_mc_sf(cell, policy) &&
           static_cast<int>(baseline) < engine_baselines;
}

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

bool equal_ratios_suffice(Cell const& cell, std::size_t policy, BaselineKind baseline, double ratio,
                          std::int64_t count, double half_width, double confidence)
{
    if (ratio_cannot_vary(cell, policy, baseline)) return true;
    auto const range = ratio_range(cell, policy, baseline);
    if (!range) return false;
    auto const distance = std::max(range->most - ratio, ratio - range->least);
    return unseen_share(count, confidence) * distance <= half_width;
}

} // namespace crx

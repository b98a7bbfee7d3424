#include "host/sweep/certainty.hh"

#include "analysis/statistics/estimate.hh"
#include "host/sweep/ratio_range.hh"
#include "kernels/model/generate.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

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
    switch (policy_info(cell.policies[policy].kind).like_shortest_first) {
    case LikeShortestFirst::never: return false;
    case LikeShortestFirst::with_one_prompt: return one_prompt(w);
    case LikeShortestFirst::with_one_prompt_and_lengths_told:
        return one_prompt(w) && told_exactly(w.interval);
    case LikeShortestFirst::always: return true;
    }
    return false;
}

/// Whether requests that are all alike, at 0, have one total latency under the policy. A policy
/// that cancels some of those that run chooses between different numbers of tokens. One that looks
/// ahead need not where the lower end is the length itself.
bool sure_of_equal_requests(Cell const& cell, std::size_t policy, std::int32_t length)
{
    auto const& info = policy_info(cell.policies[policy].kind);
    if (info.cancelling != Cancelling::on_overflow || info.cancels_all) return true;
    std::int32_t lower = 0, upper = 0;
    interval_of(cell.workload.interval, length, lower, upper);
    return info.admission == Admission::look_ahead && lower == length;
}

/// Whether the same requests come in every instance, in the same order and at the same times.
bool same_requests(Workload const& w)
{
    return w.output_kind == OutputKind::trace && w.trace_order == TraceOrder::in_order &&
           (w.arrival_kind == ArrivalKind::at_zero || w.arrival_kind == ArrivalKind::trace);
}

/// Of orders made beforehand, those that are known to be functions of the requests alone.
bool is_function_of_requests(OfflineOrder const& order)
{
    auto const names = order.identity();
    auto const says = [&](char const* name, char const* value) {
        return std::ranges::find(names, std::pair<std::string, std::string>(name, value)) !=
               names.end();
    };
    return says("id", "sorted-lp") || says("id", "lp-swap") ||
           (says("id", "sorted-f") && !says("selector", "quantile")); // which samples
}

bool is_function_of_requests(Cell const& cell, std::size_t policy)
{
    if (auto const* order = order_of(cell, policy)) return is_function_of_requests(*order);
    return policy_info(cell.policies[policy].kind).draws_nothing;
}

} // namespace

bool ratio_cannot_vary(Cell const& cell, std::size_t policy, BaselineKind baseline)
{
    bool const by_mc_sf = baseline == BaselineKind::h_sf || baseline == BaselineKind::mc_sf;
    auto const& w = cell.workload;
    if (by_mc_sf && cell.policies[policy].kind == ShortestFirst::kind) return true;
    if (cell.source != nullptr) return false;
    if (same_requests(w)) return is_function_of_requests(cell, policy);
    if (w.arrival_kind != ArrivalKind::at_zero) return false;
    if (by_mc_sf && serves_as_mc_sf(cell, policy)) return true;
    if (!one_prompt(w)) return false;
    if (auto const length = one_length(w)) return sure_of_equal_requests(cell, policy, *length);
    // Only the order is random. Searches for a denominator may see it.
    return w.output_kind == OutputKind::composition && serves_as_mc_sf(cell, policy) &&
           static_cast<int>(baseline) < engine_baselines;
}

bool equal_ratios_suffice(Cell const& cell, std::size_t policy, BaselineKind baseline, double ratio,
                          std::int64_t count, double half_width, double confidence)
{
    if (ratio_cannot_vary(cell, policy, baseline)) return true;
    auto const range = ratio_range(cell, policy, baseline);
    if (!range || ratio < range->least - 1e-9 || ratio > range->most + 1e-9) return false;
    auto const distance = std::max(range->most - ratio, ratio - range->least);
    return unseen_share(count, confidence) * distance <= half_width;
}

} // namespace crx

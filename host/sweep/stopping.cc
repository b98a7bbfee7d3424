#include "host/sweep/stopping.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/basis.hh"
#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/summary.hh"
#include "kernels/model/generate.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"
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

/// Of policies that run by themselves, those that are known to be functions of the requests alone.
bool is_function_of_requests(HostPolicy const& policy)
{
    auto const names = policy.identity();
    auto const says = [&](char const* name, char const* value) {
        return std::ranges::find(names, std::pair<std::string, std::string>(name, value)) !=
               names.end();
    };
    return says("id", "sorted-lp") || says("id", "lp-swap") ||
           (says("id", "by-key") && !says("ties", "drawn")) ||
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

namespace {

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
    if (cell.source != nullptr || w.clock.affine() || baseline == BaselineKind::dual)
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

std::int64_t next_checkpoint(StopRule const& stop, std::int64_t reached)
{
    CRX_EXPECT(stop.instances >= 1 && stop.first >= 1 && reached >= 0);
    if (!stop.half_width) return stop.instances;
    std::int64_t checkpoint = std::min(stop.first, stop.instances);
    while (checkpoint < reached && checkpoint < stop.instances)
        checkpoint = checkpoint > stop.instances / 2 ? stop.instances : 2 * checkpoint;
    return checkpoint;
}

bool precise_enough(StopRule const& stop, std::vector<BaselineKind> const& baselines,
                    Tally const& tally, std::function<std::shared_ptr<Cell const>()> const& cell_of)
{
    if (!stop.half_width) return true;
    struct Equal
    {
        std::size_t policy;
        BaselineKind baseline;
        RatioSummary ratios;
    };
    std::vector<Equal> equal;
    for (std::size_t p = 0; p < tally.size(); ++p) {
        for (auto const baseline : baselines) {
            auto const ratios = summarise(tally[p], baseline, stop.confidence);
            auto const& mean = ratios.mean_of_ratios;
            if (!mean || !mean->half_width || !(*mean->half_width <= *stop.half_width))
                return false;
            if (ratios.smallest == ratios.largest)
                equal.push_back({p, baseline, ratios});
            else if (basis_of(tally[p], baseline).largest_five > largest_five_at_stop)
                return false;
        }
    }
    if (equal.empty()) return true;
    auto const cell = cell_of();
    return std::ranges::all_of(equal, [&](Equal const& e) {
        return equal_ratios_suffice(*cell, e.policy, e.baseline, *e.ratios.largest,
                                    e.ratios.divided, *stop.half_width, stop.confidence);
    });
}

bool precise_enough(StopRule const& stop, PathSums const& paths)
{
    if (!stop.half_width) return true;
    return std::ranges::all_of(paths, [&](auto const& of_policy) {
        if (of_policy.empty()) return false;
        fluid::Paths tallies;
        std::vector<double> latencies;
        for (auto const& path : of_policy) {
            tallies.push_back({path.tallies.back()});
            if (auto const one = fluid::latency(path.tallies.back()); !std::isnan(one))
                latencies.push_back(one);
        }
        if (largest_five_of(latencies) > largest_five_at_stop) return false;
        auto const latency = fluid::horizon_point(tallies, 0, stop.confidence).latency;
        return latency.half_width <= *stop.half_width * latency.mean; // no: where either is NaN
    });
}

} // namespace crx

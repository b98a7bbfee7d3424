#pragma once

#include "kernels/model/arrivals.cuh"
#include "kernels/model/length_law.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// The interval that policies are told for a request of output length o.
CRX_HD inline void interval_of(IntervalRule const& rule, std::int32_t o, std::int32_t& lower,
                               std::int32_t& upper)
{
    switch (rule.kind) {
    case IntervalKind::exact: lower = upper = o; break;
    case IntervalKind::common:
        lower = rule.lower;
        upper = rule.upper;
        break;
    case IntervalKind::buckets:
        lower = (o - 1) / rule.width * rule.width + 1;
        upper = lower + rule.width - 1;
        break;
    case IntervalKind::relative: {
        auto const below = (rule.denominator - rule.numerator) * o / rule.denominator;
        auto const above =
            ((rule.denominator + rule.numerator) * o + rule.denominator - 1) / rule.denominator;
        lower = static_cast<std::int32_t>(below > 1 ? below : 1);
        upper = static_cast<std::int32_t>(above);
        break;
    }
    }
}

/// Exact counts of each value, in random order. count[k] requests get value[k].
template <class Value, class Words>
CRX_HD void deal(std::span<Value const> value, std::span<std::int64_t const> count,
                 std::int32_t* items, Words& words)
{
    std::int64_t n = 0;
    for (std::size_t k = 0; k < count.size(); ++k)
        for (std::int64_t c = 0; c < count[k]; ++c)
            items[n++] = value.empty() ? static_cast<std::int32_t>(k) : value[k];
    shuffle(items, n, words);
}

/// Writes what policies are told of the requests, whose lengths are there.
CRX_HD inline void tell_intervals(WorkloadView const& w, Requests const& requests)
{
    if (w.interval.kind == IntervalKind::exact)
        for (std::int64_t i = 0; i < w.requests; ++i)
            requests.lower[i] = requests.upper[i] = requests.output[i];
    else
        for (std::int64_t i = 0; i < w.requests; ++i)
            interval_of(w.interval, requests.output[i], requests.lower[i], requests.upper[i]);
}

/// Writes an instance by the words of its streams, in whatever way those are made.
template <class Words>
CRX_HD void generate_by(WorkloadView const& w, Words lengths, Words prompts, Requests requests)
{
    auto const n = w.requests;
    if (w.output_kind == OutputKind::trace) {
        if (w.trace_order == TraceOrder::sampled)
            deal(std::span<std::int32_t const>{}, w.source_count, requests.output, lengths);
        auto const first_row =
            w.trace_order == TraceOrder::window ? window_start(w, prompts) : std::int64_t{0};
        for (std::int64_t i = 0; i < n; ++i) {
            auto row = first_row + i;
            if (w.trace_order == TraceOrder::sampled) {
                auto const source = requests.output[i];
                auto const first = source == 0 ? 0 : w.source_end[source - 1];
                auto const rows = static_cast<std::uint64_t>(w.source_end[source] - first);
                row = first + static_cast<std::int64_t>(prompts.bounded(rows));
            }
            requests.prompt[i] = w.trace_prompt[row];
            requests.output[i] = w.trace_output[row];
        }
    } else if (w.output_kind == OutputKind::composition) {
        deal(w.output_value, w.output_count, requests.output, lengths);
    } else {
        TableLaw const law{w.output_value, w.output_threshold};
        for (std::int64_t i = 0; i < n; ++i) requests.output[i] = law.draw(lengths.next());
    }
    if (w.prompt_kind == PromptKind::constant)
        for (std::int64_t i = 0; i < n; ++i) requests.prompt[i] = w.prompt_constant;
    else if (w.prompt_kind == PromptKind::table) {
        TableLaw const law{w.prompt_value, w.prompt_threshold};
        for (std::int64_t i = 0; i < n; ++i) requests.prompt[i] = law.draw(prompts.next());
    }
    tell_intervals(w, requests);
}

/// Writes instance number `instance` of a workload (docs/random-choices.md).
CRX_HD inline void generate(WorkloadView const& w, std::uint64_t instance, Requests requests)
{
    generate_by(w, WordStream(w.seed, stream_lengths, instance),
                WordStream(w.seed, stream_prompts, instance), requests);
    generate_arrivals(w, instance, requests);
}

} // namespace crx

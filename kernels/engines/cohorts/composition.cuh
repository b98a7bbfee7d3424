#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/laws/workload.cuh"

namespace crx {

/// What the cohort engine needs of an instance: all requests arrive at 0 with one prompt length and
/// one prediction interval, so those of equal output length form a class that no policy splits by
/// anything but chance.
struct Composition
{
    std::int64_t classes = 0;
    std::int32_t* value = nullptr; ///< output length of each class, strictly ascending
    std::int64_t* count = nullptr; ///< requests of each class, at least 1
    std::int64_t requests = 0;     ///< n, their sum
    Tokens prompt = 0;             ///< s
    Tokens memory = 0;             ///< M
    std::int32_t lower = 1;        ///< l
    std::int32_t upper = 1;        ///< u
};

/// Classes of an instance that have requests, in arena memory: counts[k] requests of the workload's
/// k-th output length. Contract: the workload's values ascend strictly.
CRX_HD inline Composition take_composition(Arena& arena, WorkloadView const& w,
                                           std::int64_t const* counts)
{
    Composition c;
    c.requests = w.requests;
    c.prompt = w.prompt_constant;
    c.memory = w.memory;
    c.lower = w.interval.lower;
    c.upper = w.interval.upper;
    auto const most = static_cast<std::int64_t>(w.output_value.size());
    c.value = arena.take<std::int32_t>(most);
    c.count = arena.take<std::int64_t>(most);
    if (c.value == nullptr) return c; // the arena only counts
    for (std::int64_t k = 0; k < most; ++k) {
        auto const at = static_cast<std::size_t>(k);
        if (counts[k] == 0) continue;
        c.value[c.classes] = w.output_value[at];
        c.count[c.classes++] = counts[k];
    }
    return c;
}

/// Most different working ends at any time: each is one of the next `span` rounds.
CRX_HD inline std::int64_t most_ends(WorkloadView const& w, std::int64_t span)
{
    return w.requests < span + 1 ? w.requests : span + 1;
}

/// The sum of all times to the first token, which a request of length o has o - 1 rounds before its
/// completion. counts[k] requests have the workload's k-th length.
CRX_HD inline std::int64_t first_token_latency(std::int64_t total_latency, WorkloadView const& w,
                                               std::int64_t const* counts)
{
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        total_latency -= counts[k] * (w.output_value[k] - 1);
    return total_latency;
}

} // namespace crx

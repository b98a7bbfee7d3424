#pragma once

#include "kernels/model/workload.cuh"

#include <algorithm>
#include <random>
#include <string>

namespace crx_test {

inline std::int64_t pick_between(std::mt19937_64& rng, std::int64_t low, std::int64_t high)
{
    return low + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(high - low + 1));
}

/// A composition with n up to 200, s 0..3 and memory from "one fills" to ample, empty classes
/// among the others; every policy can run it.
inline crx::Workload random_composition(std::mt19937_64& rng, std::int64_t most_classes,
                                        std::int64_t most_requests = 200)
{
    crx::Workload w;
    w.seed = rng();
    w.output_kind = crx::OutputKind::composition;
    w.prompt_constant = static_cast<std::int32_t>(pick_between(rng, 0, 3));
    auto const u = static_cast<std::int32_t>(pick_between(rng, 1, pick_between(rng, 1, 60)));
    auto const l = static_cast<std::int32_t>(pick_between(rng, 1, u));
    w.interval.kind = crx::IntervalKind::common;
    w.interval.lower = l;
    w.interval.upper = u;
    for (auto k = pick_between(rng, 1, most_classes); k > 0; --k)
        w.output_value.push_back(static_cast<std::int32_t>(pick_between(rng, l, u)));
    std::ranges::sort(w.output_value);
    auto const rest = std::ranges::unique(w.output_value);
    w.output_value.erase(rest.begin(), rest.end());
    auto const top = pick_between(rng, 1, most_requests);
    auto const classes = static_cast<std::int64_t>(w.output_value.size());
    for (std::int64_t k = 0; k < classes; ++k) {
        auto const least = most_classes == 1 ? 1 : 0;
        w.output_count.push_back(
            pick_between(rng, least, std::max<std::int64_t>(1, top / classes)));
        w.requests += w.output_count.back();
    }
    auto const need = std::int64_t{w.prompt_constant} + u;
    std::int64_t const by_kind[] = {need, need + pick_between(rng, 0, 3),
                                    need * pick_between(rng, 1, 6) + pick_between(rng, 0, 3),
                                    need + pick_between(rng, 0, need * 20),
                                    need * std::max<std::int64_t>(1, w.requests)};
    w.memory = by_kind[pick_between(rng, 0, 4)];
    return w;
}

/// Lengths l .. u in up to six classes, so much memory that many cohorts share a working length.
inline crx::Workload crowded_composition(std::mt19937_64& rng, std::int32_t most_length,
                                         std::int64_t most_memory)
{
    crx::Workload w;
    w.seed = rng();
    w.output_kind = crx::OutputKind::composition;
    w.prompt_constant = static_cast<std::int32_t>(pick_between(rng, 0, 2));
    auto const u = static_cast<std::int32_t>(pick_between(rng, most_length / 2, most_length));
    auto const l = static_cast<std::int32_t>(pick_between(rng, 1, pick_between(rng, 1, u)));
    w.interval = {crx::IntervalKind::common, l, u, 100, 0, 1};
    for (auto k = pick_between(rng, 1, 6); k > 0; --k)
        w.output_value.push_back(static_cast<std::int32_t>(pick_between(rng, l, u)));
    std::ranges::sort(w.output_value);
    auto const rest = std::ranges::unique(w.output_value);
    w.output_value.erase(rest.begin(), rest.end());
    w.memory = pick_between(rng, 4 * (u + w.prompt_constant), most_memory);
    for (std::size_t k = 0; k < w.output_value.size(); ++k) {
        w.output_count.push_back(pick_between(rng, 1, w.memory));
        w.requests += w.output_count.back();
    }
    return w;
}

/// The composition as text, for the message of a failing test.
inline std::string describe(crx::Workload const& w)
{
    std::string text = "M " + std::to_string(w.memory) + ", s " +
                       std::to_string(w.prompt_constant) + ", l " +
                       std::to_string(w.interval.lower) + ", u " +
                       std::to_string(w.interval.upper) + ", count x output:";
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        text += " " + std::to_string(w.output_count[k]) + "x" + std::to_string(w.output_value[k]);
    return text;
}

} // namespace crx_test

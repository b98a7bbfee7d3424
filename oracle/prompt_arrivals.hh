#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "oracle/iteration.hh"
#include "oracle/words.hh"

namespace oracle {

/// What docs/random-choices.md says of one type's arrivals in the iteration model.
struct PromptProcess
{
    int bits = 1;                          ///< a block is 2^bits nanoseconds
    std::vector<std::uint64_t> thresholds; ///< of the number in a block
    std::vector<std::uint64_t> keep;       ///< a number a slice; empty: all stay
    std::int64_t slice = 1;                ///< nanoseconds
};

/// Word `number` of a stream.
inline std::uint64_t word_at(std::uint64_t seed, std::uint64_t instance, std::uint32_t stream,
                             std::uint64_t number)
{
    auto const v = philox_block(seed, instance, stream, static_cast<std::uint32_t>(number / 2));
    std::size_t const low = number % 2 == 0 ? 0 : 2;
    return v[low] + (std::uint64_t{v[low + 1]} << 32);
}

/// All arrivals up to and including `until` of a path, in order of (time, type): bit by bit.
inline std::vector<PromptArrival> prompt_arrivals(std::vector<PromptProcess> const& processes,
                                                  std::uint64_t seed, std::uint64_t instance,
                                                  std::int64_t until)
{
    std::vector<PromptArrival> all;
    for (std::size_t j = 0; j < processes.size(); ++j) {
        auto const& p = processes[j];
        auto const own = static_cast<std::uint32_t>(65536 * j);
        auto const bits = static_cast<std::uint64_t>(p.bits);
        auto const set_words = bits % 2 == 0 ? bits + 2 : bits + 1;
        for (std::int64_t block = 0; block << bits <= until; ++block) {
            auto const begin = static_cast<std::uint64_t>(block) * 4 * set_words;
            auto const word = word_at(seed, instance, own + 2, begin);
            std::uint64_t n = 0;
            while (n < p.thresholds.size() && word >= p.thresholds[n]) ++n;
            for (std::uint64_t i = 0; i < n; ++i) {
                std::int64_t time = 0;
                for (std::uint64_t bit = 0; bit < bits; ++bit) {
                    auto const row =
                        word_at(seed, instance, own + 2, begin + i / 64 * set_words + 1 + bit);
                    time = 2 * time + static_cast<std::int64_t>(row >> (i % 64) & 1);
                }
                time += block << bits;
                if (!p.keep.empty()) {
                    auto const s = static_cast<std::size_t>(time / p.slice) % p.keep.size();
                    auto const decides =
                        word_at(seed, instance, own, static_cast<std::uint64_t>(block) * 256 + i);
                    if (decides >= p.keep[s]) continue;
                }
                if (time <= until) all.push_back({time, j});
            }
        }
    }
    std::sort(all.begin(), all.end(), [](PromptArrival const& a, PromptArrival const& b) {
        return a.time != b.time ? a.time < b.time : a.type < b.type;
    });
    return all;
}

} // namespace oracle

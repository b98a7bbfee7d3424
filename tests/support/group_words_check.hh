#pragma once

#include "kernels/engine/group_words.hh"

#include <random>
#include <vector>

// Included under the target of CRX_LANE_BITS, as group_words.hh; everything else before that.
namespace crx {
namespace {

/// How many of the numbers drawn by GroupWords are not those that WordStream draws: some lanes at a
/// time, by proposals or one by one. Of half of the counts an upper half of a word is not enough.
inline int differing_draws(std::uint64_t seed)
{
    std::mt19937_64 rng(seed);
    GroupWords words(seed, 3, 40);
    std::vector<WordStream> streams;
    for (int k = 0; k < Lanes::count; ++k)
        streams.emplace_back(seed, 3, 40 + static_cast<std::uint64_t>(k));
    int differing = 0;
    for (int turn = 0; turn < 3000; ++turn) {
        alignas(64) std::int32_t count[Lanes::count], place[Lanes::count];
        for (auto& c : count)
            c = rng() % 2 == 0 ? static_cast<std::int32_t>(1 + rng() % 5)
                               : INT32_MAX - static_cast<std::int32_t>(rng() % 1000);
        auto const set = LaneSet::of(static_cast<unsigned>(rng()) & ((1u << Lanes::count) - 1));
        auto again = LaneSet::of(0);
        store(place, words.propose(set, Lanes::load(count), again));
        auto const proposed = turn % 4 == 0 ? LaneSet::of(0) : without(set, again);
        words.use(proposed, Lanes::load(count));
        for (int k = 0; k < Lanes::count; ++k) {
            if ((bits_of(set) >> k & 1) == 0) continue;
            auto const c = static_cast<std::uint64_t>(count[k]);
            auto const drawn = (bits_of(proposed) >> k & 1) != 0
                                   ? static_cast<std::uint64_t>(place[k])
                                   : words.bounded(k, c);
            differing += drawn != streams[static_cast<std::size_t>(k)].bounded(c);
        }
    }
    return differing;
}

} // namespace
} // namespace crx

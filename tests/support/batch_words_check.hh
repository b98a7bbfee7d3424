#pragma once

#include "kernels/engines/a_min_small/batch_words.hh"

#include <limits>
#include <random>
#include <vector>

// Included under the target of CRX_LANE_BITS, as group_words.hh; everything else before that.
namespace crx {
namespace {

struct GroupDraws
{
    int differing = 0; ///< not what WordStream draws
    int again = 0;     ///< for which an upper half of a word was not enough
};
/// Draws by BatchWords beside those of WordStream: some lanes at a time, by proposals or one by
/// one, every other count large.
template <class V>
GroupDraws draw_in_groups(std::uint64_t seed, int turns)
{
    using Number = typename V::Number;
    constexpr auto most = std::numeric_limits<Number>::max();
    std::mt19937_64 rng(seed);
    BatchWords<V> words(seed, 3, 40);
    std::vector<WordStream> streams;
    for (int k = 0; k < V::count; ++k)
        streams.emplace_back(seed, 3, 40 + static_cast<std::uint64_t>(k));
    GroupDraws draws;
    for (int turn = 0; turn < turns; ++turn) {
        alignas(64) Number count[V::count];
        alignas(64) std::int32_t place[V::count];
        for (auto& c : count)
            c = static_cast<Number>(rng() % 2 == 0 ? 1 + rng() % 5 : most - rng() % 1000);
        auto const lanes = (std::uint64_t{1} << V::count) - 1;
        auto const set = V::Set::of(static_cast<unsigned>(rng() & lanes));
        Lanes drawn[V::parts];
        auto const again = words.propose(set, V::load(count), drawn);
        for_each_part<V>([&](auto p) { store(place + p() * Lanes::count, drawn[p]); });
        draws.again += count_bits(bits_of(again));
        auto const proposed = turn % 4 == 0 ? V::Set::of(0) : without(set, again);
        words.use(proposed, V::load(count));
        for (int k = 0; k < V::count; ++k) {
            if ((bits_of(set) >> k & 1) == 0) continue;
            auto const c = static_cast<std::uint64_t>(count[k]);
            auto const number = (bits_of(proposed) >> k & 1) != 0
                                    ? static_cast<std::uint64_t>(place[k])
                                    : words.bounded(k, c);
            draws.differing += number != streams[static_cast<std::size_t>(k)].bounded(c);
        }
    }
    return draws;
}

} // namespace
} // namespace crx

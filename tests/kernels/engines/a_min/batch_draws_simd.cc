#include "kernels/engines/a_min/batch_draws.hh"

#include "kernels/engines/a_min/batch_words.hh"

#include <limits>
#include <random>
#include <vector>

namespace crx {
namespace {

template <class V>
crx_test::BatchDraws draw(std::uint64_t seed, int turns)
{
    using Number = typename V::Number;
    constexpr auto most = std::numeric_limits<Number>::max();
    std::mt19937_64 rng(seed);
    BatchWords<V> words(seed, 3, 40);
    std::vector<WordStream> streams;
    for (int k = 0; k < V::count; ++k)
        streams.emplace_back(seed, 3, 40 + static_cast<std::uint64_t>(k));
    crx_test::BatchDraws draws;
    for (int turn = 0; turn < turns; ++turn) {
        alignas(64) Number count[V::count];
        alignas(64) std::int32_t place[V::count];
        for (auto& c : count)
            c = static_cast<Number>(rng() % 2 == 0 ? 1 + rng() % 5 : most - rng() % 1000);
        auto const lanes = (std::uint64_t{1} << V::count) - 1;
        auto const mask = V::Mask::of(static_cast<unsigned>(rng() & lanes));
        Wide drawn[V::parts];
        auto const again = words.propose(mask, V::load(count), drawn);
        for_each_part<V>([&](auto p)
                             CRX_LAMBDA_IN_LANES { store(place + p() * Wide::count, drawn[p]); });
        draws.again += count_bits(bits_of(again));
        auto const proposed = turn % 4 == 0 ? V::Mask::of(0) : without(mask, again);
        words.use(proposed, V::load(count));
        for (int k = 0; k < V::count; ++k) {
            if ((bits_of(mask) >> k & 1) == 0) continue;
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

namespace CRX_SIMD_LEVEL {

crx_test::BatchDraws draw_in_batches(bool in_16_bits, std::uint64_t seed, int turns)
{
    return in_16_bits ? draw<Lanes<std::int16_t>>(seed, turns) : draw<Wide>(seed, turns);
}

} // namespace CRX_SIMD_LEVEL
} // namespace crx

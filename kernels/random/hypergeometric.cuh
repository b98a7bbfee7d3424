#pragma once

#include "kernels/random/block_rejection.cuh"
#include "kernels/random/ziggurat_rejection.cuh"

namespace crx {

/// Marked ones among `draws` taken one after the other, without replacement, from `population` of
/// which `marked` are marked. Exact; half a word each. Cost: O(draws).
/// Contract: 0 <= marked, draws <= population < 2^32.
template <class Words>
CRX_HD std::int64_t hypergeometric_by_urn(std::int64_t population, std::int64_t marked,
                                          std::int64_t draws, Words& words)
{
    std::int64_t found = 0;
    std::uint64_t word = 0;
    for (int halves = 0; draws > 0 && found < marked; --halves) {
        if (halves == 0) {
            word = words.next();
            halves = 2;
        }
        auto const size = static_cast<std::uint64_t>(population);
        auto const product = (word & 0xffffffff) * size; // Lemire, on half a word
        word >>= 32;
        if ((product & 0xffffffff) < size &&
            (product & 0xffffffff) < (std::uint64_t{1} << 32) % size)
            continue;
        if (static_cast<std::int64_t>(product >> 32) < marked - found) ++found;
        --draws;
        --population;
    }
    return found;
}

/// The law's weights: f(k) is proportional to 1 / k! (marked-k)! (draws-k)! (spare+k)!.
/// `mode`: where f is largest. Contract: 0 <= marked, draws <= population < 2^32 - 1.
CRX_HD inline FactorialRatio<2> hypergeometric_ratio(std::int64_t population, std::int64_t marked,
                                                     std::int64_t draws, std::int64_t mode)
{
    std::int64_t const rising[] = {0, population - marked - draws}, falling[] = {marked, draws};
    return {rising, falling, mode};
}

/// The hypergeometric law by exact rejection from blocks.
/// Contract: 0 <= marked, draws <= population / 2, population < 2^32 - 1.
template <class Words>
CRX_HD std::int64_t hypergeometric_by_blocks(std::int64_t population, std::int64_t marked,
                                             std::int64_t draws, Words& words)
{
    auto const product =
        static_cast<std::uint64_t>(draws + 1) * static_cast<std::uint64_t>(marked + 1);
    auto const mode = product / static_cast<std::uint64_t>(population + 2);
    auto ratio = hypergeometric_ratio(population, marked, draws, static_cast<std::int64_t>(mode));
    return draw_by_rejection(ratio, words);
}

/// A draw brought to half the population by complements and symmetry.
struct ReducedHypergeometric
{
    std::int64_t population, marked, draws; ///< marked <= draws <= population / 2
    std::int64_t offset, sign;              ///< the result is offset + sign times the rest

    /// Up to so many marked, where both methods take about the same time.
    static constexpr int most_by_urn = 12;
    CRX_HD bool by_urn() const { return marked <= most_by_urn; }
};

/// Contract: 0 <= marked, draws <= population < 2^32 - 1.
CRX_HD inline ReducedHypergeometric reduce_hypergeometric(std::int64_t population,
                                                          std::int64_t marked, std::int64_t draws)
{
    CRX_EXPECT(0 <= marked && marked <= population && 0 <= draws && draws <= population &&
               population < (std::int64_t{1} << 32) - 1);
    std::int64_t offset = 0, sign = 1;
    if (2 * marked > population) {
        offset = draws;
        sign = -1;
        marked = population - marked;
    }
    if (2 * draws > population) {
        offset += sign * marked;
        sign = -sign;
        draws = population - draws;
    }
    if (marked > draws) return {population, draws, marked, offset, sign};
    return {population, marked, draws, offset, sign};
}

/// hypergeometric() where layers do not cover the law.
template <class Words>
CRX_HD std::int64_t hypergeometric_reduced(ReducedHypergeometric const& r, Words& words)
{
    if (r.marked == 0) return r.offset;
    return r.offset +
           r.sign * (r.by_urn() ? hypergeometric_by_urn(r.population, r.draws, r.marked, words)
                                : hypergeometric_by_blocks(r.population, r.marked, r.draws, words));
}

/// Marked ones among `draws` taken without replacement from `population` of which `marked` are
/// marked; exact in law, the same on every processor. From layers where they cover the law. No word
/// is used where nothing is random. Contract: 0 <= marked, draws <= population < 2^32 - 1.
template <class Words>
CRX_HD std::int64_t hypergeometric(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                   Words& words)
{
    auto const r = reduce_hypergeometric(population, marked, draws);
    // That they do not costs little to see, as a rule.
    if (r.marked < HypergeometricByZiggurat::least_marked) return hypergeometric_reduced(r, words);
    HypergeometricByZiggurat const layers(population, marked, draws);
    if (!layers.cover()) return hypergeometric_reduced(r, words);
    auto ratio = hypergeometric_ratio(population, marked, draws, layers.mode());
    return draw_by_layers(layers, ratio, words);
}

} // namespace crx

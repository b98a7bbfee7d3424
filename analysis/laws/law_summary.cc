#include "analysis/laws/law_summary.hh"

#include "analysis/statistics/wide_integer.hh"

namespace crx {

LawMoments moments_of(TabulatedLaw const& law)
{
    CRX_EXPECT(!law.value.empty());
    BigInteger sum = 0, squares = 0;
    std::uint64_t below = 0;
    for (std::size_t k = 0; k < law.value.size(); ++k) {
        // The last threshold stands for 2^64.
        auto const last = k + 1 == law.value.size();
        auto const words = Unsigned128{law.threshold[k] - below} + (last ? 1 : 0);
        auto const length = static_cast<std::uint64_t>(law.value[k]);
        below = law.threshold[k];
        sum += to_big(words * length);
        squares += to_big(words * length) * length;
    }
    // Exact in 100 digits: sums are below 2^64 of words times lengths below 2^31, squared.
    BigFloat const mean = ldexp(BigFloat(sum), -64);
    return {static_cast<double>(mean),
            static_cast<double>(ldexp(BigFloat(squares), -64) - mean * mean)};
}

std::int32_t quantile_of(TabulatedLaw const& law, double p)
{
    CRX_EXPECT(!law.value.empty() && p > 0 && p <= 1);
    auto const words = p * 0x1p64;
    for (std::size_t k = 0; k + 1 < law.value.size(); ++k)
        if (static_cast<double>(law.threshold[k]) >= words) return law.value[k];
    return law.value.back();
}

} // namespace crx

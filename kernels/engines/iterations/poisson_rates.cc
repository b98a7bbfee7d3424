#include "kernels/engines/iterations/poisson_rates.hh"

#include <algorithm>
#include <cmath>

namespace crx {
namespace {

/// 2^64 x, rounded; the largest word where that is too large.
std::uint64_t word_share(long double x)
{
    auto const scaled = std::nearbyint(x * 0x1p64L);
    return scaled < 0x1p64L ? static_cast<std::uint64_t>(scaled) : ~std::uint64_t{0};
}

} // namespace

BlockLaw block_law(double rate)
{
    CRX_EXPECT(rate >= 0 && rate <= 1e9);
    BlockLaw law;
    long double const per_nanosecond = static_cast<long double>(rate) / 1e9L;
    law.bits = 1;
    while (law.bits < 61 && std::ldexp(per_nanosecond, law.bits + 1) <= 128) ++law.bits;
    auto const mean = std::ldexp(per_nanosecond, law.bits);
    law.likely_sets = std::max(1, static_cast<std::int32_t>(std::ceil(mean / 64)));
    auto mass = std::exp(-mean), sum = mass;
    for (int n = 0; n < BlockLaw::most; ++n) {
        law.threshold[n] = word_share(sum);
        mass *= mean / static_cast<long double>(n + 1);
        sum += mass;
    }
    int n = 0;
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        while (n < BlockLaw::most && byte << 56 >= law.threshold[n]) ++n;
        law.guide[byte] = static_cast<std::uint8_t>(n);
    }
    return law;
}

PoissonTable PoissonRates::table() const
{
    auto const slices =
        keep.empty() ? 1 : static_cast<std::int32_t>(keep.size()) / std::max(types, 1);
    return {types,         slices,       laws.data(),
            law_of.data(), slice_length, keep.empty() ? nullptr : keep.data()};
}

Nanoseconds PoissonRates::longest() const
{
    Nanoseconds shortest = INT64_MAX;
    for (auto const& law : laws) {
        // Philox blocks for all sets of a block of arrivals; the same to thin them.
        auto const each = std::max<std::int64_t>(BlockLaw::sets * ((law.bits + 2) / 2),
                                                 keep.empty() ? 0 : BlockLaw::most / 2);
        auto const blocks = (std::int64_t{1} << 32) / each - 2;
        if (blocks < INT64_MAX >> law.bits) shortest = std::min(shortest, blocks << law.bits);
    }
    return shortest;
}

PoissonRates poisson_rates(std::vector<std::vector<double>> const& rate, Nanoseconds slice_length)
{
    CRX_EXPECT(!rate.empty() && !rate.front().empty() && rate.front().size() <= 65'536);
    PoissonRates out;
    out.types = static_cast<std::int32_t>(rate.front().size());
    out.slice_length = slice_length;
    std::vector<double> known;
    for (std::size_t j = 0; j < rate.front().size(); ++j) {
        double most = 0;
        for (auto const& slice : rate) most = std::max(most, slice.at(j));
        auto const at = std::ranges::find(known, most);
        out.law_of.push_back(static_cast<std::int32_t>(at - known.begin()));
        if (at == known.end()) {
            known.push_back(most);
            out.laws.push_back(block_law(most));
        }
        for (auto const& slice : rate) {
            CRX_EXPECT(slice[j] >= 0);
            if (rate.size() > 1)
                out.keep.push_back(most > 0 ? word_share(slice[j] / static_cast<long double>(most))
                                            : 0);
        }
    }
    return out;
}

} // namespace crx

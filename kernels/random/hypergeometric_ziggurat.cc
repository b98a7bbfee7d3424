#include "kernels/random/hypergeometric_ziggurat.cuh"

#include "kernels/random/buffered_words.hh"
#include "kernels/random/hypergeometric.cuh"

#include <bit>

namespace crx {
namespace {

ZigguratRows rows_of_layers()
{
    ZigguratRows rows{};
    for (int i = 0; i < HypergeometricZiggurat::layers; ++i) {
        rows.outer[i] = HypergeometricZiggurat::outer(i);
        rows.begin[i] = 0x1p23 * HypergeometricZiggurat::height(i);
        rows.thick[i] = HypergeometricZiggurat::thickness(i);
        auto const short_reach =
            static_cast<float>(HypergeometricZiggurat::area * 0x1p-35 / rows.thick[i]);
        auto const inner = static_cast<float>(HypergeometricZiggurat::inner(i));
        rows.short_reach[i] =
            std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(inner)} << 32 |
                                  std::bit_cast<std::uint32_t>(short_reach));
        auto const reach =
            std::bit_cast<std::uint64_t>(HypergeometricZiggurat::area * 0x1p-35 / rows.thick[i]);
        rows.reach[i] = std::bit_cast<double>((reach & ~std::uint64_t{0xffff}) |
                                              HypergeometricZiggurat::inner(i));
    }
    return rows;
}

} // namespace

ZigguratRows const ziggurat_rows = rows_of_layers();

std::int64_t hypergeometric_one(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                BufferedWords& words)
{
    return hypergeometric(population, marked, draws, words);
}

} // namespace crx

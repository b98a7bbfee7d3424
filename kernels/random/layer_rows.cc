#include "kernels/random/layer_rows.hh"

#include <bit>

namespace crx {
namespace {

LayerRows rows_of_layers()
{
    LayerRows rows{};
    for (int i = 0; i < LayerHat::layers; ++i) {
        rows.outer[i] = LayerHat::outer(i);
        rows.begin[i] = 0x1p23 * LayerHat::height(i);
        rows.thick[i] = LayerHat::thickness(i);
        auto const short_reach = static_cast<float>(LayerHat::area * 0x1p-35 / rows.thick[i]);
        auto const inner = static_cast<float>(LayerHat::inner(i));
        rows.short_reach[i] =
            std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(inner)} << 32 |
                                  std::bit_cast<std::uint32_t>(short_reach));
        auto const reach = std::bit_cast<std::uint64_t>(LayerHat::area * 0x1p-35 / rows.thick[i]);
        rows.reach[i] =
            std::bit_cast<double>((reach & ~std::uint64_t{0xffff}) | LayerHat::inner(i));
    }
    return rows;
}

} // namespace

LayerRows const layer_rows = rows_of_layers();

} // namespace crx

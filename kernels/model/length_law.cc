#include "kernels/model/length_law.cuh"

#include "kernels/base/integers.cuh"

namespace crx {
std::optional<UniformLaw> UniformLaw::of(TableLaw const& table)
{
    auto const values = static_cast<std::uint64_t>(table.value.size());
    if (values == 0 || values > std::uint64_t{1} << 31) return std::nullopt;
    for (std::uint64_t j = 1; j < values; ++j) {
        auto const nearest = ((Unsigned128{j} << 65) + values) / (2 * values);
        if (table.threshold[j - 1] != static_cast<std::uint64_t>(nearest) ||
            table.value[j] != table.value[j - 1] + 1)
            return std::nullopt;
    }
    return UniformLaw{values, table.value.front()};
}

void UniformLaw::draw(std::uint64_t const* words, std::int64_t n, std::int32_t* out) const
{
    static auto* const in_vectors = CRX_AT_LEVEL(simd_level(), draw_uniform);
    if (in_vectors != nullptr) return in_vectors(*this, words, n, out);
    for (std::int64_t i = 0; i < n; ++i) out[i] = draw(words[i]);
}

} // namespace crx

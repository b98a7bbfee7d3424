#include "kernels/laws/uniform_law.hh"

#include "kernels/base/vector_clones.hh"
#include "kernels/base/wide.cuh"

namespace crx {
namespace {

constexpr std::uint64_t low_half = 0xffffffff;

CRX_VECTOR_CLONES void draw_uniform(std::uint64_t const* words, std::int64_t n,
                                    std::uint64_t values, std::int32_t first, std::int32_t* out)
{
    auto const half = (values - 1) / 2;
    for (std::int64_t i = 0; i < n; ++i) {
        auto const low = (words[i] & low_half) * values + half;
        auto const high = (words[i] >> 32) * values + (low >> 32);
        out[i] = first + static_cast<std::int32_t>(high >> 32);
    }
}

} // namespace

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
    UniformLaw law;
    law.values_ = values;
    law.first_ = table.value.front();
    return law;
}

void UniformLaw::draw(std::uint64_t const* words, std::int64_t n, std::int32_t* out) const
{
    draw_uniform(words, n, values_, first_, out);
}

} // namespace crx

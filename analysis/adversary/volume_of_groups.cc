#include "analysis/adversary/volume_of_groups.hh"

#include "kernels/engines/cohorts/composition.cuh"

#include <algorithm>

namespace crx {
namespace {

/// So many requests of one length, or of one volume.
struct Counted
{
    Unsigned128 value;
    std::int64_t count;
};

template <class Value>
std::vector<Counted> ascending(std::vector<RequestGroup> const& groups, Value value)
{
    std::vector<Counted> counted;
    for (auto const& g : groups)
        if (g.count > 0) counted.push_back({value(g), g.count});
    std::ranges::sort(counted, {}, &Counted::value);
    return counted;
}

} // namespace

Unsigned128 volume_of_groups(std::vector<RequestGroup> const& groups, Tokens memory)
{
    CRX_EXPECT(std::ranges::all_of(groups, [](auto const& g) { return g.arrival == 0; }));
    auto lengths =
        ascending(groups, [](auto const& g) { return static_cast<Unsigned128>(g.output); });
    auto volumes = ascending(groups, [](auto const& g) {
        auto const s = static_cast<Unsigned128>(g.prompt), o = static_cast<Unsigned128>(g.output);
        return s * o + o * (o + 1) / 2;
    });
    auto const m = static_cast<Unsigned128>(memory);
    Unsigned128 before = 0; // volume of those counted
    Unsigned128 total = 0;
    // Stretches in which both lengths and volumes are equal.
    for (std::size_t l = 0, v = 0; l < lengths.size();) {
        auto const count = std::min(lengths[l].count, volumes[v].count);
        auto const o = lengths[l].value, volume = volumes[v].value;
        // The j-th (j = 1 .. count) has o as long as before + j volume <= o M.
        auto const by_length = o * m < before ? Unsigned128{0} : (o * m - before) / volume;
        auto const first =
            static_cast<std::int64_t>(std::min(by_length, static_cast<Unsigned128>(count)));
        total += static_cast<Unsigned128>(first) * o;
        total += sum_of_floors(static_cast<Unsigned128>(count - first), m, volume,
                               before + static_cast<Unsigned128>(first + 1) * volume + m - 1);
        before += static_cast<Unsigned128>(count) * volume;
        if ((lengths[l].count -= count) == 0) ++l;
        if ((volumes[v].count -= count) == 0) ++v;
    }
    return total;
}

} // namespace crx

#include "kernels/model/measures.hh"

#include <algorithm>
#include <cmath>

namespace crx {

void MeasureGroup::add(MeasureGroup const& other)
{
    for (std::size_t k = 0; k < value.size(); ++k) {
        value[k].count += other.value[k].count;
        value[k].largest = std::max(value[k].largest, other.value[k].largest);
        value[k].sum += other.value[k].sum;
        value[k].histogram.add(other.value[k].histogram);
    }
    instances += other.instances;
    requests += other.requests;
    attained += other.attained;
    attained_tokens += other.attained_tokens;
    tokens += other.tokens;
    lost_tokens += other.lost_tokens;
    time += other.time;
    held_time += other.held_time;
    crowded_time += other.crowded_time;
}

std::int64_t in_fixed_point(RequestMeasure measure, std::int64_t above, std::int64_t below)
{
    auto const bits = measure_fraction_bits[static_cast<int>(measure)];
    // Most times leave room in 64 bits, where a division is several times cheaper.
    if (above >> (62 - bits) == 0) return (above << bits) / below;
    auto const quotient =
        (static_cast<Unsigned128>(above) << bits) / static_cast<Unsigned128>(below);
    return static_cast<std::int64_t>(std::min(quotient, static_cast<Unsigned128>(time_limit)));
}

namespace {

/// Rounded down; by way of 64 bits, which is several times cheaper, where they suffice.
Unsigned128 whole(double value)
{
    return value < 0x1p63 ? static_cast<Unsigned128>(static_cast<std::int64_t>(value))
                          : static_cast<Unsigned128>(value);
}

} // namespace

void MemoryUse::add(Clock const& clock, Tokens memory, Stretch const& stretch, Rounds rounds,
                    std::int64_t time)
{
    if (rounds <= 0) return;
    auto const r = static_cast<double>(rounds), h = static_cast<double>(stretch.held),
               g = static_cast<double>(stretch.growth);
    // Sums of k and k^2 over k < rounds, so of what is held at the ends of the rounds.
    auto const linear = r * (r - 1) / 2, square = r * (r - 1) * (2 * r - 1) / 6;
    auto const held = r * h + g * linear;
    if (clock.affine()) {
        constexpr double unit = 1 << Clock::fraction_bits;
        auto const d1 = static_cast<double>(clock.d1) / unit;
        auto const fixed = static_cast<double>(clock.d0 + clock.d3 * stretch.growth);
        auto const entering =
            static_cast<double>((clock.d2 * stretch.prompts) >> Clock::fraction_bits);
        held_time += whole(fixed * held + entering * h +
                           d1 * (r * h * h + 2 * h * g * linear + g * g * square));
    } else {
        held_time += static_cast<Unsigned128>(rounds) * static_cast<Unsigned128>(stretch.held) +
                     static_cast<Unsigned128>(stretch.growth) * static_cast<Unsigned128>(rounds) *
                         static_cast<Unsigned128>(rounds - 1) / 2;
    }
    auto const least = (9 * memory + 9) / 10; // 90 % of M, rounded up
    auto const last = stretch.held + (rounds - 1) * stretch.growth;
    if (last < least) return;
    // The first round at whose end so much is held.
    auto const first = stretch.held >= least
                           ? Rounds{0}
                           : (least - stretch.held + stretch.growth - 1) / stretch.growth;
    auto const before = first == 0 ? 0 : clock.affine() ? clock.elapsed(stretch, first) : first;
    crowded_time += static_cast<Unsigned128>(time - before);
}

} // namespace crx

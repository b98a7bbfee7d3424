#include "analysis/fluid/offered_load.hh"

namespace crx {

double least_busy_time(OfferedWork const& work, Tokens memory, Clock const& clock)
{
    auto const volume = static_cast<double>(work.volume);
    auto const rounds = volume / static_cast<double>(memory);
    if (!clock.affine()) return rounds;
    constexpr double unit = 1 << Clock::fraction_bits;
    return static_cast<double>(clock.d0) * rounds + static_cast<double>(clock.d1) / unit * volume +
           static_cast<double>(clock.d2) / unit * static_cast<double>(work.prompts) +
           static_cast<double>(clock.d3) * static_cast<double>(work.outputs);
}

} // namespace crx

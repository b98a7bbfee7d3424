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
        for (auto const& [bin, count] : other.value[k].histogram) value[k].histogram[bin] += count;
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
        held_time += static_cast<Unsigned128>(
            fixed * held + entering * h + d1 * (r * h * h + 2 * h * g * linear + g * g * square));
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

std::int64_t measure_of(RequestMeasure measure, Clock const& clock, std::int32_t prompt,
                        std::int32_t output, RequestTimes const& times)
{
    auto const scaled = [&](std::int64_t above, std::int64_t below) {
        auto const bits = measure_fraction_bits[static_cast<int>(measure)];
        auto const quotient =
            (static_cast<Unsigned128>(above) << bits) / static_cast<Unsigned128>(below);
        constexpr auto most = static_cast<Unsigned128>(time_limit);
        return static_cast<std::int64_t>(std::min(quotient, most));
    };
    switch (measure) {
    case RequestMeasure::latency: return times.completion - times.arrival;
    case RequestMeasure::first_token: return times.first_token - times.arrival;
    case RequestMeasure::first_shown: return times.first_shown - times.arrival;
    case RequestMeasure::per_token:
        return output < 2 ? -1 : scaled(times.completion - times.first_token, output - 1);
    case RequestMeasure::slowdown:
        return scaled(times.completion - times.arrival, time_alone(clock, prompt, output));
    case RequestMeasure::longest_gap: return times.longest_gap;
    }
    return -1;
}

bool attains(Objective const& objective, std::int32_t output, std::int64_t latency,
             std::int64_t first_token, std::int64_t per_token)
{
    return (objective.latency == 0 || latency <= objective.latency) &&
           (objective.first_token == 0 || first_token <= objective.first_token) &&
           (objective.per_token == 0 || output < 2 || per_token <= objective.per_token);
}

} // namespace crx

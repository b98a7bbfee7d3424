#include "analysis/laws/jaillet_instances.hh"

#include "kernels/model/arrivals.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// Uniform on low .. high.
std::int64_t between(WordStream& words, std::int64_t low, std::int64_t high)
{
    return low +
           static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(high - low + 1)));
}

/// Writes the arrivals of model 2 and returns how many there are. The number of points of a Poisson
/// process in (t - 1, t] is Poisson and independent of other rounds', so points are moved up to
/// the next round.
std::int64_t arrive(WordStream& words, Instant* arrival, std::int64_t most)
{
    auto const rounds = between(words, 40, 60);
    RateStep const step{0, between(words, 500'000'000, 1'500'000'000)};
    WorkloadView process;
    process.rate_step = {&step, 1};
    std::int64_t n = 0;
    while (n == 0) {
        RateIntegral integral(process);
        UnitTime time;
        for (; n < most; ++n) {
            time.add(exponential(words));
            auto const round = integral.instant(time);
            if (round > rounds) break;
            arrival[n] = round;
        }
    }
    return n;
}

} // namespace

void JailletInstances::generate(std::uint64_t seed, std::uint64_t instance, Requests& r) const
{
    WordStream lengths(seed, stream_lengths, instance), prompts(seed, stream_prompts, instance);
    r.memory = between(lengths, 30, 50);
    if (together()) {
        r.n = between(lengths, 40, 60);
        for (std::int64_t i = 0; i < r.n; ++i) r.arrival[i] = 0;
    } else {
        WordStream arrivals(seed, stream_arrivals, instance);
        r.n = arrive(arrivals, r.arrival, most_requests());
    }
    for (std::int64_t i = 0; i < r.n; ++i) {
        r.prompt[i] = static_cast<std::int32_t>(between(prompts, 1, 5));
        r.output[i] = static_cast<std::int32_t>(between(lengths, 1, r.memory - r.prompt[i]));
        r.lower[i] = r.upper[i] = r.output[i];
    }
}

std::vector<std::pair<std::string, std::string>> JailletInstances::identity() const
{
    return {{"law", together() ? "jaillet-5.1-model-1" : "jaillet-5.1-model-2"}};
}

} // namespace crx

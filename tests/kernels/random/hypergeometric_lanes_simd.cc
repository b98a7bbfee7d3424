#include "kernels/random/hypergeometric_lanes.hh"
#include "kernels/random/hypergeometric_lanes_cases.hh"

namespace crx {
namespace {

template <class T>
void ask(HypergeometricLanes<T>& lanes, int j, crx_test::HypergeometricDraw const& draw)
{
    lanes.population[j] = static_cast<T>(draw.population);
    lanes.marked[j] = static_cast<T>(draw.marked);
    lanes.draws[j] = static_cast<T>(draw.draws);
}

/// Makes as many draws at a time as there are lanes.
template <class T>
void execute(crx_test::HypergeometricDraw* draw, int count)
{
    constexpr int most = HypergeometricLanes<T>::lanes;
    for (; count > 0; count -= most, draw += most) {
        HypergeometricLanes<T> lanes;
        auto const here = count < most ? count : most;
        for (int j = 0; j < here; ++j) {
            ask(lanes, j, draw[j]);
            lanes.words[j] = draw[j].words;
            lanes.places.forget(j);
        }
        lanes.execute((1u << here) - 1);
        for (int j = 0; j < here; ++j) {
            draw[j].found = static_cast<std::int64_t>(lanes.found[j]);
            lanes.places.leave(j, *draw[j].words);
        }
    }
}

/// Rounds in which 200 times in turn some of the lanes draw, whose words lanes keep the places of,
/// but for words that are taken from a stream by itself now and then. How many answers, or words at
/// the end, differ from those one by one.
template <class T>
std::int64_t differing_draws_of_kept_places(std::uint64_t seed, std::uint64_t rounds,
                                            std::int64_t largest)
{
    constexpr int most = HypergeometricLanes<T>::lanes;
    std::int64_t differing = 0;
    WordStream cases(seed, stream_policy + 4, 0);
    HypergeometricLanes<T> lanes;
    BufferedWords words[most], alone[most];
    for (std::uint64_t round = 0; round < rounds; ++round) {
        for (int j = 0; j < most; ++j) {
            words[j] = alone[j] =
                BufferedWords(seed, stream_policy + 4, most * round + static_cast<unsigned>(j),
                              static_cast<std::int64_t>(cases.bounded(80)));
            lanes.words[j] = &words[j];
            lanes.places.forget(j);
        }
        for (int step = 0; step < 200; ++step) {
            auto asked = static_cast<unsigned>(cases.next());
            if (step % 3 != 0) asked |= static_cast<unsigned>(cases.next());
            asked &= (1u << most) - 1;
            crx_test::HypergeometricDraw draw[most];
            for (int j = 0; j < most; ++j) {
                draw[j] = round % 2 == 0 ? crx_test::any_draw(cases, largest)
                                         : crx_test::draw_by_layers(cases, largest);
                ask(lanes, j, draw[j]);
                if (cases.bounded(round % 2 == 0 ? 100 : 10000) != 0) continue;
                lanes.places.leave(j, words[j]);
                for (auto k = cases.bounded(40); k > 0; --k)
                    differing += words[j].next() != alone[j].next();
            }
            lanes.execute(asked);
            for (int j = 0; j < most; ++j)
                if ((asked >> j & 1) != 0)
                    differing +=
                        static_cast<std::int64_t>(lanes.found[j]) !=
                        hypergeometric(draw[j].population, draw[j].marked, draw[j].draws, alone[j]);
        }
        for (int j = 0; j < most; ++j) {
            lanes.places.leave(j, words[j]);
            differing += words[j].next() != alone[j].next();
        }
    }
    return differing;
}

} // namespace

namespace CRX_SIMD_LEVEL {

void draw_in_floats(crx_test::HypergeometricDraw* draw, int count) { execute<float>(draw, count); }
void draw_in_doubles(crx_test::HypergeometricDraw* draw, int count)
{
    execute<double>(draw, count);
}
std::int64_t differing_in_floats(std::uint64_t seed, std::uint64_t rounds, std::int64_t largest)
{
    return differing_draws_of_kept_places<float>(seed, rounds, largest);
}
std::int64_t differing_in_doubles(std::uint64_t seed, std::uint64_t rounds, std::int64_t largest)
{
    return differing_draws_of_kept_places<double>(seed, rounds, largest);
}

} // namespace CRX_SIMD_LEVEL
} // namespace crx

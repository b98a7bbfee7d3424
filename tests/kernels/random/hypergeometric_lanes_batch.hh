#pragma once

#include "kernels/random/hypergeometric_lanes.hh"
#include "kernels/random/hypergeometric_lanes_cases.hh"

// Included where code is made for wider vectors, after the cases.

namespace crx {
namespace {

/// Makes up to HypergeometricLanes::most draws at a time.
void execute(crx_test::HypergeometricDraw* draw, int count)
{
    for (; count > 0; count -= HypergeometricLanes::most, draw += HypergeometricLanes::most) {
        HypergeometricLanes lanes;
        auto const here = count < HypergeometricLanes::most ? count : HypergeometricLanes::most;
        for (int j = 0; j < here; ++j) {
            lanes.population[j] = static_cast<double>(draw[j].population);
            lanes.marked[j] = static_cast<double>(draw[j].marked);
            lanes.draws[j] = static_cast<double>(draw[j].draws);
            lanes.words[j] = draw[j].words;
        }
        lanes.execute((1u << here) - 1);
        for (int j = 0; j < here; ++j) draw[j].found = static_cast<std::int64_t>(lanes.found[j]);
    }
}

} // namespace
} // namespace crx

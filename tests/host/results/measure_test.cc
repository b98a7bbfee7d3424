#include "host/results/measure.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

// Of a cell of the iteration model that has not begun.
TEST(Measure, OfNoPathsIsNothing)
{
    CellResult cell;
    for (auto const& none : {PathSums{}, PathSums(1)}) {
        cell.paths = std::make_shared<PathSums const>(none);
        for (auto const what : {Measure::mean_latency, Measure::throughput, Measure::iterations})
            EXPECT_FALSE(measure(cell, 0, what, BaselineKind::h_sf, 0.95));
    }
}

} // namespace
} // namespace crx

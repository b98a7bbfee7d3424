#pragma once

#include "host/bench/measure.hh"
#include "kernels/engines/cell.hh"

namespace crx {

/// How much faster two threads run a chunk than one, beside what the machine itself gives: two
/// threads that only compute in registers against one.
struct ThreadScaling
{
    double engine = 0;  ///< wall time of one thread over that of two, the best of each
    double machine = 0; ///< likewise, twice the arithmetic on two threads
    /// Twice the processor time on one thread over that on two: what two cores to itself would
    /// give, were no thread ever idle.
    double by_processor_time = 0;
    int turns = 0;
};

/// Runs the chunk and the arithmetic in turns on one and on two threads until `budget` seconds are
/// spent, three turns at least. A chunk should take a tenth of a second or more.
ThreadScaling measure_two_threads(Cell const& cell, std::int64_t instances, double budget);

} // namespace crx

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace crx {

/// Something to be timed beside others.
struct Contender
{
    std::string name;
    /// Runs `count` instances, numbers `first` and on; returns the events of all (0: has none).
    std::function<std::int64_t(std::int64_t first, std::int64_t count)> run;
    std::int64_t group = 1; ///< instances it runs at a time: a repetition takes a multiple
};

/// Processor time of one thread, so that other work on the machine counts little.
struct Timing
{
    double seconds = 0;       ///< an instance, median of the repetitions
    double low = 0, high = 0; ///< quartiles
    double events = 0;        ///< an instance
    int repetitions = 0;
};

/// Times contenders in turns, one repetition of each a turn, until `budget` seconds are spent or 51
/// turns are done, three at least. A repetition takes as many instances as fill twenty
/// milliseconds.
std::vector<Timing> measure(std::vector<Contender> const& contenders, double budget);

/// Seconds of a clock that never goes back.
double wall_seconds();

/// Slope of log y against log x by least squares. Contract: two different x at least, all positive.
double growth_exponent(std::vector<double> const& x, std::vector<double> const& y);

} // namespace crx

#pragma once

#include <map>
#include <string>

namespace crx {

/// What the round loop in Python answered.
struct PythonLoop
{
    std::map<std::string, double> seconds; ///< an instance, by policy
    std::string absent;                    ///< why there is none; empty if there is
};

/// Runs bench/round_loop.py (kept inside the program) by python3 on the two-point case;
/// `repetitions` of each policy, the median.
PythonLoop run_python_loop(long long n, long long memory, int lower, int upper, int repetitions);

} // namespace crx

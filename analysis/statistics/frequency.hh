#pragma once

#include <cstdint>

namespace crx {

/// A share of independent trials, with an interval of the probability behind it.
struct Frequency
{
    std::int64_t count = 0, of = 0;
    double low = 0, high = 1;

    double share() const { return static_cast<double>(count) / static_cast<double>(of); }
};

/// Interval by Clopper and Pearson (1934, doi:10.1093/biomet/26.4.404). Contract:
/// 0 <= count <= of, of >= 1, 0 < confidence < 1.
Frequency frequency(std::int64_t count, std::int64_t of, double confidence);

} // namespace crx

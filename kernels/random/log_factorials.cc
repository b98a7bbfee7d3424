#include "kernels/random/log_factorials.hh"

#include <cmath>

namespace crx {

// Up to 4096 logarithms below 16, each within a unit in the last place, 2^-49: 2^-37. The sum,
// below 2^15, is rounded as often in a long double, by 2^-50, and once to a double, by 2^-39.
LogFactorials::LogFactorials()
{
    long double sum = 0;
    for (int n = 0; n < size; ++n) {
        if (n > 1) sum += std::log(static_cast<double>(n));
        of[n] = static_cast<double>(sum);
    }
}

LogFactorials const log_factorials;

} // namespace crx

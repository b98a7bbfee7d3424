#include "analysis/statistics/frequency.hh"

#include <boost/math/special_functions/beta.hpp>

namespace crx {

Frequency frequency(std::int64_t count, std::int64_t of, double confidence)
{
    auto const k = static_cast<double>(count), n = static_cast<double>(of);
    auto const tail = (1 - confidence) / 2;
    return {count, of, count == 0 ? 0 : boost::math::ibeta_inv(k, n - k + 1, tail),
            count == of ? 1 : boost::math::ibetac_inv(k + 1, n - k, tail)};
}

} // namespace crx

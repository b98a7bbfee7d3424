#include "host/selftest/selftest.hh"
#include "kernels/cuda/device_checks.cuh"

#include <algorithm>
#include <fmt/format.h>

namespace crx {

SelftestResult selftest_draws_cuda(std::int64_t count)
{
    constexpr std::uint64_t seed = 20260801;
    constexpr std::int64_t at_once = 1 << 20;
    SelftestResult result;
    for (std::int64_t first = 0; first < count; first += at_once) {
        auto const part = std::min(at_once, count - first);
        std::vector<CheckedDraw> device;
        try {
            device = checked_draws_device(seed, first, part);
        } catch (std::exception const& error) {
            result.count(false, std::string("draws: ") + error.what());
            return result;
        }
        auto const host = checked_draws_host(seed, first, part);
        for (std::int64_t k = 0; k < part; ++k)
            result.count(host[static_cast<std::size_t>(k)] == device[static_cast<std::size_t>(k)],
                         fmt::format("draw {}: another number or other words", first + k));
    }
    return result;
}

} // namespace crx

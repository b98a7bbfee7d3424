#include "kernels/cuda/device_checks.cuh"

#include "kernels/base/parallel.hh"

namespace crx {

std::vector<CheckedDraw> checked_draws_host(std::uint64_t seed, std::int64_t first,
                                            std::int64_t count)
{
    std::vector<CheckedDraw> draws(static_cast<std::size_t>(count));
    parallel_for(std::int64_t{0}, count, [&](std::int64_t k) {
        draws[static_cast<std::size_t>(k)] =
            checked_draw(seed, static_cast<std::uint64_t>(first + k));
    });
    return draws;
}

} // namespace crx

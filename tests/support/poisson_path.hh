#pragma once

#include "kernels/engines/iterations/poisson_rates.hh"
#include "support/test_seed.hh"

#include <cstddef>
#include <memory>
#include <vector>

namespace crx_test {

/// Arrivals of one path with their memory. `rates` must outlive it.
struct OwnedArrivals
{
    OwnedArrivals(crx::PoissonRates const& rates, std::uint64_t path,
                  std::vector<std::int64_t> quorum_of = {},
                  std::vector<crx::Nanoseconds> checkpoints_of = {})
        : quorum(std::move(quorum_of)), checkpoints(std::move(checkpoints_of)),
          bytes(bytes_of(rates)), block(std::make_unique<std::byte[]>(bytes)),
          arena(block.get(), bytes), arrivals(make(rates, path, arena))
    {
    }

    crx::PoissonArrivals make(crx::PoissonRates const& rates, std::uint64_t path, crx::Arena& room)
    {
        return {rates.table(),
                test_seed(),
                path,
                quorum.empty() ? nullptr : quorum.data(),
                checkpoints.data(),
                static_cast<std::int32_t>(checkpoints.size()),
                room};
    }
    std::size_t bytes_of(crx::PoissonRates const& rates)
    {
        crx::Arena counter(nullptr, 0);
        make(rates, 0, counter);
        return counter.bytes_used();
    }

    std::vector<std::int64_t> quorum;
    std::vector<crx::Nanoseconds> checkpoints;
    std::size_t bytes;
    std::unique_ptr<std::byte[]> block;
    crx::Arena arena;
    crx::PoissonArrivals arrivals;
};

} // namespace crx_test

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <Random123/philox.h>

#include "oracle/effort.hh"

/// Random choices as docs/random-choices.md words them, written a second time for the oracle.
namespace oracle {

/// The four outputs of one Philox block.
inline std::array<std::uint32_t, 4> philox_block(std::uint64_t seed, std::uint64_t instance,
                                                 std::uint32_t stream, std::uint32_t draw)
{
    r123::Philox4x32::ctr_type const counter{{draw, stream, static_cast<std::uint32_t>(instance),
                                              static_cast<std::uint32_t>(instance >> 32)}};
    r123::Philox4x32::key_type const key{
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    r123::Philox4x32::ctr_type const v = r123::Philox4x32{}(counter, key);
    return {v[0], v[1], v[2], v[3]};
}

/// Where random choices come from.
class Choices
{
  public:
    virtual ~Choices() = default;
    /// Limits the runs that these choices are for; null: nothing does.
    Effort* effort = nullptr;
    void spend(std::int64_t steps) const
    {
        if (effort != nullptr) effort->spend(steps);
    }
    /// Uniform on 0 .. k-1.
    virtual std::uint64_t bounded(std::uint64_t k) = 0;

    std::vector<std::size_t> permutation(std::size_t n)
    {
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t left = n; left > 1; --left)
            std::swap(order[left - 1], order[bounded(left)]);
        return order;
    }
};

/// The words of one stream of one instance, in order.
class WordStream : public Choices
{
  public:
    WordStream(std::uint64_t seed, std::uint64_t instance, std::uint32_t stream)
        : seed_(seed), instance_(instance), stream_(stream)
    {
    }

    std::uint64_t next()
    {
        auto const v =
            philox_block(seed_, instance_, stream_, static_cast<std::uint32_t>(used_ / 2));
        std::size_t const low = used_ % 2 == 0 ? 0 : 2;
        ++used_;
        return v[low] + (std::uint64_t{v[low + 1]} << 32);
    }

    std::uint64_t bounded(std::uint64_t k) override
    {
        if (k == 1) return 0;
        std::uint64_t const least_accepted = (std::uint64_t{0} - k) % k; // (2^64 - k) mod k
        for (;;) {
            unsigned __int128 const product = static_cast<unsigned __int128>(next()) * k;
            if (static_cast<std::uint64_t>(product) >= least_accepted)
                return static_cast<std::uint64_t>(product >> 64);
        }
    }

    std::uint64_t used() const { return used_; }

  private:
    std::uint64_t seed_, instance_;
    std::uint32_t stream_;
    std::uint64_t used_ = 0; ///< words taken so far
};

} // namespace oracle

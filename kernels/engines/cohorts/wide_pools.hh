#pragma once

#include "kernels/engines/cohorts/a_min_batch/length_index.hh"

// CPU only, as wide_lanes.hh: included by learned_wide_form.hh alone.

namespace crx {
namespace {

/// WaitingPools for the CPU: pool e + 1 holds those who outlived working length e, pool l those of
/// whom nothing is known, who wait with e = l too.
class WidePools
{
  public:
    WidePools(Arena& arena, std::uint32_t lower, std::uint32_t upper)
        : lower_(lower), pools_(upper + 2), count_(arena.take<std::int32_t>(pools_)),
          occupied_(arena, upper + 1)
    {
    }
    void clear()
    {
        for (std::uint32_t k = lower_; k < pools_; ++k) count_[k] = 0;
        occupied_.clear();
    }
    /// The working length that those of a pool wait with.
    std::uint32_t length_of(std::uint32_t pool) const { return pool - (pool > lower_); }

    /// m come with working length e, of whom something is known or not. Contract: it is if e > l.
    void put(std::uint32_t e, bool known, std::int32_t m)
    {
        count_[e + known] += m;
        occupied_.insert(e);
    }
    /// Contract: m <= count(pool).
    void take(std::uint32_t pool, std::int32_t m)
    {
        count_[pool] -= m;
        auto const e = length_of(pool);
        occupied_.erase_if(e, with_length(e) == 0);
    }
    std::int32_t count(std::uint32_t pool) const { return count_[pool]; }
    std::int32_t with_length(std::uint32_t e) const
    {
        auto count = count_[e + 1];
        if (e == lower_) [[unlikely]]
            count += count_[e];
        return count;
    }
    /// The least working length that anybody waits with. Contract: somebody waits.
    std::uint32_t least() const { return occupied_.least(); }
    /// The next above this one. Contract: there is one.
    std::uint32_t next(std::uint32_t e) const { return occupied_.next(e); }

  private:
    std::uint32_t lower_, pools_;
    std::int32_t* count_;
    LengthIndex occupied_;
};

} // namespace
} // namespace crx

#pragma once

#include "kernels/engines/cohorts/length_set.cuh"
#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// Waiting requests of a policy that learns working lengths: a pool for each length e from l to u,
/// whose members have all outlived e, and one more for those with e = l of which not even this is
/// known. The policy cannot tell the two pools of e = l apart, their hidden lengths differ.
class WaitingPools
{
  public:
    CRX_HD WaitingPools(Arena& arena, std::int32_t lower, std::int32_t upper)
        : lower_(lower), pools_(upper - lower + 2), count_(arena.take<std::int64_t>(pools_)),
          occupied_(arena, pools_)
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t k = 0; k < pools_; ++k) count_[k] = 0;
        occupied_.clear();
    }

    CRX_HD void put(std::int32_t e, bool outlived, std::int64_t m)
    {
        auto const pool = std::int64_t{e} - lower_ + (outlived ? 1 : 0);
        count_[pool] += m;
        total_ += m;
        occupied_.insert(pool);
    }
    CRX_HD std::int64_t total() const { return total_; }
    /// The least working length that anybody waits with. Contract: total() > 0.
    CRX_HD std::int32_t least_length()
    {
        auto const pool = occupied_.least();
        return static_cast<std::int32_t>(pool <= 1 ? lower_ : lower_ + pool - 1);
    }
    /// How many wait with it.
    CRX_HD std::int64_t with_length(std::int32_t e) const
    {
        return e == lower_ ? count_[0] + count_[1] : count_[e - lower_ + 1];
    }

    /// Takes m of those with working length e, drawn uniformly; calls take(m, outlived) for each
    /// pool that some come from.
    template <class Take>
    CRX_HD void draw(std::int32_t e, std::int64_t m, WordStream& words, Take take)
    {
        auto const fresh = e == lower_ ? hypergeometric(with_length(e), count_[0], m, words) : 0;
        if (fresh > 0) {
            remove(0, fresh);
            take(fresh, false);
        }
        if (m > fresh) {
            remove(e - lower_ + 1, m - fresh);
            take(m - fresh, true);
        }
    }

  private:
    CRX_HD void remove(std::int64_t pool, std::int64_t m)
    {
        count_[pool] -= m;
        total_ -= m;
        if (count_[pool] == 0) occupied_.erase(pool);
    }

    std::int64_t lower_, pools_;
    std::int64_t* count_; ///< of the unknown with e = l, then of each length
    LengthSet occupied_;
    std::int64_t total_ = 0;
};

} // namespace crx

#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"

namespace crx {

/// The groups that have their threshold at stage 0, a bit each.
class ReadyGroups
{
  public:
    /// None of them yet. With an arena that only counts nothing may be asked.
    CRX_HD ReadyGroups(std::int32_t groups, Arena& arena)
        : words_((groups + 63) / 64), word_(arena.take<std::uint64_t>(words_))
    {
        for (std::int32_t w = 0; w < words_ && word_ != nullptr; ++w) word_[w] = 0;
    }

    CRX_HD void set(std::int32_t g, bool ready)
    {
        auto const bit = std::uint64_t{1} << (g % 64);
        if (ready)
            word_[g / 64] |= bit;
        else
            word_[g / 64] &= ~bit;
    }

    /// Calls visit(g) for each, ascending; visit may set(g, ...) for its own g.
    template <class Visit>
    CRX_HD void for_each(Visit visit) const
    {
        for (std::int32_t w = 0; w < words_; ++w)
            for (auto bits = word_[w]; bits != 0; bits &= bits - 1)
                visit(64 * w + lowest_bit(bits));
    }

  private:
    std::int32_t words_;
    std::uint64_t* word_;
};

} // namespace crx

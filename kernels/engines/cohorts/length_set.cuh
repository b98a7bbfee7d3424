#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"

namespace crx {

/// A set of small integers 0 .. n-1 that is asked for its least member at or after a place.
class LengthSet
{
  public:
    CRX_HD LengthSet(Arena& arena, std::int64_t n)
        : words_((n + 63) / 64), word_(arena.take<std::uint64_t>(words_))
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < words_; ++w) word_[w] = 0;
        lowest_ = words_;
    }
    CRX_HD void insert(std::int64_t k)
    {
        word_[k / 64] |= std::uint64_t{1} << (k % 64);
        if (k / 64 < lowest_) lowest_ = k / 64;
    }
    CRX_HD void erase(std::int64_t k) { word_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }

    /// The least member; -1 if there is none.
    CRX_HD std::int64_t least()
    {
        for (; lowest_ < words_; ++lowest_)
            if (word_[lowest_] != 0) return lowest_ * 64 + lowest_bit(word_[lowest_]);
        return -1;
    }

  private:
    std::int64_t words_;
    std::uint64_t* word_;
    std::int64_t lowest_ = 0; ///< no member lies in a word before this one
};

} // namespace crx

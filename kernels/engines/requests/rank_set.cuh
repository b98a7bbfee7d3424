#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"

namespace crx {

/// A set of ranks 0 .. n-1 whose members can be visited 64 at a time: a bitmap, and a bitmap of its
/// words that have members. Insertion and removal are an instruction or two a rank and can be done
/// for all ranks of a word at once; the least member is found by passing over empty words, 64 at a
/// time.
class RankSet
{
  public:
    CRX_HD RankSet(Arena& arena, std::int64_t n)
        : words_((n + 63) / 64), areas_((words_ + 63) / 64),
          word_(arena.take<std::uint64_t>(words_)), any_(arena.take<std::uint64_t>(areas_))
    {
    }

    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < words_; ++w) word_[w] = 0;
        for (std::int64_t a = 0; a < areas_; ++a) any_[a] = 0;
        size_ = first_area_ = end_area_ = 0;
    }

    CRX_HD std::int64_t size() const { return size_; }
    CRX_HD bool contains(std::uint32_t rank) const
    {
        return (word_[rank / 64] >> (rank % 64) & 1) != 0;
    }
    /// Members 64 w .. 64 w + 63 as bits.
    CRX_HD std::uint64_t word(std::uint32_t w) const { return word_[w]; }
    CRX_HD void insert(std::uint32_t rank) { insert(rank / 64, bit_of(rank), 1); }
    CRX_HD void erase(std::uint32_t rank) { erase(rank / 64, bit_of(rank), 1); }

    /// Ranks 64 w + k for the bits k of `bits`, of which there are `count`, none of them a member.
    /// Contract: count >= 1.
    CRX_HD void insert(std::uint32_t w, std::uint64_t bits, int count)
    {
        std::int64_t const area = w / 64;
        word_[w] |= bits;
        any_[area] |= bit_of(w);
        size_ += count;
        if (area < first_area_) first_area_ = area;
        if (area >= end_area_) end_area_ = area + 1;
    }
    /// Likewise, all of them members.
    CRX_HD void erase(std::uint32_t w, std::uint64_t bits, int count)
    {
        word_[w] &= ~bits;
        if (word_[w] == 0) any_[w / 64] &= ~bit_of(w);
        size_ -= count;
    }

    /// Contract: not empty.
    CRX_HD std::uint32_t first()
    {
        while (any_[first_area_] == 0) ++first_area_;
        auto const w = 64 * first_area_ + lowest_bit(any_[first_area_]);
        return static_cast<std::uint32_t>(64 * w + lowest_bit(word_[w]));
    }
    /// Calls visit(w, bits) for every word w with members, in ascending order; it may take members
    /// of that word away.
    template <class Visit>
    CRX_HD void for_each_word(Visit visit)
    {
        for (auto a = first_area_; a < end_area_; ++a)
            for (auto left = any_[a]; left != 0; left &= left - 1) {
                auto const w = 64 * a + lowest_bit(left);
                visit(static_cast<std::uint32_t>(w), word_[w]);
            }
    }

  private:
    CRX_HD static std::uint64_t bit_of(std::uint32_t place)
    {
        return std::uint64_t{1} << (place % 64);
    }

    std::int64_t words_, areas_;
    std::uint64_t *word_, *any_;
    std::int64_t size_ = 0;
    std::int64_t first_area_ = 0, end_area_ = 0; ///< no member lies before or from there on
};

} // namespace crx

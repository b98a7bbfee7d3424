#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"

namespace crx {

/// A set of indices 0 .. n-1 that can be asked for its r-th smallest: a bitmap with a count for
/// every eight words. Insertion and removal take constant time, selection n/512 additions at worst.
class IndexSet
{
  public:
    CRX_HD IndexSet(Arena& arena, std::int64_t n)
        : words_((n + 63) / 64), blocks_((words_ + words_a_block - 1) / words_a_block),
          word_(arena.take<std::uint64_t>(words_)), in_block_(arena.take<std::uint32_t>(blocks_))
    {
    }

    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < words_; ++w) word_[w] = 0;
        for (std::int64_t b = 0; b < blocks_; ++b) in_block_[b] = 0;
        size_ = 0;
        lowest_block_ = 0;
    }
    CRX_HD void fill(std::int64_t n)
    {
        clear();
        for (std::int64_t i = 0; i < n; ++i) insert(static_cast<std::uint32_t>(i));
    }
    CRX_HD void insert(std::uint32_t index)
    {
        auto const block = static_cast<std::int64_t>(index / bits_a_block);
        word_[index / 64] |= std::uint64_t{1} << (index % 64);
        ++in_block_[block];
        ++size_;
        if (block < lowest_block_) lowest_block_ = block;
    }
    CRX_HD void erase(std::uint32_t index)
    {
        word_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
        --in_block_[index / bits_a_block];
        --size_;
    }
    CRX_HD std::int64_t size() const { return size_; }

    /// The member with r members below it. Contract: r < size().
    CRX_HD std::uint32_t select(std::uint64_t r)
    {
        while (in_block_[lowest_block_] == 0) ++lowest_block_;
        auto block = lowest_block_;
        while (r >= in_block_[block]) r -= in_block_[block++];
        auto w = block * words_a_block;
        for (int here = count_bits(word_[w]); r >= static_cast<std::uint64_t>(here);
             here = count_bits(word_[w])) {
            r -= static_cast<std::uint64_t>(here);
            ++w;
        }
        return static_cast<std::uint32_t>(w * 64 + select_bit(word_[w], static_cast<int>(r)));
    }

    /// Calls visit(index) for every member in ascending order.
    template <class Visit>
    CRX_HD void for_each(Visit visit) const
    {
        for (std::int64_t b = lowest_block_; b < blocks_; ++b) {
            if (in_block_[b] == 0) continue;
            auto const end = (b + 1) * words_a_block < words_ ? (b + 1) * words_a_block : words_;
            for (auto w = b * words_a_block; w < end; ++w)
                for (auto bits = word_[w]; bits != 0; bits &= bits - 1)
                    visit(static_cast<std::uint32_t>(w * 64 + lowest_bit(bits)));
        }
    }

  private:
    static constexpr std::int64_t words_a_block = 8;
    static constexpr std::uint32_t bits_a_block = 64 * words_a_block;

    std::int64_t words_, blocks_;
    std::uint64_t* word_;
    std::uint32_t* in_block_; ///< members in each block
    std::int64_t size_ = 0;
    std::int64_t lowest_block_ = 0; ///< no member lies in a block before this one
};

} // namespace crx

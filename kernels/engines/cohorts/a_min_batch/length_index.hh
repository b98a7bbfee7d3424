#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// LengthSet for up to 4,096 members, without a branch: a bit a member, and a bit for each word of
/// them that has one.
class LengthIndex
{
  public:
    static constexpr std::uint32_t most = 64 * 64;

    LengthIndex(Arena& arena, std::uint32_t n)
        : words_((n + 63) / 64), word_(arena.take<std::uint64_t>(words_))
    {
    }
    void clear()
    {
        for (std::uint32_t w = 0; w < words_; ++w) word_[w] = 0;
        any_ = 0;
    }
    void insert(std::uint32_t k)
    {
        word_[k / 64] |= std::uint64_t{1} << (k % 64);
        any_ |= std::uint64_t{1} << (k / 64);
    }
    /// Takes k away if `gone`.
    void erase_if(std::uint32_t k, bool gone)
    {
        auto const word = word_[k / 64] &= ~(std::uint64_t{gone} << (k % 64));
        any_ &= ~(std::uint64_t{word == 0} << (k / 64));
    }
    /// Contract: not empty.
    void erase_least()
    {
        auto& word = word_[lowest_bit(any_)];
        word &= word - 1;
        any_ &= any_ - std::uint64_t{word == 0};
    }
    bool empty() const { return any_ == 0; }
    /// The least member. Contract: not empty.
    std::uint32_t least() const
    {
        auto const w = static_cast<std::uint32_t>(lowest_bit(any_));
        return 64 * w + static_cast<std::uint32_t>(lowest_bit(word_[w]));
    }
    /// The least member above k. Contract: there is one.
    std::uint32_t next(std::uint32_t k) const
    {
        auto const above = std::uint64_t{0} - 2;
        auto const bits = word_[k / 64] & above << (k % 64);
        if (bits != 0) return k / 64 * 64 + static_cast<std::uint32_t>(lowest_bit(bits));
        auto const w = static_cast<std::uint32_t>(lowest_bit(any_ & above << (k / 64)));
        return 64 * w + static_cast<std::uint32_t>(lowest_bit(word_[w]));
    }

  private:
    std::uint32_t words_;
    std::uint64_t* word_;
    std::uint64_t any_ = 0;
};

} // namespace
} // namespace crx

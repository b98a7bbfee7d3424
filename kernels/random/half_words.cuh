#pragma once

#include "kernels/random/word_stream.cuh"

namespace crx {

/// Bounded integers from the halves of a stream's words, the low half first: half the cost where
/// many small ones are drawn. What is left of a word when the object ends is not used again.
class HalfWords
{
  public:
    CRX_HD explicit HalfWords(WordStream& words) : words_(words) {}

    /// Uniform on 0 .. k-1, exactly; k = 1 uses nothing. Contract: 1 <= k < 2^32.
    /// Source: Lemire (2019), doi:10.1145/3230636.
    CRX_HD std::uint32_t bounded(std::uint64_t k)
    {
        CRX_EXPECT(k >= 1 && k < std::uint64_t{1} << 32);
        if (k == 1) return 0;
        auto product = next() * k;
        if ((product & low) < k)
            while ((product & low) < (std::uint64_t{1} << 32) % k) product = next() * k;
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    static constexpr std::uint64_t low = 0xffffffff;

    CRX_HD std::uint64_t next()
    {
        second_ = !second_;
        if (second_) word_ = words_.next();
        return second_ ? word_ & low : word_ >> 32;
    }

    WordStream& words_;
    std::uint64_t word_ = 0;
    bool second_ = false; ///< the upper half of word_ is still to be used
};

} // namespace crx

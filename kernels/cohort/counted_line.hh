#pragma once

#include "kernels/random/buffered_words.hh"
#include "kernels/random/marked_line.cuh"

namespace crx {

/// A MarkedLine that counts the marks of a block row by row when the block is opened: an answer
/// from it is one such count and the bits of one row, however large the group. For the CPU; the
/// same answers by the same words.
class CountedLine : private MarkedLine
{
  public:
    /// Contract: 0 <= marked <= population < 2^32 - 1.
    void open(std::int64_t population, std::int64_t marked)
    {
        MarkedLine::open(population, marked);
        before_[0] = passed_ = 0;
    }

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    std::int64_t take(std::int64_t m, BufferedWords& words)
    {
        if (m > size_ - at_) [[unlikely]]
            return take_past_block(*this, m, words);
        at_ += m;
        auto const before = passed_;
        passed_ = marks_before(at_);
        return passed_ - before;
    }

    /// Whether take(m) is one hypergeometric draw, of m from beyond() of which beyond_marked() are
    /// marked; then drawn(m, found) may take its place.
    bool is_one_draw(std::int64_t m) const
    {
        return m > size_ - at_ && m > block / 8 && m <= beyond_;
    }
    std::int64_t beyond() const { return beyond_; }
    std::int64_t beyond_marked() const { return beyond_marked_; }
    void drawn(std::int64_t m, std::int64_t found)
    {
        beyond_ -= m;
        beyond_marked_ -= found;
    }

  private:
    static std::int64_t take_past_block(CountedLine& line, std::int64_t m, BufferedWords& words);
    [[gnu::always_inline]] inline std::int64_t take_and_count(std::int64_t m, BufferedWords& words);

    /// Marks of the open block before place `end`.
    std::int32_t marks_before(std::int64_t end) const
    {
        auto const row = end / 64, rest = end % 64;
        return before_[row] +
               (rest == 0 ? 0 : count_bits(row_[row] & ((std::uint64_t{1} << rest) - 1)));
    }

    std::int32_t passed_ = 0;            ///< marks of the open block before at_
    std::int32_t before_[rows + 1] = {}; ///< before_[r]: marks of the open block before row r
};

} // namespace crx

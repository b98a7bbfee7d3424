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
        counted_[0] = {};
        passed_ = 0;
    }

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    std::int64_t take(std::int64_t m, BufferedWords& words)
    {
        if (m > size_ - at_) [[unlikely]]
            return take_past_block(m, words);
        at_ += m;
        auto const before = passed_;
        passed_ = marks_before(static_cast<std::uint64_t>(at_));
        return passed_ - before;
    }

    // For who keeps the place in the open block himself, and asks take_past_block alone beyond it:

    /// Goes on at this place of the open block. Contract: 0 <= place <= size().
    void go_to(std::int64_t place) { at_ = place; }
    std::int64_t place() const { return at_; }
    std::int64_t size() const { return size_; }
    /// Marks of the open block before place `end`. Contract: 0 <= end <= size().
    std::int64_t marks_before(std::uint64_t end) const
    {
        auto const& row = counted_[end / 64];
        return row.before + count_bits(row.bits & ~(~std::uint64_t{0} << end % 64));
    }
    /// As take, where m is more than is left of the open block.
    std::int64_t take_past_block(std::int64_t m, BufferedWords& words)
    {
        return take_past(*this, m, words);
    }

  private:
    static std::int64_t take_past(CountedLine& line, std::int64_t m, BufferedWords& words);
    [[gnu::always_inline]] inline std::int64_t take_and_count(std::int64_t m, BufferedWords& words);

    struct Row
    {
        std::uint64_t bits;
        std::int64_t before; ///< marks of the open block in the rows before
    };
    std::int64_t passed_ = 0;    ///< marks of the open block before at_
    Row counted_[rows + 1] = {}; ///< row_, and one that is empty behind a full block
};

} // namespace crx

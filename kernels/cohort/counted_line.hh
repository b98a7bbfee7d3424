#pragma once

#include "kernels/random/buffered_words.hh"
#include "kernels/random/marked_line.cuh"

namespace crx {

/// A MarkedLine that counts the marks of a block row by row when the block is opened: an answer
/// from it is two such counts and the bits of two rows, however large the group. For the CPU; the
/// same answers by the same words.
class CountedLine : private MarkedLine
{
  public:
    /// Contract: 0 <= marked <= population < 2^32 - 1.
    void open(std::int64_t population, std::int64_t marked)
    {
        MarkedLine::open(population, marked);
        counted_[0] = {};
    }

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    std::int64_t take(std::int64_t m, BufferedWords& words)
    {
        if (m > size_ - at_) return take_past_block(*this, m, words);
        auto const before = marks_before(static_cast<std::uint64_t>(at_));
        at_ += m;
        return marks_before(static_cast<std::uint64_t>(at_)) - before;
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

    /// Whether take(m) first asks how many of next_size() from beyond() are marked, and then opens
    /// a block of them; then take_opening(m, their number) may take its place.
    bool opens_block(std::int64_t m) const
    {
        auto const rest = m - (size_ - at_);
        return 0 < rest && rest <= block / 8 && !is_one_draw(m) && 0 < beyond_marked_ &&
               beyond_marked_ < beyond_;
    }
    using MarkedLine::next_size;
    std::int64_t take_opening(std::int64_t m, std::int64_t marked, BufferedWords& words)
    {
        return open_and_take(*this, m, marked, words);
    }

    // For who goes on within the open block by himself:

    /// Who is asked next, and how many there are.
    std::int64_t place() const { return at_; }
    std::int64_t size() const { return size_; }
    /// Marked ones before a place. Contract: end <= size().
    std::int64_t marks_before(std::uint64_t end) const
    {
        auto const& row = counted_[end / 64];
        return row.before + count_bits(row.bits & ~(~std::uint64_t{0} << end % 64));
    }
    /// Contract: 0 <= place <= size().
    void go_to(std::int64_t place) { at_ = place; }

  private:
    static std::int64_t take_past_block(CountedLine& line, std::int64_t m, BufferedWords& words);
    static std::int64_t open_and_take(CountedLine& line, std::int64_t m, std::int64_t marked,
                                      BufferedWords& words);
    [[gnu::always_inline]] inline void count_rows();

    struct Row
    {
        std::uint64_t bits;
        std::int64_t before; ///< marks of the open block in the rows before
    };
    Row counted_[rows + 1] = {}; ///< row_, and one that is empty behind a full block
};

} // namespace crx

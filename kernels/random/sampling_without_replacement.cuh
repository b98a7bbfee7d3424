#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/marked_rows.cuh"

namespace crx {

/// Most places of a block in an engine with a line for each of so many lengths: a power of two that
/// leaves the rows of all of them 16 KiB at most, or 2,048.
CRX_HD inline std::int64_t sampling_block(std::int64_t lengths)
{
    std::int64_t block = std::int64_t{1} << 16;
    while (block > 2048 && block * lengths > std::int64_t{1} << 17) block /= 2;
    return block;
}
/// Rows of 64 places that a line of so many requests needs.
CRX_HD inline std::int64_t sampling_rows(std::int64_t population, std::int64_t block)
{
    return ((population < block ? population : block) + 63) / 64;
}

/// How far a line in random order was asked, and what is known of the rest.
class SamplingState
{
  public:
    /// A group of more than so many is one draw as a rule.
    static constexpr std::int64_t most_counted = 256;
    static constexpr std::int64_t least_block = 2048, first_block = 32768;

    /// `block`: most places of one.
    CRX_HD explicit SamplingState(std::int64_t block) : block_(block), next_block_(block) {}

    /// Contract: 0 <= marked <= population < 2^32 - 1.
    CRX_HD void open(std::int64_t population, std::int64_t marked)
    {
        beyond_ = population;
        beyond_marked_ = marked;
        at_ = size_ = 0;
        next_block_ = block_ < first_block ? block_ : first_block;
    }

    /// How many lie behind the open block, and how many of them are marked.
    CRX_HD std::int64_t beyond() const { return beyond_; }
    CRX_HD std::int64_t beyond_marked() const { return beyond_marked_; }
    CRX_HD void take_from_beyond(std::int64_t m, std::int64_t found)
    {
        beyond_ -= m;
        beyond_marked_ -= found;
    }

    /// The open block: which place is asked next, and how many places there are.
    CRX_HD std::int64_t place() const { return at_; }
    CRX_HD std::int64_t size() const { return size_; }
    CRX_HD std::int64_t left() const { return size_ - at_; }
    /// Contract: 0 <= place <= size().
    CRX_HD void go_to(std::int64_t place) { at_ = place; }
    CRX_HD void open_block(std::int64_t size)
    {
        at_ = 0;
        size_ = size;
        next_block_ = block_;
    }
    /// Whether nothing is drawn for the next m, as the open block holds them.
    CRX_HD bool holds(std::int64_t m) const { return m <= left() && !is_one_draw(m); }
    /// Whether the next m are one hypergeometric draw from behind the open block.
    CRX_HD bool is_one_draw(std::int64_t m) const { return m > most_counted && m <= beyond_; }
    /// Whether a block is opened for the last of the next m, after a draw of how many of its places
    /// are marked.
    CRX_HD bool opens_block(std::int64_t m) const
    {
        auto const rest = m - left();
        return 0 < rest && rest <= most_counted && m <= most_counted && 0 < beyond_marked_ &&
               beyond_marked_ < beyond_;
    }
    /// How many lie in the block that is opened for the last of the next m: enough for 256 groups
    /// like these, but fewer in the first, as there may be few small groups. Contract:
    /// opens_block(m).
    CRX_HD std::int64_t next_size(std::int64_t m) const
    {
        auto const rest = static_cast<std::uint64_t>(m - left());
        auto size = std::int64_t{1} << (8 + bit_length(rest - 1));
        size = size < least_block ? least_block : size < next_block_ ? size : next_block_;
        return beyond_ < size ? beyond_ : size;
    }

  private:
    std::int64_t beyond_ = 0, beyond_marked_ = 0, at_ = 0, size_ = 0, block_, next_block_;
};

/// SamplingWithoutReplacement::take where it opens a block, of which so many are marked.
template <class Rows, class Words>
CRX_HD std::int64_t take_opening(SamplingState& line, Rows const& rows, std::int64_t m,
                                 std::int64_t marked, Words& words)
{
    auto const before = rows.count(line.place(), line.size()), size = line.next_size(m);
    m -= line.left();
    line.take_from_beyond(size, marked);
    auto const parts = static_cast<unsigned>((64 * marked + size / 2) / size);
    sprinkle(rows, size, parts, words);
    change_bits(rows, size, marked - rows.count_all(size), words);
    rows.made(size);
    line.open_block(size);
    line.go_to(m);
    return before + rows.count(0, m);
}

/// SamplingWithoutReplacement::take
template <class Rows, class Words>
CRX_HD std::int64_t take_marked(SamplingState& line, Rows const& rows, std::int64_t m, Words& words)
{
    auto const beyond = [&](std::int64_t asked) {
        return hypergeometric(line.beyond(), line.beyond_marked(), asked, words);
    };
    if (line.opens_block(m)) return take_opening(line, rows, m, beyond(line.next_size(m)), words);
    auto const within = line.is_one_draw(m) ? 0 : m < line.left() ? m : line.left();
    auto found = rows.count(line.place(), line.place() + within);
    line.go_to(line.place() + within);
    if (m > within) {
        auto const further = beyond(m - within);
        line.take_from_beyond(m - within, further);
        found += further;
    }
    return found;
}

/// A line of `population` requests in uniformly random order of which `marked` are marked, asked
/// from the front how many of the next m are. Answers have together exactly the law of the order.
///
/// The order is made in blocks: how many of a block are marked is one hypergeometric draw (none if
/// it is all that are left), where they stand is a row of bits, and an answer counts the bits of
/// its part. A large group is drawn as a number from behind the open block: in a random order it
/// does not matter which places are asked, if none is asked twice. So a small group costs some
/// nanoseconds, a large one a hypergeometric draw, and memory does not depend on the population.
///
/// Row of k marked among n: independent bits with probability j/64, j = round(64 k / n), of j's
/// binary digits (fair words joined by `or` and `and`); then marks are taken away or given at
/// uniformly random places until there are k. Given their number, independent bits lie uniformly,
/// and so they do after each change, since neither step prefers a place.
class SamplingWithoutReplacement
{
  public:
    using Rows = RowsApart<1>;

    /// rows: sampling_rows(population, block) of them for every population that is opened.
    CRX_HD SamplingWithoutReplacement(Rows const& rows, std::int64_t block)
        : line_(block), rows_(rows)
    {
    }

    /// Contract: 0 <= marked <= population < 2^32 - 1.
    CRX_HD void open(std::int64_t population, std::int64_t marked)
    {
        line_.open(population, marked);
    }
    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    template <class Words>
    CRX_HD std::int64_t take(std::int64_t m, Words& words)
    {
        return take_marked(line_, rows_, m, words);
    }

  private:
    SamplingState line_;
    Rows rows_;
};

} // namespace crx

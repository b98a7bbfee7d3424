#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// Rows of 64 places of a block, one bit each, that lie `apart` words behind each other.
template <int apart_>
class RowsApart
{
  public:
    static constexpr int apart = apart_;

    RowsApart() = default;
    CRX_HD explicit RowsApart(std::uint64_t* first) : first_(first) {}

    CRX_HD std::uint64_t& row(std::int64_t r) const { return first_[r * apart]; }
    /// Bits set in the first `size` places, behind which are none. Contract: size >= 1.
    CRX_HD std::int64_t count_all(std::int64_t size) const
    {
        std::int64_t set = 0;
        for (std::int64_t r = 0; 64 * r < size; ++r) set += count_bits(row(r));
        return set;
    }
    /// Nothing is changed any more.
    CRX_HD void made(std::int64_t /*size*/) const {}

    /// Bits set from place `from` on before place `end`. Contract: from <= end.
    CRX_HD std::int64_t count(std::int64_t from, std::int64_t end) const
    {
        if (from == end) return 0;
        auto const last = (end - 1) / 64;
        auto bits = row(from / 64) >> from % 64 << from % 64;
        std::int64_t found = 0;
        for (auto r = from / 64; r < last; bits = row(++r)) found += count_bits(bits);
        return found + count_bits(bits & ~std::uint64_t{0} >> (63 - (end - 1) % 64));
    }

  private:
    std::uint64_t* first_ = nullptr;
};

/// Independent bits with probability parts / 64 each in rows of `size` places, by as many words a
/// row as `parts` has binary digits from the lowest set one up. `digits`: so many.
template <int digits, class Rows, class Words>
CRX_HD void sprinkle_digits(Rows const& rows, std::int64_t size, unsigned parts, Words& words)
{
    constexpr int together = 64;      // rows whose words are asked for at a time
    std::uint64_t either[digits + 1]; // `or` where the digit is 1, `and` where it is 0
    for (int d = 0; d < digits; ++d)
        either[d] = parts >> (6 - digits + d) & 1 ? ~std::uint64_t{0} : 0;
    auto const full = (size + 63) / 64;
    constexpr bool as_they_come = digits == 1 && Rows::apart == 1; // then the digit is 1
    if constexpr (as_they_come) copy_words(words, &rows.row(0), full);
    for (std::int64_t r = as_they_come ? full : 0; r < full;) {
        auto const end = full - r < together ? full : r + together;
        NextWords<Words, together * digits + 1> fair(words, static_cast<int>(end - r) * digits);
        for (; r < end; ++r) {
            std::uint64_t row = parts == 64 ? ~std::uint64_t{0} : 0;
            for (int d = 0; d < digits; ++d) {
                auto const word = fair.next();
                row = (row & word) | ((row ^ word) & either[d]);
            }
            rows.row(r) = row;
        }
    }
    rows.row(full - 1) &= ~std::uint64_t{0} >> (63 - (size - 1) % 64);
}

/// sprinkle_digits for as many digits as `parts` has. Contract: 0 <= parts <= 64, size >= 1.
template <class Rows, class Words>
CRX_HD void sprinkle(Rows const& rows, std::int64_t size, unsigned parts, Words& words)
{
    switch (parts % 64 == 0 ? 6 : lowest_bit(parts)) {
    case 0: return sprinkle_digits<6>(rows, size, parts, words);
    case 1: return sprinkle_digits<5>(rows, size, parts, words);
    case 2: return sprinkle_digits<4>(rows, size, parts, words);
    case 3: return sprinkle_digits<3>(rows, size, parts, words);
    case 4: return sprinkle_digits<2>(rows, size, parts, words);
    case 5: return sprinkle_digits<1>(rows, size, parts, words);
    default: return sprinkle_digits<0>(rows, size, parts, words);
    }
}

/// Sets `missing` more bits, or clears -missing, at places drawn by 16 bits each, four from a word
/// (Lemire's rule); one that is not as wanted is drawn again.
/// Contract: so many can be changed, 1 <= size <= 2^16.
template <class Rows, class Words>
CRX_HD void change_bits(Rows const& rows, std::int64_t size, std::int64_t missing, Words& words)
{
    auto const own = rows; // so that it need not be read again after a row is written
    auto const invert = missing < 0 ? 0 : ~std::uint64_t{0}; // then 1: it can change
    auto const places = static_cast<std::uint32_t>(size), unfair = (1u << 16) % places;
    auto changes = static_cast<std::int32_t>(missing < 0 ? -missing : missing);
    for (; changes > 0;) {
        auto word = words.next();
        for (int k = 0; k < 4 && changes > 0; ++k, word >>= 16) {
            auto const product = static_cast<std::uint32_t>(word & 0xffff) * places;
            // No branch: whether a place is as wanted cannot be foreseen.
            auto const fair = std::uint64_t{(product & 0xffff) >= unfair};
            auto const place = product >> 16;
            auto& row = own.row(place / 64);
            auto const bits = row;
            auto const changed = ((bits ^ invert) >> place % 64) & fair;
            row = bits ^ changed << place % 64;
            changes -= static_cast<std::int32_t>(changed);
        }
    }
}

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

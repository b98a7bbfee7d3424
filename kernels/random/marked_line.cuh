#pragma once

#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// A line of `population` requests in uniformly random order of which `marked` are marked, asked
/// from the front how many of the next m are. Answers have together exactly the law of the order.
///
/// The order is made in blocks of up to 2,048: how many of a block are marked is one hypergeometric
/// draw, where they stand is a row of bits, and an answer counts the bits of its part. A group that
/// is large beside a block is drawn as a number from behind the open one: in a random order it does
/// not matter who is asked, as long as nobody is asked twice. So a small group costs some
/// nanoseconds, a large one a hypergeometric draw, and memory does not depend on the population.
///
/// Row of k marked among n: independent bits with probability j/16, j = round(16 k / n), of j's
/// binary digits (fair words joined by `or` and `and`); then marks are taken away or given at
/// uniformly random places until there are k. Given their number, independent bits lie uniformly,
/// and so they do after each change, since neither step prefers a place.
class MarkedLine
{
  public:
    static constexpr std::int64_t block = 2048;

    /// Contract: 0 <= marked <= population < 2^32 - 1.
    CRX_HD void open(std::int64_t population, std::int64_t marked)
    {
        beyond_ = population;
        beyond_marked_ = marked;
        at_ = size_ = 0;
    }

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    template <class Words>
    CRX_HD std::int64_t take(std::int64_t m, Words& words)
    {
        if (m > size_ - at_ && m > block / 8 && m <= beyond_) return take_beyond(m, words);
        std::int64_t found = 0;
        if (m > size_ - at_) {
            found = count_to(size_);
            m -= size_ - at_;
            at_ = size_ = 0;
            if (m > block / 8 || beyond_marked_ == 0 || beyond_marked_ == beyond_)
                return found + take_beyond(m, words);
            open_block(words);
        }
        found += count_to(at_ + m);
        at_ += m;
        return found;
    }

  protected:
    static constexpr std::int64_t rows = block / 64;

    template <class Words>
    CRX_HD std::int64_t take_beyond(std::int64_t m, Words& words)
    {
        auto const found = hypergeometric(beyond_, beyond_marked_, m, words);
        beyond_ -= m;
        beyond_marked_ -= found;
        return found;
    }

    /// Marked ones from at_ on before place `end`.
    CRX_HD std::int64_t count_to(std::int64_t end) const
    {
        if (at_ == end) return 0;
        auto const first = at_ / 64, last = (end - 1) / 64;
        auto const from = ~std::uint64_t{0} << (at_ % 64);
        auto const until = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
        if (first == last) return count_bits(row_[first] & from & until);
        std::int64_t found = count_bits(row_[first] & from) + count_bits(row_[last] & until);
        for (auto r = first + 1; r < last; ++r) found += count_bits(row_[r]);
        return found;
    }

    template <class Words>
    CRX_HD void open_block(Words& words)
    {
        auto const size = next_size();
        fill_block(size, take_beyond(size, words), words);
    }
    /// How many lie in the block that is opened next.
    CRX_HD std::int64_t next_size() const { return beyond_ < block ? beyond_ : block; }
    template <class Words>
    CRX_HD void fill_block(std::int64_t size, std::int64_t marked, Words& words)
    {
        at_ = 0;
        size_ = size;
        settle(marked - sprinkle(marked, words), words);
    }

    /// Independent bits; how many are set.
    template <class Words>
    CRX_HD std::int64_t sprinkle(std::int64_t marked, Words& words)
    {
        auto const sixteenths = static_cast<unsigned>((16 * marked + size_ / 2) / size_);
        switch (sixteenths % 16 == 0 ? 4 : lowest_bit(sixteenths)) {
        case 0: return sprinkle_rows<4>(sixteenths, words);
        case 1: return sprinkle_rows<3>(sixteenths, words);
        case 2: return sprinkle_rows<2>(sixteenths, words);
        case 3: return sprinkle_rows<1>(sixteenths, words);
        default: return sprinkle_rows<0>(sixteenths, words);
        }
    }
    /// By so many binary digits, the last ones of `sixteenths` being 0.
    template <int digits, class Words>
    CRX_HD std::int64_t sprinkle_rows(unsigned sixteenths, Words& words)
    {
        std::uint64_t either[digits + 1]; // `or` where the digit is 1, `and` where it is 0
        for (int d = 0; d < digits; ++d)
            either[d] = sixteenths >> (4 - digits + d) & 1 ? ~std::uint64_t{0} : 0;
        auto const full = (size_ + 63) / 64;
        NextWords<Words, 4 * rows> fair(words, static_cast<int>(full) * digits);
        std::int64_t set = 0;
        for (std::int64_t r = 0; r < full; ++r) {
            std::uint64_t row = sixteenths == 16 ? ~std::uint64_t{0} : 0;
            for (int d = 0; d < digits; ++d) {
                auto const word = fair.next();
                row = (row & word) | ((row ^ word) & either[d]);
            }
            row_[r] = row;
            set += count_bits(row);
        }
        auto& last = row_[full - 1];
        set -= count_bits(last);
        last &= ~std::uint64_t{0} >> (63 - (size_ - 1) % 64);
        return set + count_bits(last);
    }

    template <class Words>
    CRX_HD void settle(std::int64_t missing, Words& words)
    {
        if (size_ == block)
            change<true>(missing, words);
        else
            change<false>(missing, words);
    }
    /// Marks `missing` more, or -missing fewer, at places drawn with as many bits as they need,
    /// several from a word; one that is not as wanted, or past the end, is drawn again. `whole`:
    /// none is past the end.
    template <bool whole, class Words>
    CRX_HD void change(std::int64_t missing, Words& words)
    {
        auto const invert = missing < 0 ? 0 : ~std::uint64_t{0}; // then 1: it can change
        auto const bits = whole ? bit_length(static_cast<std::uint64_t>(block - 1))
                                : bit_length(static_cast<std::uint64_t>(size_ - 1));
        std::uint64_t word = 0;
        int left = 0;
        for (auto changes = missing < 0 ? -missing : missing; changes > 0; --left) {
            if (left == 0) {
                word = words.next();
                left = 64 / bits;
            }
            auto const drawn = word & ((std::uint64_t{1} << bits) - 1);
            word >>= bits;
            // No branch: whether a place is as wanted cannot be foreseen.
            auto const there = whole || drawn < static_cast<std::uint64_t>(size_);
            auto const place = there ? drawn : 0;
            auto& row = row_[place / 64];
            auto const changed = ((row ^ invert) >> place % 64) & std::uint64_t{there};
            row ^= changed << place % 64;
            changes -= static_cast<std::int64_t>(changed);
        }
    }

    std::int64_t beyond_, beyond_marked_; ///< not in the open block
    std::int64_t at_, size_;              ///< the open block's places; the first not asked about
    std::uint64_t row_[rows];
};

} // namespace crx

#pragma once

#include "kernels/base/bits.cuh"
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

/// The same for as many digits as `parts` has. Contract: 0 <= parts <= 64, size >= 1.
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

} // namespace crx

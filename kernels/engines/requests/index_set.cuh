#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"

namespace crx {

/// Running counts of eight parts, each below 2^15 but for the last: field k of 16 bits holds how
/// many members the parts 0 .. k have.
struct EightCounts
{
    std::uint64_t low = 0, high = 0; ///< four fields in each

    static constexpr std::uint64_t ones = 0x0001000100010001, tops = ones << 15;

    /// Adds or takes away a member: sign 1 or -1.
    CRX_HD void add(int part, std::uint64_t sign)
    {
        auto const shifted = (ones << 16 * (part & 3)) * sign;
        low += part < 4 ? shifted : 0;
        high += part < 4 ? ones * sign : shifted;
    }
    /// Members of all parts.
    CRX_HD std::uint32_t all() const { return static_cast<std::uint32_t>(high >> 48); }
    /// Part in which member number r is; r becomes its number there. Contract: r < all().
    CRX_HD int place(std::uint32_t& r) const
    {
        // In each field the top bit stays where r is not below the count (Knuth, TAOCP 4A, 7.1.3).
        auto const each = ones * r | tops;
        auto const first_three = high & ~std::uint64_t{0} >> 16;
        auto const passed = ((each - low) & tops) + ((each - first_three) & tops >> 16);
        auto const part = static_cast<int>((passed >> 15) * ones >> 48); // the sum of its fields
        auto const before = part < 4 ? low << 16 : high << 16 | low >> 48;
        r -= static_cast<std::uint16_t>(before >> 16 * (part & 3));
        return part;
    }
};

/// A set of indices 0 .. n-1 that can be asked for its r-th smallest: a bitmap with running counts
/// for eight words, eight of those and eight of those again. Insertion and removal take constant
/// time, selection n / 2^15 additions at worst, and without a branch that could not be foreseen.
class IndexSet
{
  public:
    CRX_HD IndexSet(Arena& arena, std::int64_t n)
        : blocks_(parts(n, 512)), groups_(parts(n, 4096)), areas_(parts(n, 32768)),
          word_(arena.take<std::uint64_t>(8 * blocks_)), block_(arena.take<EightCounts>(blocks_)),
          group_(arena.take<EightCounts>(groups_)), area_(arena.take<EightCounts>(areas_))
    {
    }

    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < 8 * blocks_; ++w) word_[w] = 0;
        for (std::int64_t b = 0; b < blocks_; ++b) block_[b] = {};
        for (std::int64_t g = 0; g < groups_; ++g) group_[g] = {};
        for (std::int64_t a = 0; a < areas_; ++a) area_[a] = {};
        size_ = 0;
        lowest_area_ = 0;
    }
    CRX_HD void insert(std::uint32_t index)
    {
        count(index, 1);
        word_[index / 64] |= std::uint64_t{1} << (index % 64);
        ++size_;
        if (index / 32768 < lowest_area_) lowest_area_ = index / 32768;
    }
    CRX_HD void erase(std::uint32_t index)
    {
        count(index, ~std::uint64_t{0});
        word_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
        --size_;
    }
    CRX_HD std::int64_t size() const { return size_; }

    /// The member with r members below it. Contract: r < size().
    CRX_HD std::uint32_t select(std::uint64_t r)
    {
        while (area_[lowest_area_].all() == 0) ++lowest_area_;
        auto at = lowest_area_;
        while (r >= area_[at].all()) r -= area_[at++].all();
        auto rest = static_cast<std::uint32_t>(r);
        at = groups_ > 1 ? 8 * at + area_[at].place(rest) : 0;
        at = blocks_ > 1 ? 8 * at + group_[at].place(rest) : 0;
        at = 8 * at + block_[at].place(rest);
        return static_cast<std::uint32_t>(64 * at + select_bit(word_[at], static_cast<int>(rest)));
    }

    /// Calls visit(index) for every member in ascending order.
    template <class Visit>
    CRX_HD void for_each(Visit visit) const
    {
        for_each_block([&](std::int64_t b) {
            for (auto w = 8 * b; w < 8 * b + 8; ++w)
                for (auto bits = word_[w]; bits != 0; bits &= bits - 1)
                    visit(static_cast<std::uint32_t>(w * 64 + lowest_bit(bits)));
        });
    }
    /// Removes every member, in time that depends on how many there are and hardly on n.
    CRX_HD void empty_out()
    {
        for_each_block([&](std::int64_t b) {
            for (auto w = 8 * b; w < 8 * b + 8; ++w) word_[w] = 0;
            block_[b] = {};
        });
        for (auto a = lowest_area_; size_ > 0; ++a) {
            size_ -= area_[a].all();
            if (area_[a].all() == 0) continue;
            area_[a] = {};
            for (auto g = 8 * a; g < 8 * a + 8 && g < groups_; ++g) group_[g] = {};
        }
    }

  private:
    CRX_HD static std::int64_t parts(std::int64_t n, std::int64_t size)
    {
        return (n + size - 1) / size;
    }
    CRX_HD void count(std::uint32_t index, std::uint64_t sign)
    {
        block_[index / 512].add(static_cast<int>(index / 64 % 8), sign);
        group_[index / 4096].add(static_cast<int>(index / 512 % 8), sign);
        area_[index / 32768].add(static_cast<int>(index / 4096 % 8), sign);
    }
    /// Calls visit(b) for every block of eight words with members.
    template <class Visit>
    CRX_HD void for_each_block(Visit visit) const
    {
        std::int64_t left = size_;
        for (auto a = lowest_area_; left > 0; ++a) {
            left -= area_[a].all();
            if (area_[a].all() == 0) continue;
            for (auto g = 8 * a; g < 8 * a + 8 && g < groups_; ++g) {
                if (group_[g].all() == 0) continue;
                for (auto b = 8 * g; b < 8 * g + 8 && b < blocks_; ++b)
                    if (block_[b].all() > 0) visit(b);
            }
        }
    }

    std::int64_t blocks_, groups_, areas_;
    std::uint64_t* word_;
    EightCounts *block_, *group_, *area_; ///< of 8 words, of 8 blocks, of 8 groups
    std::int64_t size_ = 0;
    std::int64_t lowest_area_ = 0; ///< no member lies in an area before this one
};

} // namespace crx

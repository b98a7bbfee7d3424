#pragma once

#include "kernels/random/hypergeometric.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// Bounded integers from the halves of a stream's words, the low half first: half the cost where
/// many small ones are drawn. What is left of a word when the object ends is not used again.
template <class Words>
class HalfWords
{
  public:
    CRX_HD explicit HalfWords(Words& words) : words_(words) {}

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

    Words& words_;
    std::uint64_t word_ = 0;
    bool second_ = false; ///< the upper half of word_ is still to be used
};

/// Requests that started together, all of one working length: how many of them are cancelled.
struct CancelGroup
{
    std::int32_t cohort;
    Tokens tokens;          ///< what each would hold at the end of the round
    std::int64_t pool;      ///< requests that may still be drawn
    std::int64_t cancelled; ///< how many were
    std::int64_t part;      ///< of the pool, those in front
};

/// When OverflowDraw asks every group.
struct OverflowRule
{
    static constexpr std::int64_t block = 8; ///< groups whose pools are also summed

    /// Whether so few of the `left`, which hold `held`, are likely to be cancelled that it is not
    /// worth asking each group. Contract: excess < held.
    CRX_HD static bool few(Tokens excess, std::int64_t left, Tokens held, std::int64_t groups)
    {
        return excess * left < singly(groups) * held;
    }
    /// A number of them that is a little less than what frees the excess, as a rule. Contract: not
    /// few().
    CRX_HD static std::int64_t guess(Tokens excess, std::int64_t left, Tokens held)
    {
        auto const likely = excess * left / held; // below left, at least singly()
        // Deviation of their number, with a factor of 2 for unequal holdings; one operation on
        // doubles at a time, the same everywhere.
        return likely - 2 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(likely)));
    }

    /// Up to how many are drawn one by one from so many groups: fewer than it is worth to ask every
    /// group (measured: docs/decisions/062-cancelled-one-by-one.md).
    CRX_HD static std::int64_t singly(std::int64_t groups) { return 12 * groups; }
};

/// Who is cancelled on overflow: requests drawn one after the other, uniformly from all of the
/// groups that are left, until they would have held `excess` tokens or no request is left.
///
/// Law: the members of the pool stand in uniformly random order, so how many of each group are
/// among the first m is a multivariate hypergeometric draw. If these m do not hold the excess, all
/// are cancelled and the rest is the pool; if they do, the last to be cancelled is among them and
/// they are the pool, again in uniformly random order. m is guessed from what is known, so that few
/// draws are needed; any guess gives the same law.
template <class Words>
class OverflowDraw : public OverflowRule
{
  public:
    /// Contract: `sums` has room for size / block + 1.
    CRX_HD OverflowDraw(CancelGroup* group, std::int64_t size, std::int64_t* sums, Words& words)
        : group_(group), size_(size), sums_(sums), words_(words), halves_(words)
    {
        for (std::int64_t j = 0; j < size; ++j) {
            left_ += group[j].pool;
            held_ += group[j].pool * group[j].tokens;
        }
        sum_up();
    }

    /// Fills `cancelled`; returns what is still to be freed, 0 or less if that is enough.
    CRX_HD Tokens execute(Tokens excess)
    {
        if (held_ <= excess) {
            for (std::int64_t j = 0; j < size_; ++j) group_[j].cancelled = group_[j].pool;
            return excess - held_;
        }
        if (size_ == 1) {
            auto& only = group_[0];
            only.cancelled = (excess + only.tokens - 1) / only.tokens;
            return excess - only.cancelled * only.tokens;
        }
        while (excess > 0) {
            if (few(excess, left_, held_, size_))
                excess = cancel_next(excess);
            else
                excess = try_first(guess(excess, left_, held_), excess);
        }
        return excess;
    }

  private:
    CRX_HD Tokens cancel_next(Tokens excess)
    {
        auto const j = draw_group(left_);
        --group_[j].pool;
        ++group_[j].cancelled;
        --left_;
        held_ -= group_[j].tokens;
        return excess - group_[j].tokens;
    }

    /// Draws the first m of the pool, and cancels them or makes them the pool.
    CRX_HD Tokens try_first(std::int64_t m, Tokens excess)
    {
        draw_first(m);
        Tokens held = 0;
        for (std::int64_t j = 0; j < size_; ++j) held += group_[j].part * group_[j].tokens;
        bool const enough = held >= excess;
        for (std::int64_t j = 0; j < size_; ++j) {
            auto& g = group_[j];
            g.cancelled += enough ? 0 : g.part;
            g.pool = enough ? g.part : g.pool - g.part;
        }
        left_ = enough ? m : left_ - m;
        held_ = enough ? held : held_ - held;
        sum_up();
        return enough ? excess : excess - held;
    }

    CRX_HD void draw_first(std::int64_t m)
    {
        auto others = left_; // in this group and later ones
        for (std::int64_t j = 0; j < size_; ++j) {
            auto& g = group_[j];
            if (m <= singly(size_ - j)) {
                for (auto k = j; k < size_; ++k) group_[k].part = 0;
                first_ = j;
                for (; m > 0; --m, --others) {
                    auto& drawn = group_[draw_group(others)];
                    --drawn.pool; // for now: it is not drawn twice
                    ++drawn.part;
                }
                for (auto k = j; k < size_; ++k) group_[k].pool += group_[k].part;
                first_ = 0;
                return;
            }
            sums_[j / block] -= g.pool;
            g.part = hypergeometric(others, g.pool, m, words_);
            others -= g.pool;
            m -= g.part;
        }
    }

    CRX_HD void sum_up()
    {
        for (std::int64_t b = 0; b * block < size_; ++b) sums_[b] = 0;
        for (std::int64_t j = 0; j < size_; ++j) sums_[j / block] += group_[j].pool;
    }
    /// The group of one of `all` members, drawn uniformly, and takes it off the block's sum. Groups
    /// whose pools the sums leave out are passed over.
    CRX_HD std::int64_t draw_group(std::int64_t all)
    {
        auto place = std::int64_t{halves_.bounded(static_cast<std::uint64_t>(all))};
        // Which block, and which of its groups: by counting, as no branch could be foreseen.
        std::int64_t b = 0, before = 0, sum = 0;
        for (std::int64_t k = 0; k * block < size_; ++k) {
            sum += sums_[k];
            bool const past = place >= sum;
            b += past;
            before = past ? sum : before;
        }
        place -= before;
        --sums_[b];
        auto const from = b * block < first_ ? first_ : b * block;
        auto const to = (b + 1) * block < size_ ? (b + 1) * block : size_;
        auto j = from;
        sum = 0;
        for (auto k = from; k < to; ++k) {
            sum += group_[k].pool;
            j += place >= sum;
        }
        return j;
    }

    CancelGroup* group_;
    std::int64_t size_;
    std::int64_t* sums_;     ///< of the pools of each block
    std::int64_t first_ = 0; ///< groups before it are not drawn from one by one now
    Words& words_;
    HalfWords<Words> halves_;
    std::int64_t left_ = 0; ///< in the pool
    Tokens held_ = 0;       ///< by them
};

} // namespace crx

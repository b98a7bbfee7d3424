#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"

namespace crx {

/// A set of small integers 0 .. n-1 that is asked for its least member at or after a place.
class LengthSet
{
  public:
    CRX_HD LengthSet(Arena& arena, std::int64_t n)
        : words_((n + 63) / 64), word_(arena.take<std::uint64_t>(words_))
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < words_; ++w) word_[w] = 0;
        lowest_ = words_;
    }
    CRX_HD void insert(std::int64_t k)
    {
        word_[k / 64] |= std::uint64_t{1} << (k % 64);
        if (k / 64 < lowest_) lowest_ = k / 64;
    }
    CRX_HD void erase(std::int64_t k) { word_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }

    /// The least member; -1 if there is none.
    CRX_HD std::int64_t least()
    {
        for (; lowest_ < words_; ++lowest_)
            if (word_[lowest_] != 0) return lowest_ * 64 + lowest_bit(word_[lowest_]);
        return -1;
    }

  private:
    std::int64_t words_;
    std::uint64_t* word_;
    std::int64_t lowest_ = 0; ///< no member lies in a word before this one
};

/// Requests that started in one round with one working length and of which the same is known.
struct ActiveCohort
{
    Rounds start;
    std::int64_t count;                            ///< still active
    std::int32_t length;                           ///< working length e
    std::int32_t next_class;                       ///< the shortest class they can be of
    Rounds stop;                                   ///< when members of that class complete
    std::int32_t next_stopping, previous_stopping; ///< neighbours with the same stop; -1: none
    std::int32_t next_alike, previous_alike;       ///< neighbours with the same length
};

/// Active cohorts, found by the round in which some may complete (a ring of rounds) and by working
/// length, least first. All operations but finding the least length take constant time.
class ActiveCohorts
{
  public:
    /// Lengths lower .. upper; no request stays longer than `upper` rounds; at most `most` cohorts.
    CRX_HD ActiveCohorts(Arena& arena, std::int32_t lower, std::int32_t upper, std::int64_t most)
        : lower_(lower), lengths_(upper - lower + 1), rounds_(ring_size(upper)), most_(most),
          cohort_(arena.take<ActiveCohort>(most)), stopping_(arena.take<std::int32_t>(rounds_)),
          alike_(arena.take<std::int32_t>(lengths_)), occupied_(arena, lengths_)
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t k = 0; k < rounds_; ++k) stopping_[k] = -1;
        for (std::int64_t k = 0; k < lengths_; ++k) alike_[k] = -1;
        occupied_.clear();
    }

    CRX_HD ActiveCohort& operator[](std::int32_t id) { return cohort_[id]; }

    CRX_HD void add(Rounds start, std::int64_t count, std::int32_t length, std::int32_t next_class,
                    Rounds stop)
    {
        auto id = free_;
        if (id >= 0) {
            free_ = cohort_[id].next_alike;
        } else {
            CRX_EXPECT(used_ < most_);
            id = static_cast<std::int32_t>(used_++);
        }
        auto& head = alike_[length - lower_];
        if (head >= 0)
            cohort_[head].previous_alike = id;
        else
            occupied_.insert(length - lower_);
        cohort_[id] = {start, count, length, next_class, stop, -1, -1, head, -1};
        head = id;
        link_stop(id);
    }
    CRX_HD void remove(std::int32_t id)
    {
        unlink_stop(id);
        auto const& c = cohort_[id];
        if (c.next_alike >= 0) cohort_[c.next_alike].previous_alike = c.previous_alike;
        if (c.previous_alike >= 0) {
            cohort_[c.previous_alike].next_alike = c.next_alike;
        } else {
            alike_[c.length - lower_] = c.next_alike;
            if (c.next_alike < 0) occupied_.erase(c.length - lower_);
        }
        cohort_[id].next_alike = free_;
        free_ = id;
    }
    /// The cohort's next completions are at `stop`, of class `next_class`.
    CRX_HD void move_stop(std::int32_t id, Rounds stop, std::int32_t next_class)
    {
        unlink_stop(id);
        cohort_[id].stop = stop;
        cohort_[id].next_class = next_class;
        link_stop(id);
    }

    /// First cohort that may have completions in round t; -1: none.
    CRX_HD std::int32_t first_stopping(Rounds t) const { return stopping_[place_of(t)]; }
    /// First round after t, before `limit`, in which there may be completions; else `limit`.
    /// Contract: limit is finite or there are active cohorts.
    CRX_HD Rounds next_stop(Rounds t, Rounds limit) const
    {
        for (auto round = t + 1; round < limit; ++round) {
            if (stopping_[place_of(round)] >= 0) return round;
            if (round - t > rounds_) break;
        }
        return limit;
    }

    /// First cohort with the least working length; -1: no request is active.
    CRX_HD std::int32_t first_of_least()
    {
        auto const k = occupied_.least();
        return k < 0 ? -1 : alike_[k];
    }

  private:
    /// A power of two, so that no division is needed.
    CRX_HD static std::int64_t ring_size(std::int32_t upper)
    {
        std::int64_t size = 2;
        while (size < std::int64_t{upper} + 1) size *= 2;
        return size;
    }
    CRX_HD std::int64_t place_of(Rounds t) const { return t & (rounds_ - 1); }

    CRX_HD void link_stop(std::int32_t id)
    {
        auto& head = stopping_[place_of(cohort_[id].stop)];
        cohort_[id].next_stopping = head;
        cohort_[id].previous_stopping = -1;
        if (head >= 0) cohort_[head].previous_stopping = id;
        head = id;
    }
    CRX_HD void unlink_stop(std::int32_t id)
    {
        auto const& c = cohort_[id];
        if (c.next_stopping >= 0) cohort_[c.next_stopping].previous_stopping = c.previous_stopping;
        if (c.previous_stopping >= 0)
            cohort_[c.previous_stopping].next_stopping = c.next_stopping;
        else
            stopping_[place_of(c.stop)] = c.next_stopping;
    }

    std::int64_t lower_, lengths_, rounds_, most_;
    ActiveCohort* cohort_;
    std::int32_t* stopping_; ///< first cohort by stop modulo rounds_
    std::int32_t* alike_;    ///< first cohort by length
    LengthSet occupied_;     ///< lengths that have cohorts
    std::int64_t used_ = 0;
    std::int32_t free_ = -1;
};

} // namespace crx

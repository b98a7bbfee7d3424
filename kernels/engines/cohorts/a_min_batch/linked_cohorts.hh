#pragma once

#include "kernels/engines/cohorts/a_min_batch/length_index.hh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// One of LinkedCohorts, in half a cache line.
struct LinkedCohort
{
    std::uint32_t start; ///< modulo 2^32
    std::int32_t count;
    std::uint32_t length;                           ///< working length e
    std::int32_t next_class;                        ///< the shortest class they can be of
    std::uint32_t next_stopping, previous_stopping; ///< in the ring of those with one stop
    std::uint32_t next_alike, previous_alike;       ///< in the ring of those of one length
};

/// What ActiveCohorts keeps, for the CPU, with the same orders: rings that are closed by an entry
/// of their own, so that coming and going takes no branch. An id says how many bytes lie before the
/// cohort: going through a ring is one load after the other, and nothing is to be computed between.
///
/// Of the entries that close rings the links alone are there, one after the other, and those of
/// instances that go through the rounds together lie side by side: what one of them has touched is
/// near for the next.
template <int instances>
class LinkedCohorts
{
  public:
    /// What the block has room for, in cohorts, where each of the instances has so many at most.
    static std::int64_t block_size(std::uint32_t upper, std::int64_t most)
    {
        return heads_for(upper) / bytes + 1 + instances * most;
    }

    /// Those of instance j. Contract: the block is below 2^31 bytes.
    LinkedCohorts(Arena& arena, LinkedCohort* block, int j, std::uint32_t upper, std::int64_t most)
        : block_(reinterpret_cast<char*>(block)), rounds_(ring_size(upper)),
          heads_(heads_for(upper)), stopping_(apart * static_cast<std::uint32_t>(j)),
          alike_(heads_ / 2 + stopping_),
          first_(heads_ + bytes + static_cast<std::uint32_t>(j * most) * bytes),
          last_(first_ + static_cast<std::uint32_t>(most) * bytes), occupied_(arena, upper + 1)
    {
    }
    void clear()
    {
        for (std::uint32_t k = 0; k < rounds_; ++k) {
            auto const stop = place_of(k), length = head_of(k);
            at(stop).next_stopping = at(stop).previous_stopping = stop;
            at(length).next_alike = at(length).previous_alike = length;
        }
        occupied_.clear();
        next_ = first_;
        free_ = front_ = 0;
    }

    LinkedCohort& operator[](std::uint32_t id) { return at(id); }
    /// Whether an id that follows another in a ring closes it.
    bool is_head(std::uint32_t id) const { return id < heads_; }

    /// Contract: fewer than `most` are here.
    void add(Rounds start, std::int32_t count, std::uint32_t length, std::int32_t next_class,
             Rounds stop)
    {
        auto id = free_;
        if (id != 0) {
            free_ = at(id).next_alike;
        } else {
            CRX_EXPECT(next_ < last_);
            id = next_;
            next_ += bytes;
        }
        auto const place = place_of(stop);
        auto const alike = head_of(length);
        auto const next_stopping = at(place).next_stopping;
        auto const next_alike = at(alike).next_alike;
        at(id) = {static_cast<std::uint32_t>(start),
                  count,
                  length,
                  next_class,
                  next_stopping,
                  place,
                  next_alike,
                  alike};
        at(place).next_stopping = at(next_stopping).previous_stopping = id;
        at(alike).next_alike = at(next_alike).previous_alike = id;
        occupied_.insert(length);
        front_ = 0;
    }
    void remove(std::uint32_t id)
    {
        leave_stopping(id);
        forget(id);
    }

    bool any_stopping(Rounds t) const
    {
        auto const place = place_of(t);
        return at(place).next_stopping != place;
    }
    /// Takes all that stop in round t out of their ring; the first of them. Each must then be given
    /// a new stop, or be forgotten.
    std::uint32_t take_stopping(Rounds t)
    {
        auto const place = place_of(t);
        auto const first = at(place).next_stopping;
        at(place).next_stopping = at(place).previous_stopping = place;
        return first;
    }
    void set_stop(std::uint32_t id, Rounds stop)
    {
        auto const place = place_of(stop);
        auto const next = at(place).next_stopping;
        at(id).next_stopping = next;
        at(id).previous_stopping = place;
        at(place).next_stopping = at(next).previous_stopping = id;
    }
    void forget(std::uint32_t id)
    {
        auto const& c = at(id);
        at(c.previous_alike).next_alike = c.next_alike;
        at(c.next_alike).previous_alike = c.previous_alike;
        occupied_.erase_if(c.length, c.next_alike == c.previous_alike && is_head(c.next_alike));
        release(id);
    }

    /// First round after t, before `limit`, in which there may be completions; else `limit`.
    Rounds next_stop(Rounds t, Rounds limit) const
    {
        for (auto round = t + 1; round < limit; ++round) {
            if (any_stopping(round)) return round;
            if (round - t > rounds_) break;
        }
        return limit;
    }

    bool empty() const { return occupied_.empty(); }
    /// The first cohort with the least working length. Contract: not empty.
    std::uint32_t first_of_least()
    {
        if (front_ == 0) front_ = at(head_of(occupied_.least())).next_alike;
        return front_;
    }

    /// Takes that cohort away. Contract: no other has its length.
    void remove_front()
    {
        auto const id = first_of_least();
        leave_stopping(id);
        auto const length = head_of(at(id).length);
        at(length).next_alike = at(length).previous_alike = length;
        occupied_.erase_least();
        release(id);
    }

  private:
    static constexpr std::uint32_t bytes = sizeof(LinkedCohort);
    /// Two links; what stands before them in a cohort is never looked at.
    static constexpr std::uint32_t apart = 2 * sizeof(std::uint32_t), row = apart * instances;

    static std::uint32_t ring_size(std::uint32_t upper)
    {
        std::uint32_t size = 4;
        while (size < upper + 1) size *= 2;
        return size;
    }
    /// Bytes of the entries that close rings.
    static std::uint32_t heads_for(std::uint32_t upper) { return 2 * ring_size(upper) * row; }

    LinkedCohort& at(std::uint32_t id) { return *reinterpret_cast<LinkedCohort*>(block_ + id); }
    LinkedCohort const& at(std::uint32_t id) const
    {
        return *reinterpret_cast<LinkedCohort const*>(block_ + id);
    }
    void leave_stopping(std::uint32_t id)
    {
        auto const& c = at(id);
        at(c.previous_stopping).next_stopping = c.next_stopping;
        at(c.next_stopping).previous_stopping = c.previous_stopping;
    }
    void release(std::uint32_t id)
    {
        at(id).next_alike = free_;
        free_ = id;
        front_ = 0;
    }
    std::uint32_t place_of(Rounds t) const
    {
        return (static_cast<std::uint32_t>(t) & (rounds_ - 1)) * row + stopping_;
    }
    std::uint32_t head_of(std::uint32_t length) const { return length * row + alike_; }

    char* block_;
    std::uint32_t rounds_; ///< a power of two
    std::uint32_t heads_;  ///< where entries end that close the rings of stop k modulo it, then of
                           ///< length k
    std::uint32_t stopping_, alike_;    ///< k = 0
    std::uint32_t first_, last_;        ///< cohorts
    LengthIndex occupied_;              ///< lengths that have cohorts
    std::uint32_t next_ = 0, free_ = 0; ///< never used, and no longer
    std::uint32_t front_ = 0; ///< first_of_least(), or 0: nobody asked since it may have changed
};

} // namespace
} // namespace crx

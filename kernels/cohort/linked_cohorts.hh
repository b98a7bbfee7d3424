#pragma once

#include "kernels/cohort/length_index.hh"

// CPU only, as wide_lanes.hh: included by learned_wide_form.hh and learned_lanes_of.hh alone.

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
class LinkedCohorts
{
  public:
    /// Contract: most and upper are so few that 31 bits hold an id.
    LinkedCohorts(Arena& arena, std::uint32_t upper, std::int64_t most)
        : heads_(ring_size(upper)), last_(heads_ + static_cast<std::uint32_t>(most)),
          cohort_(arena.take<LinkedCohort>(heads_ + most)), occupied_(arena, upper + 1)
    {
    }
    void clear()
    {
        for (std::uint32_t k = 0; k < heads_; ++k) {
            auto const id = k * bytes;
            cohort_[k] = {0, 0, 0, 0, id, id, id, id};
        }
        occupied_.clear();
        front_ = 0;
    }

    LinkedCohort& operator[](std::uint32_t id) { return at(id); }
    /// Whether an id that follows another in a ring closes it.
    bool is_head(std::uint32_t id) const { return id < heads_ * bytes; }

    /// Contract: fewer than `most` are here.
    void add(Rounds start, std::int32_t count, std::uint32_t length, std::int32_t next_class,
             Rounds stop)
    {
        auto id = free_;
        if (id != 0) {
            free_ = at(id).next_alike;
        } else {
            CRX_EXPECT(heads_ + used_ < last_);
            id = (heads_ + used_++) * bytes;
        }
        auto const place = place_of(stop);
        auto const alike = length * bytes;
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
        auto const& c = at(id);
        at(c.previous_stopping).next_stopping = c.next_stopping;
        at(c.next_stopping).previous_stopping = c.previous_stopping;
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
        at(id).next_alike = free_;
        free_ = id;
        front_ = 0;
    }

    /// First round after t, before `limit`, in which there may be completions; else `limit`.
    Rounds next_stop(Rounds t, Rounds limit) const
    {
        for (auto round = t + 1; round < limit; ++round) {
            if (any_stopping(round)) return round;
            if (round - t > heads_) break;
        }
        return limit;
    }

    bool empty() const { return occupied_.empty(); }
    /// The first cohort with the least working length. Contract: not empty.
    std::uint32_t first_of_least()
    {
        if (front_ == 0) front_ = at(occupied_.least() * bytes).next_alike;
        return front_;
    }

  private:
    static constexpr std::uint32_t bytes = sizeof(LinkedCohort);

    LinkedCohort& at(std::uint32_t id)
    {
        return *reinterpret_cast<LinkedCohort*>(reinterpret_cast<char*>(cohort_) + id);
    }
    LinkedCohort const& at(std::uint32_t id) const
    {
        return *reinterpret_cast<LinkedCohort const*>(reinterpret_cast<char const*>(cohort_) + id);
    }
    static std::uint32_t ring_size(std::uint32_t upper)
    {
        std::uint32_t size = 2;
        while (size < upper + 1) size *= 2;
        return size;
    }
    std::uint32_t place_of(Rounds t) const
    {
        return (static_cast<std::uint32_t>(t) & (heads_ - 1)) * bytes;
    }

    std::uint32_t
        heads_; ///< a power of two; entry k closes the rings of stop k modulo it and of length k
    std::uint32_t last_;
    LinkedCohort* cohort_;
    LengthIndex occupied_; ///< lengths that have cohorts
    std::uint32_t used_ = 0, free_ = 0;
    std::uint32_t front_ = 0; ///< first_of_least(), or 0: nobody asked since it may have changed
};

} // namespace
} // namespace crx

#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/base/sort.cuh"
#include "kernels/model/requests.cuh"

namespace crx {

/// Lower bound on the total latency of every schedule under the unit clock, with arrivals: the
/// largest over tau of sum_{a < tau} o + max(sum_{a >= tau} o, volume(a >= tau) - sum_{a >= tau}
/// (a - tau)), volume being the bound of kernels/model/volume_bound.cuh.
///
/// Why: a latency is at least the output length, and no request of those that arrive at tau or
/// later holds memory up to tau, so their completions minus tau are those of a schedule in which
/// all arrive at 0. Source: docs/model.md#volume-bound. Units: rounds; 0, no value, where it is
/// 2^62 or more. Time: n for each different arrival.
class ReleaseBound
{
  public:
    CRX_HD ReleaseBound(Arena& arena, std::int64_t n)
        : late_(arena.take<Release>(n)), length_(arena.take<std::int32_t>(n)),
          volume_(arena.take<std::int64_t>(n))
    {
    }
    static std::size_t arena_bytes(std::int64_t n)
    {
        return arena_bytes_of([n](Arena& arena) { ReleaseBound(arena, n); });
    }

    CRX_HD std::int64_t execute(Requests const& r)
    {
        begin(r);
        advance(r, INT64_MAX);
        return bound();
    }

    CRX_HD void begin(Requests const& r)
    {
        for (std::int64_t i = 0; i < r.n; ++i) {
            late_[i] = {r.arrival[i], static_cast<RequestId>(i)};
            lengths_before_ += r.output[i];
        }
        sort_ascending(late_, r.n);
        next_ = r.n - 1;
        tau_ = r.n == 0 ? 0 : late_[next_].arrival;
    }

    /// Goes on until about so many requests have been looked at; whether that was all.
    CRX_HD bool advance(Requests const& r, std::int64_t looks)
    {
        for (; next_ >= 0; looks -= count_) { // tau downwards: requests come in
            if (looks <= 0) return false;
            auto const earlier = late_[next_].arrival;
            waits_ += static_cast<Unsigned128>(tau_ - earlier) * static_cast<Unsigned128>(count_);
            tau_ = earlier;
            for (; next_ >= 0 && late_[next_].arrival == tau_; --next_) {
                auto const id = late_[next_].id;
                auto const o = std::int64_t{r.output[id]};
                insert(length_, count_, r.output[id]);
                insert(volume_, count_, r.prompt[id] * o + o * (o + 1) / 2);
                ++count_;
                lengths_ += o;
                lengths_before_ -= o;
            }
            auto const together = volume_bound(count_, r.memory);
            auto late = static_cast<Unsigned128>(lengths_);
            if (together > waits_ && together - waits_ > late) late = together - waits_;
            auto const bound = static_cast<Unsigned128>(lengths_before_) + late;
            if (bound > best_) best_ = bound;
        }
        return true;
    }

    CRX_HD std::int64_t bound() const
    {
        return best_ < static_cast<Unsigned128>(time_limit) ? static_cast<std::int64_t>(best_) : 0;
    }

  private:
    struct Release
    {
        Instant arrival;
        RequestId id;
        CRX_HD bool operator<(Release const& other) const
        {
            return arrival != other.arrival ? arrival < other.arrival : id < other.id;
        }
    };

    template <class T>
    CRX_HD static void insert(T* ascending, std::int64_t count, T item)
    {
        auto at = count;
        for (; at > 0 && item < ascending[at - 1]; --at) ascending[at] = ascending[at - 1];
        ascending[at] = item;
    }

    /// The volume bound of the `count` requests whose lengths and volumes are in order.
    CRX_HD Unsigned128 volume_bound(std::int64_t count, Tokens memory) const
    {
        Unsigned128 total = 0;
        std::int64_t rounds = 0, rest = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            rounds += volume_[k] / memory;
            rest += volume_[k] % memory;
            if (rest >= memory) {
                rest -= memory;
                ++rounds;
            }
            auto const by_volume = rounds + (rest > 0 ? 1 : 0);
            total += static_cast<Unsigned128>(by_volume > length_[k] ? by_volume
                                                                     : std::int64_t{length_[k]});
        }
        return total;
    }

    Release* late_;
    std::int32_t* length_;
    std::int64_t* volume_;
    std::int64_t next_ = -1;               ///< of late_, the next to come in
    Instant tau_ = 0;                      ///< that was looked at last
    std::int64_t lengths_ = 0, count_ = 0; ///< of those that are in; lengths are below 2^63
    std::int64_t lengths_before_ = 0;      ///< of the others
    Unsigned128 best_ = 0;                 ///< so far
    Unsigned128 waits_ = 0;                ///< sum of a - tau over those that are in
};

} // namespace crx

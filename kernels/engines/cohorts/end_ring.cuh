#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/engines/requests/completion_queue.cuh"

namespace crx {

/// Working ends of requests that learn their lengths, by round, and the look-ahead check of
/// docs/model.md#look-ahead-check upon them: a ring of rounds with how many end then and what they
/// would hold. Starting and leaving take constant time; a check looks at the ends up to its own.
class EndRing
{
  public:
    /// Nobody ends later than `longest` rounds after its start.
    CRX_HD EndRing(Arena& arena, std::int64_t longest, Tokens memory)
        : memory_(memory), size_(ring_size(longest)), ending_(arena.take<Ending>(size_)),
          any_(arena.take<std::uint64_t>(size_ / 64))
    {
    }
    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < size_ / 64; ++w) any_[w] = 0;
    }

    /// m requests with prompt s start in round t with working length e.
    CRX_HD void add(Rounds t, Tokens s, Rounds e, std::int64_t m)
    {
        auto const at = place_of(t + e);
        auto const bit = std::uint64_t{1} << (at % 64);
        auto& ending = ending_[at];
        if ((any_[at / 64] & bit) == 0) ending = {};
        any_[at / 64] |= bit;
        ending.add(m, m * (s - t));
        all_.add(m, m * (s - t));
    }
    /// m requests leave that started in round p; those past their working end are not here.
    CRX_HD void remove(Rounds p, Tokens s, Rounds e, std::int64_t m)
    {
        if (p + e <= dropped_) return;
        auto const at = place_of(p + e);
        auto& ending = ending_[at];
        ending.add(-m, -m * (s - p));
        all_.add(-m, -m * (s - p));
        if (ending.count == 0) any_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    }
    /// Forgets ends at or before t. Contract: t is not before that of the last call, and those
    /// that end in between were started before.
    CRX_HD void drop_until(Rounds t)
    {
        for (auto end = next_end(dropped_ + 1, t); end <= t; end = next_end(end + 1, t)) {
            auto const at = place_of(end);
            all_.add(-ending_[at].count, -ending_[at].shift);
            any_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        }
        dropped_ = t;
    }

  private:
    /// Requests that hold count T + shift at time T together.
    struct Ending
    {
        std::int64_t count = 0;
        Tokens shift = 0;
        CRX_HD void add(std::int64_t m, Tokens by)
        {
            count += m;
            shift += by;
        }
        CRX_HD Tokens held(Rounds time) const { return count * time + shift; }
    };

  public:
    /// How many requests with prompt s can start in round t, asked for one working length after
    /// the other, ascending. Those that start in between take a place each wherever was looked:
    /// they hold as much as the next would.
    class Room
    {
      public:
        /// `most`: what else limits their number, at most M / (s + 1).
        CRX_HD Room(EndRing const& ring, Rounds t, Tokens s, std::int64_t most)
            : ring_(ring), later_(ring.all_), t_(t), seen_(t), word_(t & ~Rounds{63}),
              bits_(ring.word_at(word_) & ~std::uint64_t{1} << (t & 63)), s_(s), most_(most)
        {
        }
        /// Contract: e is above that of the last call.
        CRX_HD std::int64_t most(Rounds e)
        {
            if (most_ == 0) return 0;
            auto const own = t_ + e;
            for (;;) {
                for (; bits_ != 0 && word_ + lowest_bit(bits_) <= own; bits_ &= bits_ - 1) {
                    look_at(word_ + lowest_bit(bits_));
                    auto const& ending = ring_.ending_[ring_.place_of(seen_)];
                    later_.add(-ending.count, -ending.shift);
                }
                if (word_ + 63 >= own) break;
                word_ += 64;
                bits_ = ring_.word_at(word_);
            }
            if (seen_ < own) look_at(own);
            return most_;
        }
        /// m of them start.
        CRX_HD void take(std::int64_t m) { most_ -= m; }

      private:
        CRX_HD void look_at(Rounds end)
        {
            seen_ = end;
            auto const room = ring_.memory_ - later_.held(end), size = s_ + end - t_;
            if (room < most_ * size) most_ = room / size;
        }

        EndRing const& ring_;
        Ending later_; ///< those that end after seen_ and started before round t
        Rounds t_, seen_;
        Rounds word_;        ///< the first round of the word that is looked at
        std::uint64_t bits_; ///< its ends that are still to be looked at
        Tokens s_;
        std::int64_t most_;
    };

    /// First round >= t, before `limit`, in which a request (s, e) passes the check if nothing else
    /// changes; `no_round` if there is none before `limit`. Contract: ends before t were dropped.
    CRX_HD Rounds first_fit(Rounds t, Tokens s, Rounds e, Rounds limit) const
    {
        while (t < limit) {
            // Each end up to its own demands a start of its own: when enough room is left then, or
            // at the end itself. Later ends count at its own, and more so until the next of them.
            auto bound = t;
            auto later = all_;
            auto end = next_end(dropped_ + 1, t + e);
            for (; end <= t + e; end = next_end(end + 1, t + e)) {
                auto const over = later.held(end) + s - memory_;
                auto const demand = over < 0 ? end + over : end;
                if (demand > bound) bound = demand;
                auto const& ending = ending_[place_of(end)];
                later.add(-ending.count, -ending.shift);
            }
            if (later.held(t + e) + s + e > memory_) {
                auto const next = next_end(t + e + 1, dropped_ + size_); // there is one
                if (next + 1 - e > bound) bound = next + 1 - e;
            }
            if (bound == t) return t;
            t = bound;
        }
        return no_round;
    }

  private:
    CRX_HD static std::int64_t ring_size(std::int64_t longest)
    {
        std::int64_t size = 64;
        while (size < longest + 2) size *= 2;
        return size;
    }
    CRX_HD std::int64_t place_of(Rounds t) const { return t & (size_ - 1); }
    CRX_HD std::uint64_t word_at(Rounds t) const { return any_[place_of(t) / 64]; }

    /// First end in [from, to]; above `to` if there is none. Contract: from > dropped_.
    CRX_HD Rounds next_end(Rounds from, Rounds to) const
    {
        auto const last = dropped_ + size_ - 1; // none is later, and places from there on repeat
        for (auto const until = to < last ? to : last; from <= until;) {
            auto const at = place_of(from);
            auto const bits = any_[at / 64] >> (at % 64);
            if (bits != 0) {
                auto const end = from + lowest_bit(bits);
                return end <= last ? end : to + 1;
            }
            from += 64 - at % 64;
        }
        return to + 1;
    }

    Tokens memory_;
    std::int64_t size_; ///< a power of two
    Ending* ending_;    ///< by round; means nothing where no request ends
    std::uint64_t* any_;
    Ending all_; ///< all whose end was not dropped
    Rounds dropped_ = -1;
};

} // namespace crx

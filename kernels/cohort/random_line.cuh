#pragma once

#include "kernels/cohort/composition.cuh"
#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// Waiting line of a-random: all requests in one uniformly random order, of which only what has
/// been served and, if it is blocked, the class of the first is decided.
///
/// A request never holds more than the longest class would in its place. So if m of the longest
/// that wait fit together, the next m do, whoever they are: they start as a group whose split into
/// classes is one multivariate hypergeometric draw. Room for less than one of the longest is filled
/// one by one. The groups shrink geometrically: their number grows with log M, not with n.
class RandomLine
{
  public:
    CRX_HD RandomLine(Composition const& composition, std::int64_t most_classes,
                      WordStream const& words, Arena& arena)
        : composition_(composition), words_(words), left_(arena.take<std::int64_t>(most_classes)),
          group_(arena.take<std::int64_t>(most_classes)), waiting_(composition.requests)
    {
        for (std::int64_t k = 0; k < composition.classes; ++k) left_[k] = composition.count[k];
        longest_ = composition.classes - 1;
    }

    CRX_HD bool empty() const { return waiting_ == 0; }
    /// Output length of the request that did not fit. Contract: not empty, and admit has run.
    CRX_HD std::int32_t blocked() const { return composition_.value[first_]; }

    template <class Engine>
    CRX_HD void admit(Rounds t, Engine& engine)
    {
        if (first_ >= 0 && !admit_first(t, engine)) return;
        for (;;) {
            if (waiting_ == 0) return;
            while (left_[longest_] == 0) --longest_;
            auto const room = engine.most_copies(t, composition_.value[longest_]);
            if (room <= 1) break;
            admit_group(t, engine, room < waiting_ ? room : waiting_);
        }
        while (waiting_ > 0) {
            first_ = draw_class();
            if (!admit_first(t, engine)) return;
        }
    }

  private:
    template <class Engine>
    CRX_HD bool admit_first(Rounds t, Engine& engine)
    {
        auto const o = composition_.value[first_];
        if (engine.most_copies(t, o) == 0) return false;
        engine.start(t, o, 1);
        --left_[first_];
        --waiting_;
        first_ = -1;
        return true;
    }

    /// Class of the next request; it stays among those that wait.
    CRX_HD std::int64_t draw_class()
    {
        auto place =
            static_cast<std::int64_t>(words_.bounded(static_cast<std::uint64_t>(waiting_)));
        std::int64_t k = 0;
        for (; place >= left_[k]; ++k) place -= left_[k];
        return k;
    }

    template <class Engine>
    CRX_HD void admit_group(Rounds t, Engine& engine, std::int64_t m)
    {
        if (m < composition_.classes)
            draw_one_by_one(m);
        else
            draw_by_class(m);
        for (std::int64_t k = 0; k <= longest_; ++k)
            if (group_[k] > 0) engine.start(t, composition_.value[k], group_[k]);
    }
    CRX_HD void draw_one_by_one(std::int64_t m)
    {
        for (std::int64_t k = 0; k <= longest_; ++k) group_[k] = 0;
        for (; m > 0; --m) {
            auto const k = draw_class();
            ++group_[k];
            --left_[k];
            --waiting_;
        }
    }
    CRX_HD void draw_by_class(std::int64_t m)
    {
        auto others = waiting_; // of this class or longer
        waiting_ -= m;
        for (std::int64_t k = 0; k <= longest_; ++k) {
            group_[k] = hypergeometric(others, left_[k], m, words_);
            others -= left_[k];
            left_[k] -= group_[k];
            m -= group_[k];
        }
    }

    Composition composition_;
    WordStream words_;
    std::int64_t* left_;  ///< waiting requests of each class
    std::int64_t* group_; ///< those that start together
    std::int64_t waiting_;
    std::int64_t longest_ = 0; ///< class; none longer waits
    std::int64_t first_ = -1;  ///< class of the blocked request in front; -1: not decided
};

} // namespace crx

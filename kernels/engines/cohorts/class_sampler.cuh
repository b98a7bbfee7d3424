#pragma once

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/random/sampling_without_replacement.cuh"

namespace crx {

/// Which requests are of which class, decided only when it shows: the n requests stand in uniformly
/// random order, a policy that does not know lengths takes groups of them, and a group of which
/// no request has completed yet loses its members of class k when it is old enough.
///
/// Law: place the members of the shortest class uniformly among all n requests, those of the next
/// uniformly among the rest, and so on. If classes below k are placed, the members of class k in a
/// group with c requests left are c draws without replacement from all requests of class k or
/// longer in groups not yet asked about class k; how those of longer classes lie does not change
/// that. So the next c of a line in random order for each class give exactly the law of the
/// composition in random order.
class ClassSampler
{
  public:
    CRX_HD ClassSampler(Composition const& composition, Arena& arena, std::int64_t most_classes)
        : line_(arena.take<SamplingWithoutReplacement>(most_classes))
    {
        auto const block = sampling_block(most_classes);
        auto const rows = sampling_rows(composition.requests, block);
        auto* row = arena.take<std::uint64_t>(most_classes * rows);
        if (row == nullptr) return; // the arena only counts
        std::int64_t longer = composition.requests;
        for (std::int64_t k = 0; k < composition.classes; ++k, row += rows) {
            line_[k] = SamplingWithoutReplacement(SamplingWithoutReplacement::Rows(row), block);
            line_[k].open(longer, composition.count[k]);
            longer -= composition.count[k];
        }
    }

    /// How many of a group of m requests are of class k. Contract: none of them is of a class below
    /// k, and the group was not asked about k before.
    template <class Words>
    CRX_HD std::int64_t draw(std::int64_t k, std::int64_t m, Words& words)
    {
        return line_[k].take(m, words);
    }

  protected:
    SamplingWithoutReplacement* line_; ///< for each class, those of it or longer, the class marked
};

/// Waiting line of mc-sf (H-SF): classes by output length, shortest in front. Equal requests start
/// in closed form, as many as fit. Nothing is random, so the result is the request engine's.
class ShortestLine
{
  public:
    CRX_HD explicit ShortestLine(Composition const& composition) : composition_(composition)
    {
        if (composition_.classes > 0) left_ = composition_.count[0];
    }

    CRX_HD bool empty() const { return front_ == composition_.classes; }
    /// Output length of the request that did not fit. Contract: not empty.
    CRX_HD std::int32_t blocked() const { return composition_.value[front_]; }

    template <class Engine>
    CRX_HD void admit(Rounds t, Engine& engine)
    {
        while (!empty()) {
            auto const o = blocked();
            auto const room = engine.most_copies(t, o);
            auto const started = room < left_ ? room : left_;
            if (started > 0) engine.start(t, o, started);
            left_ -= started;
            if (left_ > 0) return;
            if (++front_ < composition_.classes) left_ = composition_.count[front_];
        }
    }

  private:
    Composition composition_;
    std::int64_t front_ = 0; ///< class in front
    std::int64_t left_ = 0;  ///< requests of it that wait
};

/// Waiting line of a-random: all requests in one uniformly random order, of which only what has
/// been served and, if it is blocked, the class of the first is decided.
///
/// A request never holds more than the longest class would in its place. So if m of the longest
/// that wait fit together, the next m do, whoever they are: they start as a group, and what is
/// drawn is its split into classes. Room for less than one of the longest is filled one by one. The
/// groups shrink geometrically: their number grows with log M, not with n.
template <class Sampler = ClassSampler>
class RandomOrderQueue
{
  public:
    CRX_HD RandomOrderQueue(Composition const& composition, std::int64_t most_classes,
                            WordStream const& words, Arena& arena)
        : composition_(composition), words_(words), sampler_(composition, arena, most_classes),
          left_(arena.take<std::int64_t>(most_classes)), waiting_(composition.requests)
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
        std::int64_t k = 0;
        while (sampler_.draw(k, 1, words_) == 0) ++k;
        return k;
    }

    template <class Engine>
    CRX_HD void admit_group(Rounds t, Engine& engine, std::int64_t m)
    {
        waiting_ -= m;
        for (std::int64_t k = 0; m > 0; ++k) {
            auto const of_class = sampler_.draw(k, m, words_);
            left_[k] -= of_class;
            m -= of_class;
            if (of_class > 0) engine.start(t, composition_.value[k], of_class);
        }
    }

    Composition composition_;
    WordStream words_;
    Sampler sampler_;
    std::int64_t* left_; ///< waiting requests of each class
    std::int64_t waiting_;
    std::int64_t longest_ = 0; ///< class; none longer waits
    std::int64_t first_ = -1;  ///< class of the blocked request in front; -1: not decided
};

} // namespace crx

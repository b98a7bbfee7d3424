#pragma once

#include "kernels/engines/cohorts/a_max_batch.cuh"
#include "kernels/policies/max_length.cuh"

// What AMaxBatchEngine does first in a step: completions.

namespace crx {
namespace {

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::stop(Asked& asked)
{
    peak_ = Lanes::larger(peak_, held_);
    ++steps_;
    // The oldest cohorts first: those that are asked for the longest class.
    CRX_UNROLL
    for (int k = most - 1; k >= 0; --k) {
        auto const count = due_now(asked, k);
        complete(asked, k, is_drawn(k) ? sampler_.take(k, count) : count);
    }
}

/// How many are asked about class k.
template <class Form, int most>
CRX_IN_LANES auto AMaxBatchEngine<Form, most>::due_now(Asked& asked, int k) const -> Number
{
    auto const due = Lanes::equal(asked.due[k], t_);
    asked.last[k] = Lanes::pick(due, asked.next[k], asked.last[k]);
    return Lanes::where(due, asked.count[k]);
}

/// Of those so many are of class k.
template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::complete(Asked& asked, int k, Number const& found)
{
    auto const age = t_ + age_; // and what was generated, of a request that started at time 0
    asked.found[k] = found;
    active_ -= found;
    held_ -= found * (age - asked.last[k]);
}

} // namespace
} // namespace crx

// What AMaxBatchEngine does with its places in a step: the youngest, the oldest, all between.
// Included by a_max_batch.cuh.

namespace crx {
namespace {

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::settle(Asked& asked)
{
    constexpr int longest = most - 1; // requests that were asked about it are gone
    auto const t = t_;
    // Who completed now, and what they held beside what they would have taken from now on;
    // without those that started in the last step, which have not been taken off rooms yet.
    auto const generated = t + reach_;
    auto found = asked.found[0] - started_;
    auto held = asked.found[0] * (generated - asked.last[0]) - started_hold_;
    auto all_asked = asked.last[0]; // `end` of the last of those
    CRX_UNROLL
    for (int k = 1; k < longest; ++k) {
        found += asked.found[k];
        held += asked.found[k] * (generated - asked.last[k]);
        all_asked = Lanes::smaller(all_asked, asked.last[k]);
    }
    // Two, as one comparison waits for the one before.
    LeastQuotient<Lanes> least[2] = {{Lanes::all(memory_), Lanes::all(reach_)},
                                     {Lanes::all(memory_), Lanes::all(reach_)}};
    settle_young(asked, least[0]);
    settle_oldest(asked);
    // In between nothing but room changes.
    auto const changed = [&](Index i) CRX_LAMBDA_IN_LANES {
        auto& room = places_.at(i, 1);
        auto const size = places_.at(i, 0) - t;
        auto const left = room + held + found * size;
        room = left;
        return LeastQuotient<Lanes>{left, size};
    };
    auto i = young_;
    for (; i - low_ >= 2; i -= 2) {
        auto const first = changed(i - 1), second = changed(i - 2);
        least[0].show(first.room, first.size);
        least[1].show(second.room, second.size);
    }
    if (i > low_) {
        auto const last = changed(i - 1);
        least[1].show(last.room, last.size);
    }
    least[0].show(least[1].room, least[1].size);
    asked.least = least[0];
    asked.fit = least[0].rounded_down();
    if (memory_ > LeastQuotient<Lanes>::sure_room) { // nearly all memory must be left, too
        auto const unsure = LeastQuotient<Lanes>::unsure(asked.fit, Lanes::all(reach_));
        if (!none(unsure & Lanes::less(Number{}, waiting_))) asked.fit = fit_of(asked.fit);
    }
    while (young_ < high_ && none(Lanes::less(all_asked, places_.at(young_, 0)))) ++young_;
}

template <class Form, int most>
CRX_IN_LANES auto AMaxBatchEngine<Form, most>::fit_of(Number fit) -> Number
{
    auto const empty = Lanes::all(never);
    for (auto i = low_; i < high_; ++i) {
        auto const room = places_.at(i, 1), size = places_.at(i, 0) - t_;
        Mask const here = Lanes::less(room, empty);
        fit = Lanes::smaller(fit, Lanes::pick(here, Number(room / size), fit));
    }
    return Lanes::floor(fit);
}

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::settle_young(Asked& asked,
                                                            LeastQuotient<Lanes>& least)
{
    constexpr int longest = most - 1;
    auto const t = t_, empty = Lanes::all(never);
    Number next[most], count[most], last[most], found[longest], started[longest];
    CRX_UNROLL
    for (int k = 0; k < most; ++k) {
        next[k] = empty;
        count[k] = Number{};
        last[k] = asked.last[k];
        if (k == longest) break;
        found[k] = asked.found[k];
        started[k] = asked.last[k] - reach_;
    }
    for (auto i = high_; i-- > young_;) {
        Cohort c{places_.at(i, 0), places_.at(i, 1), places_.at(i, 2)};
        auto const size = c.end - t;
        c.room = c.room - started_hold_ - started_ * size;
        Mask was[longest];
        CRX_UNROLL
        for (int k = 0; k < longest; ++k) {
            was[k] = Lanes::at_most(c.end, last[k]);
            c.room = Lanes::add_where(was[k], c.room, found[k] * (c.end - started[k]));
            c.count = Lanes::add_where(Lanes::equal(c.end, last[k]), c.count, -found[k]);
        }
        // Who was not yet asked about the shortest class is still there.
        next[0] = Lanes::pick(was[0], next[0], c.end);
        count[0] = Lanes::pick(was[0], count[0], c.count);
        Mask const some_left = Lanes::less(Number{}, c.count);
        Mask const here = some_left & Lanes::less(last[longest], c.end);
        c.end = Lanes::where(here, c.end);
        c.room = Lanes::pick(here, c.room, empty);
        keep(i, c);
        CRX_UNROLL
        for (int k = 1; k < most; ++k) {
            Mask const later = k == longest ? here : Lanes::less(last[k], c.end);
            next[k] = Lanes::pick(later, c.end, next[k]);
            count[k] = Lanes::pick(later, c.count, count[k]);
        }
        least.show(c.room, size);
    }
    CRX_UNROLL
    for (int k = 0; k < most; ++k) {
        asked.next[k] = next[k];
        asked.count[k] = count[k];
    }
}

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::settle_oldest(Asked& asked)
{
    constexpr int longest = most - 1;
    auto const last = asked.last[longest];
    auto next = asked.next[longest], count = asked.count[longest];
    auto const empty = Lanes::all(never);
    Mask open = running_;
    for (auto i = low_; i < young_ && !none(open); ++i) {
        auto& room = places_.at(i, 1);
        Mask const later = Lanes::less(last, places_.at(i, 0));
        room = Lanes::pick(later, room, empty);
        next = Lanes::pick(later & open, places_.at(i, 0), next);
        count = Lanes::pick(later & open, places_.at(i, 2), count);
        open = Lanes::without(open, later);
    }
    asked.next[longest] = next;
    asked.count[longest] = count;
    while (low_ < high_ && none(Lanes::less(places_.at(low_, 1), empty))) ++low_;
    young_ = young_ < low_ ? low_ : young_;
}

} // namespace
} // namespace crx

// What AMaxBatchEngine does seldom: it begins instances, and puts the places in use together.
// Included by a_max_batch.cuh.

namespace crx {
namespace {

template <class Form, int most>
CRX_HD void AMaxBatchEngine<Form, most>::open(WorkloadView const& w, std::int64_t first,
                                              int instances, std::int64_t const* counts,
                                              std::int64_t apart)
{
    waiting_ = active_ = held_ = peak_ = started_ = started_hold_ = Number{};
    waited_.clear();
    steps_ = 0;
    t_ = Lanes::all(never);
    places_.open();
    low_ = young_ = high_ = 0;
    most_places_ = most_after(0);
    auto const all = Lanes::first(instances);
    running_ = Lanes::of_bits(all);
    CRX_UNROLL
    for (int k = 0; k < most; ++k) {
        class_[k].lag = class_[k].without = Lanes::all(never);
        class_[k].certain = true;
        if (k < most - 1 && k < classes_ - 1)
            Lanes::each([&](int j) CRX_LAMBDA_IN_LANES { sampler_.open_line(k, j, 0, 0); });
    }
    Lanes::each_of(all, [&](int j) CRX_LAMBDA_IN_LANES {
        Lanes::set(waiting_, j, static_cast<T>(w.requests));
        Lanes::set(t_, j, 0);
        sampler_.open(j, w.seed, stream_policy + static_cast<std::uint32_t>(MaxLength::kind),
                      static_cast<std::uint64_t>(first + j));
        auto const* const own = counts + apart * j;
        auto longer = w.requests;
        CRX_UNROLL
        for (int k = 0; k < most; ++k) { // the longest is the last, however many there are
            if (k < most - 1 && k >= classes_ - 1) continue;
            auto const length = k < most - 1 ? k : classes_ - 1;
            auto const marked = own[length];
            if (k < most - 1) { // the last is always certain
                sampler_.open_line(k, j, longer, marked);
                class_[k].certain &= marked == longer;
            }
            longer -= marked;
            if (marked == 0) continue;
            Lanes::set(class_[k].without, j, 0);
            Lanes::set(class_[k].lag, j,
                       static_cast<T>(w.output_value[static_cast<std::size_t>(length)]) - reach_);
        }
    });
}

template <class Form, int most>
CRX_HD void AMaxBatchEngine<Form, most>::pack()
{
    auto const front = places_.front(low_);
    typename Lanes::template Each<Index> kept;
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
        kept[j] = front;
        for (auto i = low_; i < high_; ++i) {
            auto const end = Lanes::get(places_.at(i, 0), j);
            if (Lanes::get(places_.at(i, 1), j) == never) continue;
            auto const to = kept[j]++;
            Lanes::set(places_.at(to, 0), j, end);
            for (int f = 1; f < 3; ++f)
                Lanes::set(places_.at(to, f), j, Lanes::get(places_.at(i, f), j));
        }
    });
    auto const end = Lanes::most(kept);
    Lanes::each([&](int j) CRX_LAMBDA_IN_LANES {
        for (auto i = kept[j]; i < end; ++i) {
            Lanes::set(places_.at(i, 0), j, 0);
            Lanes::set(places_.at(i, 1), j, never);
            Lanes::set(places_.at(i, 2), j, 0);
        }
    });
    low_ = young_ = front;
    high_ = end;
    most_places_ = most_after(high_ - low_);
}

} // namespace
} // namespace crx

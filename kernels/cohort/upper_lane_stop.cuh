#pragma once

#include "kernels/cohort/upper_lane_engine.cuh"

// What UpperLaneEngine does first in a step: who completes. Included by upper_lane_engine.cuh.

namespace crx {
namespace {

template <class Form, int most>
CRX_IN_LANES void UpperLaneEngine<Form, most>::stop(Asked& asked)
{
    open_stop();
    // The oldest cohorts first: those that are asked for the longest class.
    CRX_UNROLL
    for (int k = most - 1; k >= 0; --k) {
        auto const count = due_now(asked, k);
        complete(asked, k, is_drawn(k) ? lottery_.take(k, count) : count);
    }
}

/// stop() of all registers, class by class: a lane takes its words in the same order.
template <class Form, int most>
CRX_IN_LANES void UpperLaneEngine<Form, most>::stop_together(UpperLaneEngine* engines, Asked* asked)
{
    auto& draws = engines[0].lottery_.draws();
    CRX_NO_UNROLL
    for (int r = 0; r < registers; ++r)
        if (engines[r].any_runs()) engines[r].open_stop();
    CRX_UNROLL
    for (int k = most - 1; k >= 0; --k) {
        draws.open();
        CRX_NO_UNROLL
        for (int r = 0; r < registers; ++r) {
            auto& e = engines[r];
            if (!e.any_runs()) continue;
            asked[r].found[k] = e.due_now(asked[r], k);
            if (e.is_drawn(k)) e.lottery_.ask(k, asked[r].found[k]);
        }
        draws.execute();
        CRX_NO_UNROLL
        for (int r = 0; r < registers; ++r) {
            auto& e = engines[r];
            if (!e.any_runs()) continue;
            auto const count = asked[r].found[k];
            e.complete(asked[r], k, e.is_drawn(k) ? e.lottery_.answer(k, count) : count);
        }
    }
}

template <class Form, int most>
CRX_IN_LANES void UpperLaneEngine<Form, most>::open_stop()
{
    peak_ = Lanes::larger(peak_, held_);
    ++steps_;
}

/// How many are asked about class k.
template <class Form, int most>
CRX_IN_LANES auto UpperLaneEngine<Form, most>::due_now(Asked& asked, int k) const -> Number
{
    auto const due = Lanes::equal(asked.due[k], t_);
    asked.last[k] = Lanes::pick(due, asked.next[k], asked.last[k]);
    return Lanes::where(due, asked.count[k]);
}

/// Of those so many are of class k.
template <class Form, int most>
CRX_IN_LANES void UpperLaneEngine<Form, most>::complete(Asked& asked, int k, Number const& found)
{
    auto const age = t_ + age_; // and what was generated, for who started at time 0
    asked.found[k] = found;
    active_ -= found;
    held_ -= found * (age - asked.last[k]);
}

} // namespace
} // namespace crx

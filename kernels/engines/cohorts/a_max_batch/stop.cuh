#pragma once

#include "kernels/engines/cohorts/a_max_batch/engine.cuh"

// What AMaxBatchEngine does first in a step: who completes. Included by engine.cuh.

namespace crx {
namespace {

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::stop(Asked& asked)
{
    open_stop();
    // The oldest cohorts first: those that are asked for the longest class.
    CRX_UNROLL
    for (int k = most - 1; k >= 0; --k) {
        auto const count = due_now(asked, k);
        complete(asked, k, is_drawn(k) ? lottery_.take(k, count) : count);
    }
}

/// stop() in two parts, between which draws for the shortest class are made.
template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::begin_stop(Asked& asked)
{
    open_stop();
    CRX_UNROLL
    for (int k = most - 1; k > 0; --k) {
        auto const count = due_now(asked, k);
        complete(asked, k, is_drawn(k) ? lottery_.take(k, count) : count);
    }
    asked.found[0] = due_now(asked, 0);
    if (is_drawn(0)) lottery_.ask(0, asked.found[0]);
}

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::end_stop(Asked& asked)
{
    auto const count = asked.found[0];
    complete(asked, 0, is_drawn(0) ? lottery_.answer(0, count) : count);
}

template <class Form, int most>
CRX_IN_LANES void AMaxBatchEngine<Form, most>::open_stop()
{
    peak_ = Lanes::larger(peak_, held_);
    ++steps_;
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
    auto const age = t_ + age_; // and what was generated, for who started at time 0
    asked.found[k] = found;
    active_ -= found;
    held_ -= found * (age - asked.last[k]);
}

} // namespace
} // namespace crx

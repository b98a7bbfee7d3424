#pragma once

#include "kernels/engines/cohorts/a_max_batch/engine.cuh"
#include "kernels/policies/max_length.cuh"

// What AMaxBatchEngine does seldom: it begins instances, and puts the places in use together.
// Included by engine.cuh.

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
            Lanes::each([&](int j) CRX_LAMBDA_IN_LANES { lottery_.open_line(k, j, 0, 0); });
    }
    Lanes::each_of(all, [&](int j) CRX_LAMBDA_IN_LANES {
        Lanes::set(waiting_, j, static_cast<T>(w.requests));
        Lanes::set(t_, j, 0);
        lottery_.open(j, w.seed, stream_policy + static_cast<std::uint32_t>(MaxLength::kind),
                      static_cast<std::uint64_t>(first + j));
        auto const* const own = counts + apart * j;
        auto longer = w.requests;
        CRX_UNROLL
        for (int k = 0; k < most; ++k) { // the longest is the last, however many there are
            if (k < most - 1 && k >= classes_ - 1) continue;
            auto const length = k < most - 1 ? k : classes_ - 1;
            auto const marked = own[length];
            if (k < most - 1) { // the last is always certain
                lottery_.open_line(k, j, longer, marked);
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

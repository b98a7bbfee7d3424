#pragma once

#include "kernels/model/length_law.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// A gap, as a draw of the exponential law with mean 1: whole + fraction 2^-64.
struct Exponential
{
    std::uint64_t whole = 0, fraction = 0;

    /// floor(mean times the draw). Contract: the product is below 2^64.
    CRX_HD std::uint64_t scaled(std::uint64_t mean) const
    {
        return whole * mean + static_cast<std::uint64_t>((Unsigned128{fraction} * mean) >> 64);
    }
};

/// Draws it with comparisons of uniform words alone, so every processor has the same integers.
///
/// A trial takes words u1 > u2 > .. until one is not below its predecessor; with n words in all it
/// succeeds if n is even, which has probability exp(-u1), and u1 is the fraction. Each failed trial
/// adds 1 to the whole part. Words are 64 bits of uniform reals; a tie (2^-64 a comparison) counts
/// as not below, so the law is within 2^-60 of the exponential in total variation. About 4.3 words
/// a draw. Source: von Neumann (1951), Various techniques used in connection with random digits.
CRX_HD inline Exponential exponential(WordStream& words)
{
    for (std::uint64_t whole = 0;; ++whole) {
        auto const first = words.next();
        auto last = first;
        bool even = false; // number of words taken
        for (;;) {
            auto const word = words.next();
            even = !even;
            if (word >= last) break;
            last = word;
        }
        if (even) return {whole, first};
    }
}

/// A law of gaps with mean 1, uniform in each of many cells: `end[k]` is where cell k ends, in
/// 2^-48, and a word below `threshold[k]`, not below the one before, stands for it. A second word
/// says where in the cell. Source: docs/random-choices.md, Arrivals.
struct GapLaw
{
    std::span<std::uint64_t const> end, threshold;

    CRX_HD Exponential draw(WordStream& words) const
    {
        auto const word = words.next(), place = words.next();
        std::size_t low = 0, high = end.size() - 1;
        while (low < high) {
            auto const middle = (low + high) / 2;
            if (word < threshold[middle])
                high = middle;
            else
                low = middle + 1;
        }
        auto const begin = low == 0 ? 0 : end[low - 1];
        auto const gap =
            (Unsigned128{begin} << 64) + Unsigned128{end[low] - begin} * place; // in 2^-112
        return {static_cast<std::uint64_t>(gap >> 112), static_cast<std::uint64_t>(gap >> 48)};
    }
};

/// A point of a unit-rate process on a grid of 2^-64: whole + fraction 2^-64.
struct UnitTime
{
    std::uint64_t whole = 0, fraction = 0;

    CRX_HD void add(Exponential const& gap)
    {
        fraction += gap.fraction;
        whole += gap.whole + (fraction < gap.fraction ? 1 : 0);
    }
};

/// `time` times `unit`, rounded up.
CRX_HD inline Unsigned128 scaled_up(UnitTime const& time, std::uint64_t unit)
{
    auto const below = Unsigned128{time.fraction} * unit;
    return Unsigned128{time.whole} * unit + static_cast<std::uint64_t>(below >> 64) +
           (static_cast<std::uint64_t>(below) != 0 ? 1 : 0);
}

/// Turns points of a unit-rate process into instants of a process whose rate is a step function:
/// the first instant of the clock's grid by which the rate's integral has reached the point.
class RateIntegral
{
  public:
    CRX_HD explicit RateIntegral(WorkloadView const& w)
        : steps_(w.rate_step), repeat_(w.rate_repeats), unit_(rate_unit(w.clock.kind))
    {
        if (!repeat_) return;
        for (auto const& step : steps_) {
            period_ += step.duration;
            in_period_ += integral_of(step);
        }
    }

    /// Contract: times do not decrease from call to call. At most time_limit - 1.
    CRX_HD Instant instant(UnitTime const& time)
    {
        auto const target = scaled_up(time, unit_);
        for (;; ++at_) {
            if (at_ == steps_.size()) { // only where the steps repeat
                skip_periods(target);
                at_ = 0;
            }
            auto const& step = steps_[at_];
            if (begin_ >= far) return time_limit - 1;
            bool const last = !repeat_ && at_ + 1 == steps_.size();
            if (last || target <= passed_ + integral_of(step)) break;
            passed_ += integral_of(step);
            begin_ += step.duration;
        }
        auto const missing = target - passed_;
        auto const rate = static_cast<std::uint64_t>(steps_[at_].rate);
        auto const into = missing == 0 ? 0 : (missing - 1) / rate + 1;
        auto const most = static_cast<Unsigned128>(time_limit - 1 - begin_);
        return begin_ + static_cast<Instant>(into < most ? into : most);
    }

  private:
    CRX_HD static Unsigned128 integral_of(RateStep const& step)
    {
        return static_cast<Unsigned128>(step.duration) * static_cast<Unsigned128>(step.rate);
    }
    /// All whole periods before the target at once.
    CRX_HD void skip_periods(Unsigned128 target)
    {
        if (target <= passed_ + in_period_) return;
        auto const periods = (target - passed_ - 1) / in_period_;
        auto const most = static_cast<Unsigned128>(far / period_);
        auto const skipped = periods < most ? periods : most;
        passed_ += skipped * in_period_;
        begin_ += static_cast<Instant>(skipped) * period_;
    }

    static constexpr Instant far = time_limit / 2; ///< no step or period is longer

    std::span<RateStep const> steps_;
    bool repeat_;
    std::uint64_t unit_;
    std::size_t at_ = 0;
    Instant begin_ = 0, period_ = 0;         ///< of step at_; of all steps together
    Unsigned128 passed_ = 0, in_period_ = 0; ///< integral until begin_; over a period
};

/// Row of the trace at which an instance's window begins: the first word of stream prompts.
template <class Words>
CRX_HD std::int64_t window_start(WorkloadView const& w, Words& prompts)
{
    auto const rows = w.source_end[0];
    return static_cast<std::int64_t>(
        prompts.bounded(static_cast<std::uint64_t>(rows - w.requests) + 1));
}

/// Writes the arrivals of an instance (docs/random-choices.md, Arrivals); ascending in the index.
CRX_HD inline void generate_arrivals(WorkloadView const& w, std::uint64_t instance,
                                     Requests const& requests)
{
    WordStream words(w.seed, stream_arrivals, instance);
    switch (w.arrival_kind) {
    case ArrivalKind::at_zero:
        for (std::int64_t i = 0; i < w.requests; ++i) requests.arrival[i] = 0;
        return;
    case ArrivalKind::poisson_rounds: {
        TableLaw const in_a_round{w.round_value, w.round_threshold};
        std::int64_t i = 0;
        for (Instant t = 0; i < w.requests; ++t)
            for (auto k = in_a_round.draw(words.next()); k > 0 && i < w.requests; --k)
                requests.arrival[i++] = t;
        return;
    }
    case ArrivalKind::poisson: {
        RateIntegral integral(w);
        GapLaw const gaps{w.gap_end, w.gap_threshold};
        UnitTime time;
        for (std::int64_t i = 0; i < w.requests; ++i) {
            time.add(gaps.end.empty() ? exponential(words) : gaps.draw(words));
            requests.arrival[i] = integral.instant(time);
        }
        return;
    }
    case ArrivalKind::trace: {
        if (w.trace_order != TraceOrder::window) {
            for (std::int64_t i = 0; i < w.requests; ++i) requests.arrival[i] = w.trace_arrival[i];
            return;
        }
        WordStream prompts(w.seed, stream_prompts, instance);
        auto const* const row = w.trace_arrival.data() + window_start(w, prompts);
        for (std::int64_t i = 0; i < w.requests; ++i) requests.arrival[i] = row[i] - row[0];
        return;
    }
    }
}

} // namespace crx

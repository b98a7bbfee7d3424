#pragma once

#include "kernels/engines/iterations/path_run.cuh"
#include "kernels/model/bin_counts.hh"
#include "kernels/model/measures.hh"

#include <deque>
#include <vector>

namespace crx {

/// What happened to one prompt of a path, in nanoseconds; -1: it has not happened.
struct PromptRecord
{
    std::int32_t type = 0;
    std::int32_t cancellations = 0;
    Nanoseconds arrival = 0;
    Nanoseconds first_start = -1, last_start = -1; ///< of its first and of its last run
    Nanoseconds first_token = -1; ///< end of stage 1 of the last run, or of those tokens it kept
    Nanoseconds first_shown = -1; ///< end of stage 1 of any run
    Nanoseconds completion = -1;
    Nanoseconds longest_gap = -1; ///< between two new tokens, of those shown so far
    Tokens lost = 0;              ///< generated in runs that were cancelled, and not kept
    bool operator==(PromptRecord const&) const = default;
};

/// What a prompt takes with nobody else: its prefill and its stages, one after the other; at most
/// time_limit.
std::int64_t time_alone(IterationTime const& time, PromptType const& type);

/// Prompts that generate a token at the same instants: all that decode of a fcfs policy, or those
/// inside a segment.
class TokenLine
{
  public:
    /// `span`: most tokens that a prompt generates in the line.
    explicit TokenLine(std::int64_t span);

    /// Those in the line generate a token.
    void tick(Nanoseconds now);
    std::int64_t ticks() const { return ticks_; }
    /// Contract: one of the last span ticks.
    Nanoseconds time_of(std::int64_t tick) const { return times_[place(tick)]; }
    /// The longest time from a tick to the next one, from `tick` on. Contract: it is one of the
    /// last span ticks and not the last.
    Nanoseconds longest_since(std::int64_t tick) const;

  private:
    struct Peak
    {
        std::int64_t tick; ///< that ends it
        Nanoseconds gap;
    };

    std::size_t place(std::int64_t tick) const
    {
        return static_cast<std::size_t>(tick) % times_.size();
    }

    std::vector<Nanoseconds> times_;
    std::deque<Peak> peaks_; ///< times that are longer than all after them, in order
    std::int64_t ticks_ = 0;
};

/// The prompts of one path while it runs, and what is counted of them: of those that complete when
/// they do, of the others what is known at each horizon (docs/model.md#measures-of-requests).
class RequestLog
{
  public:
    /// For one try of the path. `rows`, if not null, gets every prompt in order of arrival, as it
    /// is at the last horizon. Contract: the plan outlives it.
    RequestLog(MeasureChoice const& choice, PathPlan const& plan,
               std::vector<PromptRecord>* rows = nullptr);

    // As RequestEvents has them.
    void arrived(std::int32_t slot, std::int32_t type, Nanoseconds time);
    void started(std::int32_t slot, Nanoseconds now);
    void entered(std::int32_t slot, std::int32_t line, Tokens token, bool has_it);
    void left(std::int32_t slot);
    void completed(std::int32_t slot, Nanoseconds now);
    void cancelled(std::int32_t slot, Tokens kept, Tokens lost);
    void tick(std::int32_t line, Nanoseconds now);
    void begun(Tokens memory, Nanoseconds now);
    void ended(Nanoseconds now);
    void reached(Nanoseconds horizon);

    /// Of every horizon: the path's sums up to it.
    std::vector<MeasureGroup> groups() const;

  private:
    struct Prompt : PromptRecord
    {
        std::int64_t number = -1; ///< how many arrived before it
        std::int32_t line = -1;   ///< in which it generates tokens; -1: in none
        std::int64_t tick = 0;    ///< of its first token there,
        Tokens token = 1;         ///< and which of its tokens that is
        Tokens shown = 0;         ///< most tokens that it had
        Nanoseconds last_shown = 0;
        bool is_here = false;
    };
    /// What is counted between two horizons, or at one.
    struct Counts
    {
        MeasureGroup sums; ///< but for histograms
        std::array<BinCounts, measure_count> bins;
    };

    bool keeps(RequestMeasure measure) const
    {
        return choice_.kept[static_cast<std::size_t>(measure)];
    }
    Prompt& at(std::int32_t slot) { return prompts_[static_cast<std::size_t>(slot)]; }
    void leave_line(Prompt& prompt) const;
    void hold_until(Nanoseconds now);
    void open(Counts& counts) const;
    void add(Counts& counts, RequestMeasure measure, std::int64_t value) const;
    void add_times(Counts& counts, PromptRecord const& prompt, Nanoseconds now) const;
    void add_completed(Counts& counts, PromptRecord const& prompt);
    void write_row(Prompt const& prompt);

    MeasureChoice choice_;
    PathPlan const& plan_;
    std::vector<PromptRecord>* rows_;
    std::vector<std::int64_t> alone_; ///< what a prompt of each type takes alone
    std::vector<TokenLine> lines_;
    std::vector<Prompt> prompts_; ///< by slot
    std::int64_t arrivals_ = 0;
    std::size_t horizon_ = 0;       ///< the next one
    Tokens held_ = 0, leaving_ = 0; ///< memory since `since_`, and of it what the batch's end frees
    Nanoseconds since_ = 0;
    std::vector<Counts> passed_; ///< of those that completed since the horizon before
    std::vector<Counts> here_;   ///< of those that are still there at each horizon
};

/// Tells a log what happens to each prompt, and the tallies of types as TypeEvents does. Policies
/// name a prompt by a slot, which is its own from its arrival to its completion.
struct RequestEvents : TypeEvents
{
    static constexpr bool names = true;
    RequestLog* log = nullptr;
    Nanoseconds time = 0;

    void at(Nanoseconds instant)
    {
        TypeEvents::at(instant);
        time = instant;
    }
    void completed(std::int32_t type, std::int64_t n, std::int32_t slot)
    {
        TypeEvents::completed(type, n, slot);
        log->completed(slot, time);
    }
    void arrived(std::int32_t slot, std::int32_t type, Nanoseconds arrival) const
    {
        log->arrived(slot, type, arrival);
    }
    /// A run of the prompt begins with the batch that is formed.
    void started(std::int32_t slot) const { log->started(slot, time); }
    /// From now on the prompt generates a token at each tick of the line, first this one of its
    /// tokens: at the tick just past if `has_it`, else at the next.
    void entered(std::int32_t slot, std::int32_t line, Tokens token, bool has_it) const
    {
        log->entered(slot, line, token, has_it);
    }
    /// It waits, after a token at the last tick.
    void left(std::int32_t slot) const { log->left(slot); }
    /// Its run ends without completing: `kept` tokens stay, `lost` do not.
    void cancelled(std::int32_t slot, Tokens kept, Tokens lost) const
    {
        log->cancelled(slot, kept, lost);
    }
    void tick(std::int32_t line) const { log->tick(line, time); }
    void begun(Tokens memory) const { log->begun(memory, time); }
    void ended() const { log->ended(time); }
    void reached(Nanoseconds horizon) const { log->reached(horizon); }
};

} // namespace crx

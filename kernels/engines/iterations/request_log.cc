#include "kernels/engines/iterations/request_log.hh"

#include <algorithm>

namespace crx {

TokenLine::TokenLine(std::int64_t span) : times_(static_cast<std::size_t>(span) + 1) {}

void TokenLine::tick(Nanoseconds now)
{
    times_[place(ticks_)] = now;
    if (ticks_ > 0) {
        auto const gap = now - time_of(ticks_ - 1);
        while (!peaks_.empty() && peaks_.back().gap <= gap) peaks_.pop_back();
        peaks_.push_back({ticks_, gap});
        if (peaks_.front().tick + static_cast<std::int64_t>(times_.size()) <= ticks_)
            peaks_.pop_front();
    }
    ++ticks_;
}

Nanoseconds TokenLine::longest_since(std::int64_t tick) const
{
    return std::ranges::upper_bound(peaks_, tick, {}, &Peak::tick)->gap;
}

std::int64_t time_alone(IterationTime const& time, PromptType const& type)
{
    Nanoseconds end = 0;
    for (Tokens k = 0; k <= type.output && end < time_limit; ++k)
        end = time.end(end, type.prompt + k);
    return std::min(end, time_limit);
}

RequestLog::RequestLog(MeasureChoice const& choice, PathPlan const& plan,
                       std::vector<PromptRecord>* rows)
    : choice_(choice), plan_(plan), rows_(rows),
      passed_(static_cast<std::size_t>(plan.checkpoint_count)),
      here_(static_cast<std::size_t>(plan.checkpoint_count))
{
    if (rows_ != nullptr) rows_->clear();
    Tokens longest = 1;
    for (std::int32_t j = 0; j < plan.type_count; ++j) {
        longest = std::max(longest, plan.types[j].output);
        if (keeps(RequestMeasure::slowdown)) alone_.push_back(time_alone(plan.time, plan.types[j]));
    }
    if (plan.thresholds.segment_count == 0) lines_.emplace_back(longest);
    for (std::int32_t s = 0; s < plan.thresholds.segment_count; ++s)
        lines_.emplace_back(plan.thresholds.segments[s].stages());
    for (auto* const all : {&passed_, &here_})
        for (auto& counts : *all) open(counts);
}

void RequestLog::open(Counts& counts) const
{
    for (std::size_t m = 0; m < choice_.kept.size(); ++m)
        if (choice_.kept[m]) counts.bins[m].open();
}

void RequestLog::arrived(std::int32_t slot, std::int32_t type, Nanoseconds time)
{
    if (static_cast<std::size_t>(slot) >= prompts_.size())
        prompts_.resize(static_cast<std::size_t>(slot) + 1);
    auto& prompt = at(slot);
    prompt = {};
    prompt.type = type;
    prompt.arrival = time;
    prompt.number = arrivals_++;
    prompt.is_here = true;
}

void RequestLog::started(std::int32_t slot, Nanoseconds now)
{
    auto& prompt = at(slot);
    if (prompt.first_start < 0) prompt.first_start = now;
    prompt.last_start = now;
}

void RequestLog::entered(std::int32_t slot, std::int32_t line, Tokens token, bool has_it)
{
    auto& prompt = at(slot);
    prompt.line = line;
    prompt.token = token;
    prompt.tick = lines_[static_cast<std::size_t>(line)].ticks() - (has_it ? 1 : 0);
}

/// The tokens that the prompt generated in its line, up to the last tick, are its own.
void RequestLog::leave_line(Prompt& prompt) const
{
    if (prompt.line < 0) return;
    auto const& line = lines_[static_cast<std::size_t>(prompt.line)];
    prompt.line = -1;
    auto const last = line.ticks() - 1;
    if (prompt.tick > last) return;
    if (prompt.token == 1) prompt.first_token = line.time_of(prompt.tick);
    auto const first_new = prompt.tick + std::max<Tokens>(0, prompt.shown + 1 - prompt.token);
    if (first_new > last) return;
    auto const time = line.time_of(first_new);
    if (prompt.shown == 0)
        prompt.first_shown = time;
    else
        prompt.longest_gap = std::max(prompt.longest_gap, time - prompt.last_shown);
    if (first_new < last)
        prompt.longest_gap = std::max(prompt.longest_gap, line.longest_since(first_new));
    prompt.shown = prompt.token + last - prompt.tick;
    prompt.last_shown = line.time_of(last);
}

void RequestLog::left(std::int32_t slot) { leave_line(at(slot)); }

void RequestLog::cancelled(std::int32_t slot, Tokens kept, Tokens lost)
{
    auto& prompt = at(slot);
    leave_line(prompt);
    ++prompt.cancellations;
    prompt.lost += lost;
    if (kept == 0) prompt.first_token = -1;
    passed_[horizon_].sums.lost_tokens += lost;
}

void RequestLog::tick(std::int32_t line, Nanoseconds now)
{
    lines_[static_cast<std::size_t>(line)].tick(now);
}

void RequestLog::completed(std::int32_t slot, Nanoseconds now)
{
    auto& prompt = at(slot);
    leave_line(prompt);
    prompt.completion = now;
    prompt.is_here = false;
    auto const& type = plan_.types[prompt.type];
    leaving_ += type.prompt + type.output;
    add_completed(passed_[horizon_], prompt);
    write_row(prompt);
}

/// Memory has been the same since since_.
void RequestLog::hold_until(Nanoseconds now)
{
    auto const time = static_cast<Unsigned128>(now - since_);
    since_ = now;
    auto& sums = passed_[horizon_].sums;
    sums.held_time += time * static_cast<Unsigned128>(held_);
    auto const least = (9 * plan_.capacity + 9) / 10; // 90 % of C, rounded up
    if (plan_.capacity > 0 && held_ >= least) sums.crowded_time += time;
}

void RequestLog::begun(Tokens memory, Nanoseconds now)
{
    hold_until(now);
    held_ = memory;
}

void RequestLog::ended(Nanoseconds now)
{
    hold_until(now);
    held_ -= leaving_;
    leaving_ = 0;
}

void RequestLog::reached(Nanoseconds horizon)
{
    hold_until(horizon);
    auto& counts = here_[horizon_];
    bool const is_last = ++horizon_ == here_.size();
    counts.sums.instances = 1;
    counts.sums.requests = arrivals_;
    counts.sums.time = static_cast<Unsigned128>(horizon);
    for (auto const& prompt : prompts_) {
        if (!prompt.is_here) continue;
        auto known = prompt;
        leave_line(known);
        add_times(counts, known, horizon);
        if (is_last) write_row(known);
    }
}

void RequestLog::add(Counts& counts, RequestMeasure measure, std::int64_t value) const
{
    auto const m = static_cast<std::size_t>(measure);
    auto& sum = counts.sums.value[m];
    ++sum.count;
    sum.sum += static_cast<Unsigned128>(value);
    sum.largest = std::max(sum.largest, value);
    counts.bins[m].count(histogram_bin(value));
}

/// The times since its arrival; `now`, where what ends them has not happened.
void RequestLog::add_times(Counts& counts, PromptRecord const& prompt, Nanoseconds now) const
{
    auto const until = [&](Nanoseconds event) {
        return (event >= 0 ? event : now) - prompt.arrival;
    };
    if (keeps(RequestMeasure::latency))
        add(counts, RequestMeasure::latency, until(prompt.completion));
    if (keeps(RequestMeasure::first_token))
        add(counts, RequestMeasure::first_token, until(prompt.first_token));
    if (keeps(RequestMeasure::first_shown))
        add(counts, RequestMeasure::first_shown, until(prompt.first_shown));
}

void RequestLog::add_completed(Counts& counts, PromptRecord const& prompt)
{
    add_times(counts, prompt, prompt.completion);
    auto const output = plan_.types[prompt.type].output;
    counts.sums.tokens += output;
    auto const latency = prompt.completion - prompt.arrival;
    std::int64_t per_token = 0; // of one token: none, which keeps every limit
    if (output > 1)
        per_token = in_fixed_point(RequestMeasure::per_token,
                                   prompt.completion - prompt.first_token, output - 1);
    if (keeps(RequestMeasure::per_token) && output > 1)
        add(counts, RequestMeasure::per_token, per_token);
    if (keeps(RequestMeasure::slowdown))
        add(counts, RequestMeasure::slowdown,
            in_fixed_point(RequestMeasure::slowdown, latency,
                           alone_[static_cast<std::size_t>(prompt.type)]));
    if (keeps(RequestMeasure::longest_gap) && output > 1)
        add(counts, RequestMeasure::longest_gap, prompt.longest_gap);
    auto const& objective = choice_.objective;
    if (!objective.any() ||
        !objective.is_kept(latency, prompt.first_token - prompt.arrival, per_token))
        return;
    ++counts.sums.attained;
    counts.sums.attained_tokens += output;
}

void RequestLog::write_row(Prompt const& prompt)
{
    if (rows_ == nullptr) return;
    auto const n = static_cast<std::size_t>(prompt.number);
    if (n >= rows_->size()) rows_->resize(n + 1);
    (*rows_)[n] = prompt;
}

std::vector<MeasureGroup> RequestLog::groups() const
{
    std::vector<MeasureGroup> groups;
    MeasureGroup passed;
    for (std::size_t c = 0; c < passed_.size(); ++c) {
        auto part = passed_[c].sums;
        groups.push_back(here_[c].sums);
        for (std::size_t m = 0; m < choice_.kept.size(); ++m) {
            passed_[c].bins[m].add_to(part.value[m].histogram);
            here_[c].bins[m].add_to(groups.back().value[m].histogram);
        }
        passed.add(part);
        groups.back().add(passed);
    }
    return groups;
}

} // namespace crx

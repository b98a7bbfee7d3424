#include "kernels/cpu/request_record.hh"

#include "kernels/model/tally.cuh"

#include <algorithm>

namespace crx {

namespace {

std::size_t place(int group, int measure)
{
    return static_cast<std::size_t>(group * measure_count + measure);
}

} // namespace

RequestRecord::RequestRecord(MeasureChoice const& choice, std::int64_t most) : choice_(choice)
{
    if (!choice.any()) return;
    for (auto* const times : {&start_, &completion_, &first_token_, &first_shown_})
        times->resize(static_cast<std::size_t>(most));
    bins_.resize(place(measure_groups, 0));
    for (int g = 0; g < measure_groups; ++g)
        for (int m = 0; m < measure_count; ++m)
            if (choice.kept[static_cast<std::size_t>(m)]) bins_[place(g, m)].open();
}

ScheduleLog RequestRecord::log_from(ScheduleLog const& log, Requests const& requests)
{
    auto out = log;
    if (!choice_.any()) return out;
    auto const n = static_cast<std::ptrdiff_t>(requests.n);
    std::fill(completion_.begin(), completion_.begin() + n, Instant{0});
    out.start = start_.data();
    out.completion = completion_.data();
    out.first_token = first_token_.data();
    out.first_shown = first_shown_.data();
    out.stretch_context = this;
    use_ = {};
    clock_ = requests.clock;
    memory_ = requests.memory;
    if (!keeps(RequestMeasure::longest_gap)) {
        if (choice_.totals)
            out.on_stretch = [](void* self, Instant, Stretch const& stretch, Rounds rounds,
                                std::int64_t time) {
                auto& record = *static_cast<RequestRecord*>(self);
                record.use_.add(record.clock_, record.memory_, stretch, rounds, time);
            };
        return out;
    }
    gaps_.begin(static_cast<std::size_t>(requests.n), clock_);
    out.on_stretch = [](void* self, Instant begin, Stretch const& stretch, Rounds rounds,
                        std::int64_t time) {
        auto& record = *static_cast<RequestRecord*>(self);
        if (record.choice_.totals)
            record.use_.add(record.clock_, record.memory_, stretch, rounds, time);
        record.gaps_.pass(begin, stretch, rounds, time);
    };
    out.on_run_end = [](void* self, std::int64_t i, Rounds generated) {
        static_cast<RequestRecord*>(self)->gaps_.end_run(static_cast<std::size_t>(i), generated);
    };
    return out;
}

void RequestRecord::count(Requests const& requests, Outcome const& outcome, std::int64_t instance,
                          std::int64_t const* alone)
{
    if (!choice_.any()) return;
    auto const g = static_cast<int>(instance % measure_groups);
    auto& group = sums_.group[static_cast<std::size_t>(g)];
    group.requests += requests.n;
    if (outcome.finished == 0) return;
    ++group.instances;
    group.lost_tokens += outcome.wasted_tokens;
    group.time += static_cast<Unsigned128>(outcome.makespan);
    group.held_time += use_.held_time;
    group.crowded_time += use_.crowded_time;
    bool const asked = keeps(RequestMeasure::slowdown);
    for (std::size_t i = 0; i < static_cast<std::size_t>(requests.n); ++i)
        count_request(requests, i,
                      !asked ? 0
                      : alone != nullptr
                          ? alone[i]
                          : time_alone(requests.clock, requests.prompt[i], requests.output[i]),
                      g);
}

void RequestRecord::count_request(Requests const& requests, std::size_t i, std::int64_t alone,
                                  int g)
{
    auto& group = sums_.group[static_cast<std::size_t>(g)];
    auto const output = requests.output[i];
    group.tokens += output;
    auto const& objective = choice_.objective;
    auto const arrival = requests.arrival[i], completion = completion_[i];
    auto const add = [&](RequestMeasure measure, std::int64_t value) {
        auto const m = static_cast<int>(measure);
        auto& sum = group.value[static_cast<std::size_t>(m)];
        ++sum.count;
        sum.sum += static_cast<Unsigned128>(value);
        sum.largest = std::max(sum.largest, value);
        bins_[place(g, m)].count(histogram_bin(value));
    };
    auto const latency = completion - arrival, first_token = first_token_[i] - arrival;
    if (keeps(RequestMeasure::latency)) add(RequestMeasure::latency, latency);
    if (keeps(RequestMeasure::first_token)) add(RequestMeasure::first_token, first_token);
    if (keeps(RequestMeasure::first_shown))
        add(RequestMeasure::first_shown, first_shown_[i] - arrival);
    std::int64_t per_token = 0; // of one token: none, which keeps every limit
    if (output > 1 && (keeps(RequestMeasure::per_token) || objective.per_token > 0)) {
        per_token =
            in_fixed_point(RequestMeasure::per_token, completion - first_token_[i], output - 1);
        if (keeps(RequestMeasure::per_token)) add(RequestMeasure::per_token, per_token);
    }
    if (keeps(RequestMeasure::slowdown))
        add(RequestMeasure::slowdown, in_fixed_point(RequestMeasure::slowdown, latency, alone));
    if (keeps(RequestMeasure::longest_gap) && gaps_.of(i) >= 0)
        add(RequestMeasure::longest_gap, gaps_.of(i));
    if (!objective.any() || !objective.is_kept(latency, first_token, per_token)) return;
    ++group.attained;
    group.attained_tokens += output;
}

void RequestRecord::add_to(MeasureSums& sums) const
{
    if (!choice_.any()) return;
    sums.add(sums_);
    for (int g = 0; g < measure_groups; ++g)
        for (int m = 0; m < measure_count; ++m)
            if (choice_.kept[static_cast<std::size_t>(m)])
                bins_[place(g, m)].add_to(sums.group[static_cast<std::size_t>(g)]
                                              .value[static_cast<std::size_t>(m)]
                                              .histogram);
}

} // namespace crx

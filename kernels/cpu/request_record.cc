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

void BinCounts::add_to(Histogram& histogram) const
{
    auto few = few_;
    std::ranges::sort(few);
    for (std::size_t k = 0; k < few.size();) {
        auto const begin = k;
        while (k < few.size() && few[k] == few[begin]) ++k;
        histogram[few[begin]] += static_cast<std::int64_t>(k - begin);
    }
    for (auto bin = lowest_; bin <= highest_; ++bin)
        if (counts_.get()[bin] > 0) histogram[bin] += counts_.get()[bin];
}

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
        record.gaps_.pass(begin, stretch, rounds);
    };
    out.on_run_end = [](void* self, std::int64_t i, Rounds generated) {
        static_cast<RequestRecord*>(self)->gaps_.end_run(static_cast<std::size_t>(i), generated);
    };
    return out;
}

void RequestRecord::count(Requests const& requests, Outcome const& outcome, std::int64_t instance)
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
    for (std::size_t i = 0; i < static_cast<std::size_t>(requests.n); ++i)
        count_request(requests, i, group, g);
}

void RequestRecord::count_request(Requests const& requests, std::size_t i, MeasureGroup& group,
                                  int g)
{
    auto const output = requests.output[i];
    group.tokens += output;
    std::int64_t values[measure_count] = {};
    RequestTimes const times{requests.arrival[i], first_token_[i], first_shown_[i], completion_[i],
                             keeps(RequestMeasure::longest_gap) ? gaps_.of(i) : -1};
    auto const value = [&](RequestMeasure measure) {
        return measure_of(measure, requests.clock, requests.prompt[i], output, times);
    };
    for (int m = 0; m < measure_count; ++m) {
        if (!choice_.kept[static_cast<std::size_t>(m)]) continue;
        values[m] = value(static_cast<RequestMeasure>(m));
        if (values[m] < 0) continue;
        auto& sum = group.value[static_cast<std::size_t>(m)];
        ++sum.count;
        sum.sum += static_cast<Unsigned128>(values[m]);
        sum.largest = std::max(sum.largest, values[m]);
        bins_[place(g, m)].count(histogram_bin(values[m]));
    }
    auto const& objective = choice_.objective;
    if (!objective.any() ||
        !attains(objective, output, value(RequestMeasure::latency),
                 value(RequestMeasure::first_token), value(RequestMeasure::per_token)))
        return;
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

#include "host/experiment/trace_plan.hh"

#include "analysis/laws/discrete_laws.hh"
#include "host/error.hh"
#include "host/experiment/arrivals.hh"
#include "host/input/time_text.hh"

#include <algorithm>

namespace crx {

TraceReading read_trace_reading(ConfigReader& source, bool with_times)
{
    TraceReading reading;
    reading.prompt = source.text("prompt", "");
    reading.output = source.text("output", "");
    reading.arrival = source.text("arrival", "");
    reading.unit = source.text("unit", "");
    reading.format = source.text("format", "");
    reading.with_times = with_times;
    reading.latest_arrival = last_nanosecond;
    return reading;
}

LengthRange range_of(TraceSpec const& trace, Tokens memory, NameTable const& names)
{
    LengthRange range{std::numeric_limits<std::int32_t>::max(), 0};
    for (auto const& source : trace.sources)
        for (std::size_t i = 0; i < source.rows->prompt.size(); ++i) {
            auto const s = source.rows->prompt[i], o = source.rows->output[i];
            if (Tokens{s} + o > memory) continue;
            range.least = std::min(range.least, o);
            range.largest = std::max(range.largest, o);
        }
    if (range.largest == 0)
        throw ConfigError(trace.sources.front().where, trace.sources.front().key + ".file",
                          trace.sources.front().name + names.at(),
                          "a trace with rows that fit in M = " + std::to_string(memory));
    return range;
}

void plan_trace(TraceSpec const& trace, bool plans_with_upper, std::int64_t speed,
                Expression const& requests, NameTable& names, Workload& workload, LeftOut& left_out)
{
    std::vector<double> weights;
    double total = 0;
    for (auto const& source : trace.sources) {
        weights.push_back(names.evaluate(source.weight, {0, 1e12}));
        total += weights.back();
    }
    if (!(total > 0))
        trace.sources.front().weight.reject(weights.front(), names.at(),
                                            "a number above 0 for one source at least");
    workload.output_kind = OutputKind::trace;
    workload.prompt_kind = PromptKind::trace;
    workload.trace_order = trace.order;
    workload.source_count = largest_remainder(workload.requests, weights);
    auto const& interval = workload.interval;
    auto const outside = [&](std::int32_t o) {
        return interval.kind == IntervalKind::common &&
               !(interval.lower <= o && o <= interval.upper);
    };
    for (std::size_t k = 0; k < trace.sources.size(); ++k) {
        auto const& source = trace.sources[k];
        std::int64_t beyond_interval = 0, beyond_memory = 0;
        auto const first = workload.trace_prompt.size();
        for (std::size_t i = 0; i < source.rows->prompt.size(); ++i) {
            auto const s = source.rows->prompt[i], o = source.rows->output[i];
            if (outside(o)) {
                ++beyond_interval;
            } else if (s + (plans_with_upper ? upper_end(interval, o) : o) > workload.memory) {
                ++beyond_memory;
            } else {
                workload.trace_prompt.push_back(s);
                workload.trace_output.push_back(o);
                if (workload.arrival_kind == ArrivalKind::trace)
                    workload.trace_arrival.push_back(trace_instant(source.rows->arrival[i], speed));
            }
        }
        auto const kept = workload.trace_prompt.size() - first;
        workload.source_end.push_back(static_cast<std::int64_t>(workload.trace_prompt.size()));
        if (workload.source_count[k] > 0 && kept == 0)
            throw ConfigError(source.where, source.key + ".file", source.name + names.at(),
                              "a trace with rows that fit in M = " +
                                  std::to_string(workload.memory) + " and in the interval");
        for (auto const& [reason, count] : source.rows->left_out)
            left_out.emplace_back(source.name + ", " + reason, count);
        if (beyond_interval > 0)
            left_out.emplace_back(source.name + ", outside the common interval", beyond_interval);
        if (beyond_memory > 0)
            left_out.emplace_back(source.name + ", can never fit in memory", beyond_memory);
    }
    auto const rows = static_cast<std::int64_t>(workload.trace_prompt.size());
    if (trace.order != TraceOrder::sampled && workload.requests > rows)
        requests.reject(static_cast<double>(workload.requests), names.at(),
                        "at most " + std::to_string(rows) + ", the rows of the trace that fit");
}

} // namespace crx

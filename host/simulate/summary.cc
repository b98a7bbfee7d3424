#include "host/simulate/summary.hh"

#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/input/time_text.hh"
#include "kernels/model/measures.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <queue>

namespace crx {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(Distribution const& d, double scale)
{
    Json out{{"mean", d.mean * scale}, {"p50", d.p50 * scale}, {"p90", d.p90 * scale},
             {"p95", d.p95 * scale},   {"p99", d.p99 * scale}, {"max", d.max * scale}};
    if (d.count == 0)
        for (auto& value : out) value = nullptr;
    out["count"] = d.count;
    return out;
}

/// Classes of lengths: the ends that a table of services has.
std::string class_of(std::int32_t tokens)
{
    for (int limit : {16, 64, 256, 1024, 4096, 16384})
        if (tokens <= limit) return "<= " + std::to_string(limit);
    return "> 16384";
}

/// Latency of each class, and how far its 99th percentile is from its mean.
Json fairness(std::vector<double> const& latency, std::vector<std::int32_t> const& lengths,
              double scale)
{
    std::map<std::int32_t, std::pair<std::string, std::vector<double>>> classes;
    for (std::size_t i = 0; i < latency.size(); ++i) {
        auto const name = class_of(lengths[i]);
        auto& entry = classes[name[0] == '>' ? INT32_MAX : std::stoi(name.substr(3))];
        entry.first = name;
        entry.second.push_back(latency[i]);
    }
    Json out = Json::array();
    for (auto const& [limit, entry] : classes) {
        auto const d = distribution_of(entry.second);
        out.push_back({{"tokens", entry.first},
                       {"requests", d.count},
                       {"mean", d.mean * scale},
                       {"p99", d.p99 * scale},
                       {"p99_over_mean", d.mean > 0 ? Json(d.p99 / d.mean) : Json()}});
    }
    return out;
}

} // namespace

ServiceObjective objective_argument(std::string const& text, bool on_a_clock)
{
    ServiceObjective out;
    auto const refuse = [&](std::string const& accepted) {
        throw ConfigError("command line", "--slo", text, accepted);
    };
    std::string const example = on_a_clock ? "as first_token=2s,per_token=100ms"
                                           : "as first_token=20,latency=400, in rounds";
    for (std::size_t start = 0; start < text.size();) {
        auto const end = std::min(text.find(',', start), text.size());
        auto const part = text.substr(start, end - start);
        start = end + 1;
        auto const sign = part.find('=');
        if (sign == std::string::npos) refuse(example);
        auto const name = part.substr(0, sign);
        auto* const limit = name == "latency"       ? &out.latency
                            : name == "first_token" ? &out.first_token
                            : name == "per_token"   ? &out.per_token
                                                    : nullptr;
        if (limit == nullptr)
            refuse("one of " + listed_with_nearest(name, {"latency", "first_token", "per_token"}) +
                   ", " + example);
        double value = 0;
        auto const* const from = part.data() + sign + 1;
        auto const [stop, error] = std::from_chars(from, part.data() + part.size(), value);
        auto unit = std::string(stop, part.data() + part.size());
        if (!unit.empty() && unit.front() == ' ') unit.erase(0, 1);
        auto const known = time_unit_named(unit);
        if (error != std::errc{} || !(value > 0) || on_a_clock != known.has_value() ||
            (!on_a_clock && !unit.empty()))
            refuse(std::string("a number above 0 ") +
                   (on_a_clock ? "with a unit: ns, us, ms or s" : "of rounds") + ", " + example);
        *limit = known ? value * std::pow(1000.0, static_cast<int>(*known)) : value;
    }
    return out;
}

nlohmann::ordered_json summary_json(RunSubject const& subject, SingleRun const& run,
                                    OwnedInstance const& instance,
                                    ServiceObjective const& objective)
{
    auto const n = instance.output.size();
    bool const affine = subject.clock.affine();
    double const unit = affine ? 1e-9 : 1; // seconds, or rounds
    std::vector<double> latency, first, shown, per_token, slowdown, gap;
    std::int64_t tokens = 0, attained = 0, attained_tokens = 0;
    for (std::size_t i = 0; i < n; ++i) {
        auto const arrival = instance.arrival[i];
        auto const o = instance.output[i];
        tokens += o;
        latency.push_back(static_cast<double>(run.completion[i] - arrival));
        first.push_back(static_cast<double>(run.first_token[i] - arrival));
        shown.push_back(static_cast<double>(run.first_shown[i] - arrival));
        if (o >= 2)
            per_token.push_back(static_cast<double>(run.completion[i] - run.first_token[i]) /
                                (o - 1));
        if (run.longest_gap[i] >= 0) gap.push_back(static_cast<double>(run.longest_gap[i]));
        slowdown.push_back(latency.back() /
                           static_cast<double>(time_alone(subject.clock, instance.prompt[i], o)));
        auto const within = [](std::optional<double> const& limit, double value) {
            return !limit || value <= *limit;
        };
        if (!within(objective.latency, latency.back()) ||
            !within(objective.first_token, first.back()) ||
            (o >= 2 && !within(objective.per_token, per_token.back())))
            continue;
        ++attained;
        attained_tokens += o;
    }
    auto const makespan = static_cast<double>(run.outcome.makespan) * unit;
    auto const rate = [&](auto amount) { return static_cast<double>(amount) / makespan; };
    Json out{{"unit", affine ? "s" : "rounds"},
             {"requests", n},
             {"latency", as_json(distribution_of(latency), unit)},
             {"first_token", as_json(distribution_of(first), unit)},
             {"first_token_streamed", as_json(distribution_of(shown), unit)},
             {"per_token", as_json(distribution_of(per_token), unit)},
             {"longest_gap", as_json(distribution_of(gap), unit)},
             {"slowdown", as_json(distribution_of(slowdown), 1)},
             {"throughput",
              {{"requests", rate(n)},
               {"tokens", rate(tokens)},
               {"per", affine ? "s" : "round"},
               {"makespan", makespan}}}};
    out["memory_use"] = {
        {"peak", run.outcome.peak_memory},
        {"mean", run.outcome.makespan > 0 ? Json(static_cast<double>(run.use.held_time) /
                                                 static_cast<double>(run.outcome.makespan))
                                          : Json()},
        {"share_above_90_percent", run.outcome.makespan > 0
                                       ? Json(static_cast<double>(run.use.crowded_time) /
                                              static_cast<double>(run.outcome.makespan))
                                       : Json()}};
    out["in_vain"] = {{"tokens", run.outcome.wasted_tokens},
                      {"share", static_cast<double>(run.outcome.wasted_tokens) /
                                    static_cast<double>(run.outcome.wasted_tokens + tokens)},
                      {"cancellations", run.outcome.cancellations}};
    out["fairness"] = {{"by_output", fairness(latency, instance.output, unit)},
                       {"by_prompt", fairness(latency, instance.prompt, unit)}};
    if (objective.latency || objective.first_token || objective.per_token) {
        Json limits = Json::object();
        if (objective.latency) limits["latency"] = *objective.latency * unit;
        if (objective.first_token) limits["first_token"] = *objective.first_token * unit;
        if (objective.per_token) limits["per_token"] = *objective.per_token * unit;
        out["slo"] = {
            {"limits", limits},
            {"attainment", static_cast<double>(attained) / static_cast<double>(n)},
            {"goodput", {{"requests", rate(attained)}, {"tokens", rate(attained_tokens)}}}};
    }
    return out;
}

std::string summary_text(Json const& summary)
{
    auto text = fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n",
                            "percentiles, " + summary["unit"].get<std::string>(), "mean", "p50",
                            "p90", "p95", "p99", "max");
    for (char const* name : {"latency", "first_token", "first_token_streamed", "per_token",
                             "longest_gap", "slowdown"}) {
        text += fmt::format("  {:<22}", name);
        for (char const* key : {"mean", "p50", "p90", "p95", "p99", "max"})
            text += summary[name][key].is_null()
                        ? fmt::format("{:>12}", "-")
                        : fmt::format("{:>12.6g}", summary[name][key].get<double>());
        text += "\n";
    }
    auto const& rate = summary["throughput"];
    text += fmt::format("  throughput            {:.6g} requests, {:.6g} tokens a {}\n",
                        rate["requests"].get<double>(), rate["tokens"].get<double>(),
                        rate["per"].get<std::string>());
    if (auto const& memory = summary["memory_use"]; !memory["mean"].is_null())
        text += fmt::format("  memory                mean {:.6g}, above 90 % for {:.3g} of the "
                            "time\n",
                            memory["mean"].get<double>(),
                            memory["share_above_90_percent"].get<double>());
    text += fmt::format("  in vain               {} tokens, {:.3g} of all\n",
                        summary["in_vain"]["tokens"].get<std::int64_t>(),
                        summary["in_vain"]["share"].get<double>());
    for (char const* by : {"output", "prompt"})
        for (auto const& row : summary["fairness"][std::string("by_") + by])
            text += fmt::format("  {:<6} {:<15}{:>12.6g}{:>48.6g}   {} requests\n", by,
                                row["tokens"].get<std::string>(), row["mean"].get<double>(),
                                row["p99"].get<double>(), row["requests"].get<std::int64_t>());
    if (summary.contains("slo"))
        text += fmt::format(
            "  objective             kept by {:.4g} of the requests; goodput {:.6g} "
            "requests a {}\n",
            summary["slo"]["attainment"].get<double>(),
            summary["slo"]["goodput"]["requests"].get<double>(), rate["per"].get<std::string>());
    return text;
}

namespace {

constexpr char const* row_columns[] = {
    "id",          "arrival",    "prompt",      "output",
    "first_start", "last_start", "first_token", "first_token_streamed",
    "completion",  "attempts",   "tokens_lost", "longest_gap"};

/// A request's values in the order of row_columns, after the id; nothing where there is none.
std::vector<std::optional<std::int64_t>> row_of(SingleRun const& run, OwnedInstance const& instance,
                                                std::size_t i)
{
    bool const done = run.completion[i] > 0;
    auto const if_done = [&](std::int64_t value) {
        return done ? std::optional(value) : std::nullopt;
    };
    auto const if_there = [](std::int64_t value) {
        return value >= 0 ? std::optional(value) : std::nullopt;
    };
    return {instance.arrival[i],
            instance.prompt[i],
            instance.output[i],
            if_there(run.first_start[i]),
            if_done(run.start[i]),
            if_done(run.first_token[i]),
            if_there(run.first_shown[i]),
            if_done(run.completion[i]),
            run.cancellations[i] + (done ? 1 : 0),
            run.lost[i],
            if_there(done ? run.longest_gap[i] : -1)};
}

std::string rows_as_csv(RunSubject const& subject, SingleRun const& run,
                        OwnedInstance const& instance)
{
    std::string text;
    for (auto const* const column : row_columns)
        text += std::string(text.empty() ? "" : ",") + column;
    text += "\n";
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        auto const& id = subject.request_ids[i];
        if (id.find_first_of(",\"") == std::string::npos) {
            text += id;
        } else {
            text += '"';
            for (char const c : id) text += c == '"' ? "\"\"" : std::string(1, c);
            text += '"';
        }
        for (auto const& value : row_of(run, instance, i))
            text += "," + (value ? std::to_string(*value) : "");
        text += "\n";
    }
    return text;
}

Json rows_as_json(RunSubject const& subject, SingleRun const& run, OwnedInstance const& instance)
{
    auto rows = Json::array();
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        Json row{{"id", subject.request_ids[i]}};
        auto const values = row_of(run, instance, i);
        for (std::size_t k = 0; k < values.size(); ++k)
            row[row_columns[k + 1]] = values[k] ? Json(*values[k]) : Json();
        rows.push_back(std::move(row));
    }
    return rows;
}

bool is_json(std::string const& file) { return std::filesystem::path(file).extension() == ".json"; }

} // namespace

void check_rows_file(std::string const& option, std::string const& file)
{
    std::error_code ignored;
    bool const is_device =
        std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
    if (file.empty() || is_device || is_json(file) ||
        std::filesystem::path(file).extension() == ".csv")
        return;
    throw ConfigError("command line", option, file,
                      "a file of comma-separated values (.csv) or of JSON (.json)");
}

std::string request_rows(std::string const& file, RunSubject const& subject, SingleRun const& run,
                         OwnedInstance const& instance)
{
    return is_json(file) ? rows_as_json(subject, run, instance).dump(1) + "\n"
                         : rows_as_csv(subject, run, instance);
}

std::string timeline_as_trace_events(RunSubject const& subject, SingleRun const& run)
{
    double const unit = subject.clock.affine() ? 1e-3 : 1; // microseconds
    struct Slice
    {
        Instant start, end;
        std::size_t request;
        bool completed;
    };
    std::vector<Slice> slices;
    for (auto const& c : run.cancelled) slices.push_back({c.start, c.end, c.request, false});
    for (std::size_t i = 0; i < run.start.size(); ++i)
        if (run.completion[i] > 0) slices.push_back({run.start[i], run.completion[i], i, true});
    std::ranges::stable_sort(slices, {}, &Slice::start);
    std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                       "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":" +
                       Json(subject.policy).dump() + "}}";
    // A slice goes to the lowest track that is free.
    std::priority_queue<std::pair<Instant, int>, std::vector<std::pair<Instant, int>>,
                        std::greater<>>
        busy; // until, track
    std::priority_queue<int, std::vector<int>, std::greater<>> free;
    int tracks = 0;
    for (auto const& slice : slices) {
        while (!busy.empty() && busy.top().first <= slice.start) {
            free.push(busy.top().second);
            busy.pop();
        }
        int const track = free.empty() ? ++tracks : free.top();
        if (!free.empty()) free.pop();
        busy.emplace(slice.end, track);
        text += fmt::format(",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{"
                            "},\"cat\":\"{}\"}}",
                            track, static_cast<double>(slice.start) * unit,
                            static_cast<double>(slice.end - slice.start) * unit,
                            Json(subject.request_ids[slice.request]).dump(),
                            slice.completed ? "completed" : "cancelled");
    }
    for (auto const& point : run.timeline) {
        auto const time = static_cast<double>(point.time) * unit;
        text += fmt::format(",\n{{\"ph\":\"C\",\"pid\":1,\"ts\":{},\"name\":\"memory\",\"args\":{{"
                            "\"tokens\":{}}}}}",
                            time, point.held);
        text +=
            fmt::format(",\n{{\"ph\":\"C\",\"pid\":1,\"ts\":{},\"name\":\"requests\",\"args\":{{"
                        "\"running\":{},\"waiting\":{}}}}}",
                        time, point.active, point.waiting);
    }
    return text + "\n]}\n";
}

} // namespace crx

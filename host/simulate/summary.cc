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
#include <functional>
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

namespace {

/// What a summary is made of.
struct Served
{
    std::string unit; ///< s or rounds
    double scale = 1; ///< of the times here to that unit
    std::vector<double> latency, first_token, first_shown, per_token, longest_gap, slowdown;
    std::vector<std::int32_t> prompt, output; ///< of each latency
    std::int64_t completed = 0, tokens = 0;   ///< of those that completed
    std::int64_t attained = 0, attained_tokens = 0;
    double time = 0;
    Tokens peak_memory = 0;
    Unsigned128 held_time = 0, crowded_time = 0;
    std::optional<Tokens> memory = {}; ///< none: no share of it can be told
    std::int64_t lost_tokens = 0, cancellations = 0;

    /// A request that completed; its latency and time to the first token are the last in the lists.
    void add_completed(std::int32_t output_tokens, double alone,
                       std::optional<double> const& time_per_token, std::int64_t gap,
                       ServiceObjective const& objective)
    {
        ++completed;
        tokens += output_tokens;
        if (time_per_token) per_token.push_back(*time_per_token);
        if (gap >= 0) longest_gap.push_back(static_cast<double>(gap));
        slowdown.push_back(latency.back() / alone);
        auto const within = [](std::optional<double> const& limit, double value) {
            return !limit || value <= *limit;
        };
        if (!within(objective.latency, latency.back()) ||
            !within(objective.first_token, first_token.back()) ||
            (time_per_token && !within(objective.per_token, *time_per_token)))
            return;
        ++attained;
        attained_tokens += output_tokens;
    }
};

std::optional<double> time_per_token(std::int64_t time, std::int32_t output)
{
    if (output < 2) return {};
    return static_cast<double>(time) / (output - 1);
}

Json summary_of(Served const& served, ServiceObjective const& objective)
{
    auto const unit = served.scale;
    auto const time = served.time * unit;
    auto const rate = [&](std::int64_t amount) { return static_cast<double>(amount) / time; };
    auto const all = static_cast<double>(served.latency.size());
    Json out{{"unit", served.unit},
             {"requests", served.latency.size()},
             {"latency", as_json(distribution_of(served.latency), unit)},
             {"first_token", as_json(distribution_of(served.first_token), unit)},
             {"first_token_streamed", as_json(distribution_of(served.first_shown), unit)},
             {"per_token", as_json(distribution_of(served.per_token), unit)},
             {"longest_gap", as_json(distribution_of(served.longest_gap), unit)},
             {"slowdown", as_json(distribution_of(served.slowdown), 1)},
             {"throughput",
              {{"requests", rate(served.completed)},
               {"tokens", rate(served.tokens)},
               {"per", served.unit == "s" ? "s" : "round"},
               {"makespan", time}}}};
    auto const share_of_time = [&](Unsigned128 sum) {
        return served.time > 0 ? Json(static_cast<double>(sum) / served.time) : Json();
    };
    out["memory_use"] = {
        {"peak", served.peak_memory},
        {"mean", share_of_time(served.held_time)},
        {"share_above_90_percent", served.memory ? share_of_time(served.crowded_time) : Json()}};
    auto const generated = static_cast<double>(served.lost_tokens + served.tokens);
    out["in_vain"] = {{"tokens", served.lost_tokens},
                      {"share", generated > 0
                                    ? Json(static_cast<double>(served.lost_tokens) / generated)
                                    : Json()},
                      {"cancellations", served.cancellations}};
    out["fairness"] = {{"by_output", fairness(served.latency, served.output, unit)},
                       {"by_prompt", fairness(served.latency, served.prompt, unit)}};
    if (objective.latency || objective.first_token || objective.per_token) {
        Json limits = Json::object();
        if (objective.latency) limits["latency"] = *objective.latency * unit;
        if (objective.first_token) limits["first_token"] = *objective.first_token * unit;
        if (objective.per_token) limits["per_token"] = *objective.per_token * unit;
        out["slo"] = {
            {"limits", limits},
            {"attainment", static_cast<double>(served.attained) / all},
            {"goodput",
             {{"requests", rate(served.attained)}, {"tokens", rate(served.attained_tokens)}}}};
    }
    return out;
}

} // namespace

nlohmann::ordered_json summary_json(RunSubject const& subject, SingleRun const& run,
                                    OwnedInstance const& instance,
                                    ServiceObjective const& objective)
{
    Served served;
    bool const affine = subject.clock.affine();
    served.unit = affine ? "s" : "rounds";
    served.scale = affine ? 1e-9 : 1;
    served.prompt = instance.prompt;
    served.output = instance.output;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        auto const arrival = instance.arrival[i];
        auto const o = instance.output[i];
        served.latency.push_back(static_cast<double>(run.completion[i] - arrival));
        served.first_token.push_back(static_cast<double>(run.first_token[i] - arrival));
        served.first_shown.push_back(static_cast<double>(run.first_shown[i] - arrival));
        served.add_completed(o,
                             static_cast<double>(time_alone(subject.clock, instance.prompt[i], o)),
                             time_per_token(run.completion[i] - run.first_token[i], o),
                             run.longest_gap[i], objective);
    }
    served.time = static_cast<double>(run.outcome.makespan);
    served.memory = subject.memory;
    served.peak_memory = run.outcome.peak_memory;
    served.held_time = run.use.held_time;
    served.crowded_time = run.use.crowded_time;
    served.lost_tokens = run.outcome.wasted_tokens;
    served.cancellations = run.outcome.cancellations;
    return summary_of(served, objective);
}

nlohmann::ordered_json path_summary_json(IterationCell const& cell, PathReplay const& run)
{
    Served served;
    served.unit = "s";
    served.scale = 1e-9;
    auto const& last = run.tallies.back();
    for (auto const& p : run.prompts) {
        auto const& type = cell.types[static_cast<std::size_t>(p.type)];
        auto const output = static_cast<std::int32_t>(type.output);
        auto const since = [&](Nanoseconds event) {
            return static_cast<double>((event >= 0 ? event : last.until) - p.arrival);
        };
        served.prompt.push_back(static_cast<std::int32_t>(type.prompt));
        served.output.push_back(output);
        served.latency.push_back(since(p.completion));
        served.first_token.push_back(since(p.first_token));
        served.first_shown.push_back(since(p.first_shown));
        if (p.completion >= 0)
            served.add_completed(output, static_cast<double>(time_alone(cell.time, type)),
                                 time_per_token(p.completion - p.first_token, output),
                                 p.longest_gap, {});
    }
    served.time = static_cast<double>(last.until);
    if (cell.policy.memory > 0) served.memory = cell.policy.memory;
    served.peak_memory = last.peak_memory;
    auto const& sums = run.measures.back();
    served.held_time = sums.held_time;
    served.crowded_time = sums.crowded_time;
    served.lost_tokens = sums.lost_tokens;
    served.cancellations = last.cancelled;
    auto out = summary_of(served, {});
    out["completed"] = served.completed;
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
        text += fmt::format("  memory                mean {:.6g}{}\n", memory["mean"].get<double>(),
                            memory["share_above_90_percent"].is_null()
                                ? ", of no limit"
                                : fmt::format(", above 90 % for {:.3g} of the time",
                                              memory["share_above_90_percent"].get<double>()));
    text += fmt::format(
        "  in vain               {} tokens{}\n", summary["in_vain"]["tokens"].get<std::int64_t>(),
        summary["in_vain"]["share"].is_null()
            ? ""
            : fmt::format(", {:.3g} of all", summary["in_vain"]["share"].get<double>()));
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

using RowOf = std::function<std::vector<std::optional<std::int64_t>>(std::size_t)>;

std::string rows_as_csv(std::vector<std::string> const& ids, RowOf const& row)
{
    std::string text;
    for (auto const* const column : row_columns)
        text += std::string(text.empty() ? "" : ",") + column;
    text += "\n";
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto const& id = ids[i];
        if (id.find_first_of(",\"") == std::string::npos) {
            text += id;
        } else {
            text += '"';
            for (char const c : id) text += c == '"' ? "\"\"" : std::string(1, c);
            text += '"';
        }
        for (auto const& value : row(i)) text += "," + (value ? std::to_string(*value) : "");
        text += "\n";
    }
    return text;
}

Json rows_as_json(std::vector<std::string> const& ids, RowOf const& row_at)
{
    auto rows = Json::array();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        Json row{{"id", ids[i]}};
        auto const values = row_at(i);
        for (std::size_t k = 0; k < values.size(); ++k)
            row[row_columns[k + 1]] = values[k] ? Json(*values[k]) : Json();
        rows.push_back(std::move(row));
    }
    return rows;
}

bool is_json(std::string const& file) { return std::filesystem::path(file).extension() == ".json"; }

std::string rows_text(std::string const& file, std::vector<std::string> const& ids,
                      RowOf const& row)
{
    return is_json(file) ? rows_as_json(ids, row).dump(1) + "\n" : rows_as_csv(ids, row);
}

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
    return rows_text(file, subject.request_ids,
                     [&](std::size_t i) { return row_of(run, instance, i); });
}

std::string prompt_rows(std::string const& file, IterationCell const& cell, PathReplay const& run)
{
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < run.prompts.size(); ++i) ids.push_back(std::to_string(i));
    return rows_text(file, ids, [&](std::size_t i) {
        auto const& p = run.prompts[i];
        auto const& type = cell.types[static_cast<std::size_t>(p.type)];
        auto const if_there = [](std::int64_t value) {
            return value >= 0 ? std::optional(value) : std::nullopt;
        };
        return std::vector<std::optional<std::int64_t>>{p.arrival,
                                                        type.prompt,
                                                        type.output,
                                                        if_there(p.first_start),
                                                        if_there(p.last_start),
                                                        if_there(p.first_token),
                                                        if_there(p.first_shown),
                                                        if_there(p.completion),
                                                        p.cancellations + (p.completion >= 0),
                                                        p.lost,
                                                        if_there(p.longest_gap)};
    });
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

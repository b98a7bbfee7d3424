#include "analysis/fluid/offered_load.hh"
#include "analysis/statistics/distribution.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/request_file.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/simulate/simulate.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

struct TraceOptions
{
    std::string file;
    RequestFileOptions reading;
    ClockArguments clock;
    std::int64_t memory = 0; ///< 0: not given
    bool json = false;
};

Json as_json(Distribution const& d)
{
    return {{"mean", d.mean}, {"min", d.min}, {"p50", d.p50}, {"p90", d.p90},
            {"p95", d.p95},   {"p99", d.p99}, {"max", d.max}};
}

/// The load that requests put on a server of that memory and clock; null where their times do not
/// say it.
Json load_of(Trace const& trace, Tokens memory, Clock const& clock)
{
    if (memory == 0 || trace.requests.size() < 2) return nullptr;
    bool const timed =
        clock.affine() ? trace.times != TraceTimes::none : trace.times == TraceTimes::of_clock;
    if (!timed) return nullptr;
    OfferedWork work;
    auto first = trace.requests.front().arrival, last = first;
    for (auto const& r : trace.requests) {
        work.add(r.prompt, r.output);
        first = std::min(first, r.arrival);
        last = std::max(last, r.arrival);
    }
    if (first == last) return nullptr;
    auto const n = static_cast<double>(trace.requests.size());
    auto const span = static_cast<double>(last - first) * n / (n - 1);
    return least_busy_time(work, memory, clock) / span;
}

Json describe(Trace const& trace, TraceOptions const& options, Clock const& clock)
{
    Json out{{"file", options.file},
             {"format", trace.format.empty() ? "generic" : trace.format},
             {"form", trace.form},
             {"columns", Json::object()},
             {"unused", trace.unused},
             {"rows", trace.rows},
             {"used", trace.requests.size()},
             {"left_out", Json::object()}};
    for (auto const& [what, column] : trace.columns) out["columns"][what] = column;
    for (auto const& [reason, rows] : trace.left_out) out["left_out"][reason] = rows;
    bool const on_clock = trace.times == TraceTimes::of_clock;
    out["times"] = trace.times == TraceTimes::none ? Json()
                   : on_clock                      ? Json(clock.affine() ? "nanoseconds" : "rounds")
                                                   : Json(trace.times_as);
    out["ascending"] = trace.ascending;
    if (!trace.windows.empty()) {
        out["times"] = "seconds";
        out["used"] = trace.windows.size();
        out["span_s"] = trace.span_seconds();
        double arrivals = 0;
        for (std::size_t k = 0; k < trace.windows.size(); ++k) {
            auto const next = k + 1 < trace.windows.size() ? k + 1 : k;
            auto const from = next > k ? k : k - 1;
            arrivals +=
                trace.windows[k].rate * 1e-9 *
                static_cast<double>(trace.windows[from + 1].begin - trace.windows[from].begin);
        }
        out["arrivals"] = arrivals;
        out["prompt"] = out["output"] = nullptr;
        return out;
    }
    std::vector<double> prompts, outputs, arrivals;
    for (auto const& r : trace.requests) {
        prompts.push_back(r.prompt);
        outputs.push_back(r.output);
        arrivals.push_back(static_cast<double>(r.arrival));
    }
    auto const n = static_cast<double>(prompts.size());
    auto const times = distribution_of(arrivals);
    auto const span = times.max - times.min;
    bool const in_seconds = trace.times == TraceTimes::nanoseconds || (on_clock && clock.affine());
    out["span_s"] = in_seconds ? Json(span / 1e9) : Json();
    out["rate_per_s"] = in_seconds && span > 0 ? Json((n - 1) * 1e9 / span) : Json();
    if (on_clock && !clock.affine()) out["span_rounds"] = span;
    out["prompt"] = as_json(distribution_of(prompts));
    out["output"] = as_json(distribution_of(outputs));
    if (options.memory > 0) {
        out["memory"] = options.memory;
        out["load"] = load_of(trace, options.memory, clock);
    }
    return out;
}

std::string as_text(Json const& all)
{
    auto text = fmt::format("{}: {}, format {}\n", all["file"].get<std::string>(),
                            all["form"].get<std::string>(), all["format"].get<std::string>());
    text += fmt::format("  rows      {}, used {}\n", all["rows"].get<std::int64_t>(),
                        all["used"].get<std::int64_t>());
    for (auto const& [reason, rows] : all["left_out"].items())
        text += fmt::format("  left out  {} with: {}\n", rows.get<std::int64_t>(), reason);
    for (auto const& [what, column] : all["columns"].items())
        text += fmt::format("  {:<9} column {}{}\n", what, column.get<std::string>(),
                            what == "arrival" ? ", " + all["times"].get<std::string>() : "");
    for (auto const& column : all["unused"])
        text += fmt::format("  not used  column {}\n", column.get<std::string>());
    if (!all["ascending"].get<bool>()) text += "  order     rows are not in the order of time\n";
    if (all.contains("span_rounds"))
        text += fmt::format("  span      {:.6g} rounds\n", all["span_rounds"].get<double>());
    if (!all["span_s"].is_null()) {
        text += fmt::format("  span      {:.6g} s", all["span_s"].get<double>());
        if (all.contains("rate_per_s") && !all["rate_per_s"].is_null())
            text += fmt::format(", {:.4g} requests/s", all["rate_per_s"].get<double>());
        if (all.contains("arrivals"))
            text += fmt::format(", {:.6g} arrivals on average", all["arrivals"].get<double>());
        text += "\n";
    }
    for (char const* part : {"prompt", "output"}) {
        auto const& d = all[part];
        if (d.is_null()) continue;
        text += fmt::format("  {:<9} mean {:.6g}", part, d["mean"].get<double>());
        for (char const* key : {"min", "p50", "p90", "p95", "p99", "max"})
            text += fmt::format(", {} {:.0f}", key, d[key].get<double>());
        text += " tokens\n";
    }
    if (all.contains("load"))
        text +=
            all["load"].is_null()
                ? std::string("  load      not known: it needs times and, for seconds, a clock\n")
                : fmt::format("  load      {:.4g} of what M = {} can do{}\n",
                              all["load"].get<double>(), all["memory"].get<std::int64_t>(),
                              all["load"].get<double>() > 1 ? ": unstable under every policy" : "");
    return text;
}

void run_trace_command(TraceOptions const& options)
{
    auto const clock = clock_argument(options.clock, std::max<std::int64_t>(options.memory, 1));
    auto trace = read_trace(options.file, options.reading.reading(clock.affine()));
    if (options.memory > 0 && trace.windows.empty()) {
        drop_unfit(trace, options.memory, false);
        if (trace.requests.empty())
            throw InputError(options.file +
                             ": no request fits in M = " + std::to_string(options.memory));
    }
    auto const all = describe(trace, options, clock);
    // A name in the file may be in any encoding, and JSON is UTF-8.
    write_stdout(options.json ? all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"
                              : printable(as_text(all)));
}

} // namespace

void add_trace_command(CLI::App& app)
{
    Command const command(app, "trace", "What a file of requests would be read as, before a run");
    command->footer("Rows, columns, times, percentiles of lengths by nearest rank, and the load it "
                    "puts on a\nserver of --memory tokens with a clock; a load above 1 is unstable "
                    "under every policy.\n"
                    "Example: crx trace conversations.csv\n"
                    "         crx trace trace.jsonl.gz --memory 16492 --clock llama2-70b-2xa100");
    auto const options = std::make_shared<TraceOptions>();
    command->add_option("FILE", options->file, "CSV, TSV, JSON lines or list; gzip or zstd too")
        ->required();
    command->add_option("--memory", options->memory, "M, tokens: leave out what can never fit")
        ->check(whole_number<std::int64_t>(1, INT32_MAX));
    add_clock_options(command, options->clock);
    add_request_file_options(command, options->reading);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run_trace_command(*options); });
}

} // namespace crx

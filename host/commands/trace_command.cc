#include "analysis/fluid/fit_clock.hh"
#include "analysis/statistics/quantile.hh"
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
    bool json = false, fit_clock = false;
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
    auto const load = load_of(trace.requests, memory, clock);
    return load ? Json(*load) : Json();
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

/// The clock fitted to a trace of measured requests, and fcfs on it beside what was measured.
Json fit_of(Trace const& trace, TraceOptions const& options)
{
    auto const& m = trace.measured;
    auto const n = trace.requests.size();
    if (m.scheduled.size() != n || m.queued.size() != n || m.first_token.size() != n ||
        m.last_token.size() != n)
        throw InputError(options.file + ": --fit-clock needs measured requests (format vllm): "
                                        "queued_ts, scheduled_ts, first_token_ts, last_token_ts");
    if (options.memory == 0)
        throw ConfigError("command line", "--memory", "",
                          "given with --fit-clock: the tokens that the server can hold");
    std::vector<MeasuredRequest> requests;
    std::vector<double> latency, first;
    for (std::size_t i = 0; i < n; ++i) {
        requests.push_back({trace.requests[i].prompt, trace.requests[i].output, m.scheduled[i],
                            m.first_token[i], m.last_token[i]});
        latency.push_back(static_cast<double>(m.last_token[i] - m.queued[i]) / 1e9);
        first.push_back(static_cast<double>(m.first_token[i] - m.queued[i]) / 1e9);
    }
    auto const fit = fit_clock(requests);
    Json out{{"rows", fit.rows}, {"rms_ns", fit.rms}, {"explained", fit.explained}};
    for (int k = 0; k < 4; ++k) out[fmt::format("d{}", k)] = fit.cost[static_cast<std::size_t>(k)];
    out["measured_round_ns"] = fit.measured;
    out["fitted_round_ns"] = fit.fitted;
    ClockArguments given;
    for (std::size_t k = 0; k < 4; ++k) given.cost[k] = fit.cost[k];
    auto const clock = clock_argument(given, options.memory);
    SimulateRequest const request{"fcfs", "", {}, clock, 0, 0};
    auto const instance = instance_of(trace.requests, options.memory, clock);
    auto const run = simulate(request, instance, {}, options.file);
    std::vector<double> run_latency, run_first;
    for (std::size_t i = 0; i < n; ++i) {
        run_latency.push_back(static_cast<double>(run.completion[i] - instance.arrival[i]) / 1e9);
        run_first.push_back(static_cast<double>(run.first_token[i] - instance.arrival[i]) / 1e9);
    }
    out["latency_s"] = {{"measured", as_json(distribution_of(latency))},
                        {"fcfs", as_json(distribution_of(run_latency))}};
    out["first_token_s"] = {{"measured", as_json(distribution_of(first))},
                            {"fcfs", as_json(distribution_of(run_first))}};
    return out;
}

std::string fit_text(Json const& fit)
{
    auto const number = [&](char const* key) { return fit[key].get<double>(); };
    auto text = fmt::format("  clock     --d0 {:.0f} --d1 {:.4f} --d2 {:.2f} --d3 {:.1f}, by least "
                            "squares over {} mean rounds, explains {:.3g} of their variance\n",
                            number("d0"), number("d1"), number("d2"), number("d3"),
                            fit["rows"].get<std::int64_t>(), number("explained"));
    for (char const* what : {"latency_s", "first_token_s"})
        for (char const* who : {"measured", "fcfs"}) {
            auto const& d = fit[what][who];
            text +=
                fmt::format("  {:<14} {:<9} mean {:.4g} s, p50 {:.4g}, p90 {:.4g}, p99 {:.4g}\n",
                            what, who, d["mean"].get<double>(), d["p50"].get<double>(),
                            d["p90"].get<double>(), d["p99"].get<double>());
        }
    return text;
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
    if (!all["prompt"].is_null() && !all["columns"].contains("arrival"))
        text += "  arrival   none, all arrive at 0\n";
    for (auto const& column : all["unused"]) {
        auto const name = column.get<std::string>();
        text += "  not used  column " + (name.empty() ? "without a name" : name) + "\n";
    }
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
    if (all.contains("fit")) text += fit_text(all["fit"]);
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
    auto all = describe(trace, options, clock);
    if (options.fit_clock) all["fit"] = fit_of(trace, options);
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
    add_reading_options(command, options->reading);
    command->add_flag("--fit-clock", options->fit_clock,
                      "Fit d0 to d3 to measured requests, and replay them by fcfs in --memory");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run_trace_command(*options); });
}

} // namespace crx

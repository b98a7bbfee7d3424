#include "host/commands/request_file.hh"

#include "analysis/fluid/offered_load.hh"
#include "host/error.hh"
#include "host/experiment/arrivals.hh"
#include "host/input/text_file.hh"
#include "host/input/trace_format.hh"
#include "host/say.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {

TraceReading RequestFileOptions::reading(bool on_a_clock) const
{
    TraceReading out;
    out.format = format;
    out.unit = unit;
    out.with_times = !at_zero;
    if (on_a_clock) out.latest_arrival = 4'000'000'000'000'000'000;
    for (std::size_t start = 0; start < columns.size();) {
        auto const end = std::min(columns.find(',', start), columns.size());
        auto const part = columns.substr(start, end - start);
        auto const sign = part.find('=');
        auto const name = part.substr(0, sign);
        auto* const target = name == "prompt"    ? &out.prompt
                             : name == "output"  ? &out.output
                             : name == "arrival" ? &out.arrival
                                                 : nullptr;
        if (sign == std::string::npos || target == nullptr || sign + 1 == part.size())
            throw ConfigError("command line", "--columns", columns,
                              "prompt=COLUMN,output=COLUMN,arrival=COLUMN or some of these");
        *target = part.substr(sign + 1);
        start = end + 1;
    }
    return out;
}

namespace {

char const* const group = "How the file is read";

} // namespace

void add_reading_options(Command const& command, RequestFileOptions& options)
{
    std::string formats;
    for (auto const& name : trace_format_names()) formats += (formats.empty() ? "" : ", ") + name;
    command
        .add_option("--format", options.format, "Kind of trace, else by its columns: " + formats)
        ->one_of(trace_format_names())
        ->group(group);
    command
        .add_option("--columns", options.columns,
                    "Columns by name: prompt=A,output=B,arrival=C or some of these")
        ->group(group);
    command.add_option("--unit", options.unit, "Unit of times that are numbers: ns, us, ms or s")
        ->one_of({"ns", "us", "ms", "s"})
        ->group(group);
    command
        .add_flag("--at-zero", options.at_zero, "Every request arrives at 0; times are not read")
        ->group(group);
}

void add_request_file_options(Command const& command, RequestFileOptions& options)
{
    add_reading_options(command, options);
    command
        .add_option("--offered-load", options.offered_load,
                    "Scale arrivals so that the work that comes is this share of what memory and "
                    "clock can do")
        ->group(group);
    command
        .add_flag("--drop-unfit", options.drop_unfit,
                  "Leave out requests that can never fit in M, else refused")
        ->group(group);
}

void add_clock_options(Command const& command, ClockArguments& clock)
{
    command.add_option("--clock", clock.profile,
                       "Affine clock of a machine profile (docs/profiles.md)");
    static constexpr std::pair<char const*, char const*> costs[] = {
        {"--d0", "Own affine clock: nanoseconds of a round"},
        {"--d1", "Nanoseconds of a token held"},
        {"--d2", "Nanoseconds of a prompt token"},
        {"--d3", "Nanoseconds of a running request; else 0"}};
    for (std::size_t k = 0; k < std::size(costs); ++k)
        command.add_option(costs[k].first, clock.cost[k], costs[k].second);
}

void drop_unfit(Trace& trace, Tokens memory, bool plans_with_upper)
{
    auto const before = trace.requests.size();
    std::erase_if(trace.requests, [&](Request const& r) {
        return Tokens{r.prompt} + (plans_with_upper ? r.upper : r.output) > memory;
    });
    if (auto const gone = before - trace.requests.size(); gone > 0)
        trace.left_out.emplace_back("does not fit M", static_cast<std::int64_t>(gone));
}

std::optional<double> load_of(std::vector<Request> const& requests, Tokens memory,
                              Clock const& clock)
{
    if (requests.empty()) return {};
    OfferedWork work;
    for (auto const& r : requests) work.add(r.prompt, r.output);
    auto const [first, last] = std::ranges::minmax(requests, {}, &Request::arrival);
    if (first.arrival == last.arrival) return {};
    auto const n = static_cast<double>(requests.size());
    auto const span = static_cast<double>(last.arrival - first.arrival) * n / (n - 1);
    return least_busy_time(work, memory, clock) / span;
}

namespace {

void scale_to_load(Trace& trace, double wanted, Tokens memory, Clock const& clock)
{
    auto const load = load_of(trace.requests, memory, clock);
    if (!(wanted > 0) || !load)
        throw ConfigError("command line", "--offered-load", fmt::format("{}", wanted),
                          load ? "a number above 0"
                               : "left out: all requests arrive at once, so there is no load");
    auto const speed = std::llround(1e9 * wanted / *load);
    if (speed < 1000 || speed > 1'000'000'000'000'000)
        throw ConfigError("command line", "--offered-load", fmt::format("{}", wanted),
                          "a load that the file has at a speed from 1e-6 to 1e6");
    for (auto& request : trace.requests) request.arrival = trace_instant(request.arrival, speed);
}

} // namespace

Trace read_requests_for(std::filesystem::path const& file, RequestFileOptions const& options,
                        Clock const& clock, Tokens memory, bool plans_with_upper)
{
    auto trace = read_trace(file, options.reading(clock.affine()));
    if (!trace.windows.empty())
        throw InputError(file.string() + ": has windows of arrival rates and no requests; a sweep "
                                         "reads it as [workload.arrivals] rates = { file = .. }");
    if (trace.times == TraceTimes::nanoseconds && !clock.affine())
        throw InputError(
            file.string() + ": arrivals are in " + trace.times_as +
            ", and rounds have no length in seconds\n  " +
            (options.takes_clock
                 ? "a clock gives them one: --clock PROFILE, or --d0, --d1, --d2; --at-zero"
                 : "--at-zero") +
            " lets all arrive at 0");
    if (options.drop_unfit) {
        drop_unfit(trace, memory, plans_with_upper);
        if (trace.requests.empty())
            throw InputError(file.string() + ": no request fits in M = " + std::to_string(memory));
    }
    if (is_worth_saying(trace)) say(trace_line(trace, file));
    check_fits(trace.requests, file, memory, plans_with_upper);
    if (options.offered_load) scale_to_load(trace, *options.offered_load, memory, clock);
    if (options.offered_load || trace.times == TraceTimes::nanoseconds)
        if (auto const load = load_of(trace.requests, memory, clock); load > 1)
            say(fmt::format("{}: a load of {:.4g} of what M = {} can do: unstable under every "
                            "policy",
                            file.filename().string(), *load, memory));
    return trace;
}

bool is_run_file(std::filesystem::path const& file)
{
    if (file.extension() != ".json") return false;
    LineReader lines(file);
    lines.set_longest(64u << 20);
    std::string_view line;
    do {
        if (!lines.next(line)) return true; // read as a run, which says what is wrong
    } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
    if (line[line.find_first_not_of(" \t\r")] == '[') return false;
    auto const first = nlohmann::json::parse(line, nullptr, false);
    return !first.is_object() || first.contains("requests") || first.contains("groups");
}

} // namespace crx

#include "host/bench/bench_cases.hh"
#include "host/bench/card_report.hh"
#include "host/bench/growth.hh"
#include "host/bench/python_loop.hh"
#include "host/bench/search_cases.hh"
#include "host/bench/trace_cases.hh"
#include "host/bench/two_threads.hh"
#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tbb/global_control.h>

namespace crx {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct BenchOptions
{
    int budget = 60;
    bool growth = false, json = false, threads = false, search = false, card = false;
    std::int64_t instances = CardBenchEffort{}.instances, scale = 1;
    std::string json_file;
    std::vector<std::string> traces; ///< none or two files
};

/// One measured row: an engine or a peer on one policy of one case.
struct Row
{
    std::string policy, contender;
    Timing timing;
    double against_loop = 0, against_python = 0; ///< times faster; 0: not compared
};

OrderedJson as_json(Row const& row)
{
    OrderedJson object{{"policy", row.policy},
                       {"contender", row.contender},
                       {"seconds", row.timing.seconds},
                       {"seconds_quartiles", {row.timing.low, row.timing.high}},
                       {"instances_per_second", 1 / row.timing.seconds},
                       {"repetitions", row.timing.repetitions}};
    if (row.timing.events > 0)
        object["ns_per_event"] = 1e9 * row.timing.seconds / row.timing.events;
    if (row.against_loop > 0) object["times_cpp_loop"] = row.against_loop;
    if (row.against_python > 0) object["times_python_loop"] = row.against_python;
    return object;
}

std::string as_text(Row const& row)
{
    auto const& t = row.timing;
    auto const optional = [](double x, char const* form) {
        return x > 0 ? fmt::format(fmt::runtime(form), x) : std::string("-");
    };
    return fmt::format(
        "{:<7} {:<26} {:>11.2f} {:>8.2f} .. {:<10.2f} {:>11.4g} {:>9} {:>9} {:>10}\n", row.policy,
        row.contender, 1e6 * t.seconds, 1e6 * t.low, 1e6 * t.high, 1 / t.seconds,
        optional(t.events > 0 ? 1e9 * t.seconds / t.events : 0, "{:.1f}"),
        optional(row.against_loop, "{:.4g}"), optional(row.against_python, "{:.4g}"));
}

constexpr char const* heading =
    "policy  what                          us, median   quartiles            instances/s  "
    "ns/event  x C++     x Python\n";

/// Ours beside the faster variant of the C++ loop, in turns.
std::vector<Row> compare(char const* policy, std::vector<Contender> contenders, double budget,
                         PythonLoop const& python)
{
    auto const timings = measure(contenders, budget);
    auto loop = 1e300;
    for (std::size_t k = 0; k < timings.size(); ++k)
        if (contenders[k].name.starts_with("C++ loop")) loop = std::min(loop, timings[k].seconds);
    auto const slow = python.seconds.find(policy);
    std::vector<Row> rows;
    for (std::size_t k = 0; k < timings.size(); ++k) {
        Row row{policy, contenders[k].name, timings[k]};
        if (!contenders[k].name.starts_with("C++ loop")) {
            row.against_loop = loop / timings[k].seconds;
            if (slow != python.seconds.end())
                row.against_python = slow->second / timings[k].seconds;
        }
        rows.push_back(row);
    }
    if (slow != python.seconds.end())
        rows.push_back(
            {policy, "Python loop (NumPy)", {slow->second, slow->second, slow->second, 0, 3}});
    return rows;
}

std::vector<Row> two_point(double budget, PythonLoop const& python)
{
    auto const workload = two_point_workload(10'000, 10'000, 10, 100);
    std::vector<Row> rows;
    for (auto const& [name, kind] : bench_policies) {
        auto const more =
            compare(name,
                    {engine_contender("cohort engine", workload, kind, RandomLaw::cohort),
                     engine_contender("request engine", workload, kind, RandomLaw::request),
                     loop_contender("C++ loop, early exit", workload, kind, false),
                     loop_contender("C++ loop, branch-free", workload, kind, true)},
                    budget / static_cast<double>(std::size(bench_policies)), python);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

std::vector<Row> jaillet(double budget)
{
    return compare("mc-sf",
                   {engine_contender("request engine", jaillet_workload(), ShortestFirst::kind,
                                     RandomLaw::request),
                    jaillet_loop_contender("C++ loop, early exit", false),
                    jaillet_loop_contender("C++ loop, branch-free", true)},
                   budget, {});
}

/// Neighbours of the search for worst instances.
std::vector<Row> search_rows(double budget)
{
    std::vector<Row> rows;
    auto const add = [&](char const* policy, SearchCase which) {
        auto const more = compare(policy, search_contenders(which), budget / 3, {});
        rows.insert(rows.end(), more.begin(), more.end());
    };
    add("mc-sf", SearchCase::over_opt);
    add("a-max", SearchCase::over_h_sf);
    add("a-min", SearchCase::draws_over_h_sf);
    return rows;
}

/// mc-sf and a-min on 2,000 requests of two traces.
std::vector<Row> mixed_traces(std::vector<std::string> const& files, double budget)
{
    auto workload = trace_workload(files[0], files[1]);
    std::vector<Row> rows;
    auto const add = [&](std::string const& interval, PolicyKind kind) {
        auto const title = [&](char const* name) {
            return interval.empty() ? name : fmt::format("{}, {}", name, interval);
        };
        auto const more =
            compare(kind == ShortestFirst::kind ? "mc-sf" : "a-min",
                    {trace_engine_contender(title("request engine"), workload, kind),
                     trace_loop_contender(title("C++ loop, early exit"), workload, kind, false),
                     trace_loop_contender(title("C++ loop, branch-free"), workload, kind, true)},
                    budget / static_cast<double>(1 + std::size(trace_intervals)), {});
        rows.insert(rows.end(), more.begin(), more.end());
    };
    add("", ShortestFirst::kind);
    for (auto const& [name, rule] : trace_intervals) {
        workload.interval = rule;
        add(name, MinLength::kind);
    }
    return rows;
}

/// Two threads against one: JAILLET's shape, and a two-point sweep by cohorts.
void report_threads(double budget, OrderedJson& json, std::string& text)
{
    text += "\ntwo threads against one (wall time, the best of each), beside plain arithmetic on "
            "this machine\n";
    json["two_threads"] = OrderedJson::array();
    auto const add = [&](char const* name, Workload const& workload, RandomLaw engine,
                         std::int64_t instances) {
        Cell cell;
        cell.workload = workload;
        for (auto const& policy : bench_policies)
            if (engine == RandomLaw::cohort || policy.kind == ShortestFirst::kind)
                cell.policies.push_back({policy.kind, {}});
        cell.laws.assign(cell.policies.size(), engine);
        auto const scaling = measure_two_threads(cell, instances, budget / 2);
        text += fmt::format("{:<32} {:.2f} times; arithmetic {:.2f}; by processor time {:.2f}\n",
                            name, scaling.engine, scaling.machine, scaling.by_processor_time);
        json["two_threads"].push_back({{"case", name},
                                       {"times", scaling.engine},
                                       {"times_arithmetic", scaling.machine},
                                       {"times_by_processor_time", scaling.by_processor_time},
                                       {"turns", scaling.turns}});
    };
    add("JAILLET's shape, mc-sf", jaillet_workload(), RandomLaw::request, 300'000);
    add("two-point by cohorts, 4 policies", two_point_workload(10'000, 10'000, 10, 100),
        RandomLaw::cohort, 480);
}

/// A table for each size that grows: microseconds an instance, and the exponents fitted.
void report_growth(double budget, OrderedJson& json, std::string& text)
{
    text +=
        fmt::format("\ngrowth, two-point, l = u/10, half short; sizes not named: n = M = 10^4, u = "
                    "100. Microseconds an\ninstance; exponent of a power of the size by least "
                    "squares, of all sizes and from {:g} on; -: no time left\n",
                    large_size);
    auto const exponent = [](std::optional<double> const& e) {
        return e ? fmt::format("{:>7.2f}", *e) : fmt::format("{:>7}", "-");
    };
    auto list = OrderedJson::array();
    std::string along;
    for (auto const& growth : measure_growth(budget)) {
        if (growth.along != along) {
            along = growth.along;
            text += fmt::format("\n{:<15}", along + " =");
            for (auto const size : growth.size) text += fmt::format("{:>9.3g}", size);
            for (auto const size : growth.left_out) text += fmt::format("{:>9.3g}", size);
            text += "    all  large\n";
        }
        text += fmt::format("{:<6} {:<8}", growth.policy, growth.engine);
        for (auto const seconds : growth.seconds) text += fmt::format("{:>9.3g}", 1e6 * seconds);
        for (std::size_t k = 0; k < growth.left_out.size(); ++k) text += fmt::format("{:>9}", "-");
        text += exponent(growth.exponent) + exponent(growth.large_exponent) + "\n";
        list.push_back({{"policy", growth.policy},
                        {"engine", growth.engine},
                        {"along", growth.along},
                        {"sizes", growth.size},
                        {"seconds", growth.seconds},
                        {"sizes_left_out", growth.left_out}});
        if (growth.exponent) list.back()["exponent"] = *growth.exponent;
        if (growth.large_exponent) list.back()["exponent_from_10000"] = *growth.large_exponent;
    }
    json["growth"] = list;
}

void run_card_bench(BenchOptions const& options)
{
    if (auto const device = find_device(); device.name.empty())
        throw InputError("--card needs a CUDA device: " + device.reason);
    auto const comparisons =
        bench_card({static_cast<double>(options.budget), options.instances, options.scale});
    auto const json = card_bench_json(comparisons).dump(1) + "\n";
    write_stdout(options.json ? json : card_bench_text(comparisons));
    if (!options.json_file.empty()) write_file(options.json_file, json);
    if (auto const failures = card_bench_failures(comparisons); failures > 0)
        throw RunError(std::to_string(failures) + " of the engines on the GPU failed or gave " +
                       "other sums than the cores");
}

void run_bench_command(BenchOptions const& options)
{
    if (options.card) return run_card_bench(options);
    if (!options.traces.empty()) trace_workload(options.traces[0], options.traces[1]); // errors now
    OrderedJson json{{"instruction_set_of_the_cpp_loop", loop_instruction_set()}, {"threads", 1}};
    std::string text;
    if (options.threads) report_threads(options.budget / 4.0, json, text);
    tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
    auto const python = run_python_loop(10'000, 10'000, 10, 100, 3);
    double const budget = options.budget / (options.growth ? 2.0 : 1.0);
    text = fmt::format("one thread, processor time; the C++ loop is compiled -O3 for "
                       "{}\n",
                       loop_instruction_set()) +
           text;
    if (!python.absent.empty()) {
        text += "Python loop left out: " + python.absent + "\n";
        json["python_absent_because"] = python.absent;
    }
    auto const add = [&](char const* id, char const* title, std::vector<Row> const& rows) {
        text += fmt::format("\n{}\n{}", title, heading);
        json[id] = OrderedJson::array();
        for (auto const& row : rows) {
            text += as_text(row);
            json[id].push_back(as_json(row));
        }
    };
    add("two_point", "two-point, n = M = 10^4, l = 10, u = 100, half short",
        two_point(budget * 0.8, python));
    add("jaillet", "JAILLET's shape: n = 50, M = 40, prompts 1 .. 5, outputs 1 .. 35, all at 0",
        jaillet(budget * 0.2));
    if (!options.traces.empty())
        add("traces", "2,000 requests of two traces, M = 16492",
            mixed_traces(options.traces, budget * 0.3));
    if (options.search)
        add("search", "search for worst instances, n <= 8, M <= 16: an instance is a neighbour",
            search_rows(budget * 0.2));
    if (options.growth) report_growth(budget, json, text);
    write_stdout(options.json ? json.dump(1) + "\n" : text);
}

} // namespace

void add_bench_command(CLI::App& app)
{
    Command const command(
        app, "bench", "Time the engines beside plain round loops in C++ and Python, in one run");
    command->footer("Ratios against the better of two forms of the C++ loop. What each number "
                    "means: docs/performance.md.\n"
                    "Example: crx bench --growth --budget 120");
    auto const options = std::make_shared<BenchOptions>();
    command->add_option("--budget", options->budget, "About how many seconds to take")
        ->check(whole_number(1, 86400))
        ->capture_default_str();
    command->add_flag("--growth", options->growth,
                      "Also how time grows with n, M and u, each engine and policy");
    command->add_flag("--threads", options->threads, "Also two threads beside one");
    command
        ->add_option(
            "--traces", options->traces,
            "Two CSV files, of conversations and of summaries: also 1,600 and 400 requests "
            "of them")
        ->expected(2)
        ->existing_file();
    command->add_flag("--search", options->search,
                      "Also neighbours of crx search beside a loop over crx simulate's work");
    auto const card = command->add_flag(
        "--card", options->card,
        "In place of all this: every engine of a CUDA device beside all cores, and where its time "
        "goes");
    command
        ->add_option("--instances", options->instances,
                     "With --card: instances of the first launch of each engine; later ones grow")
        ->check(whole_number<std::int64_t>(1, 1'000'000))
        ->capture_default_str()
        ->needs(card);
    command
        ->add_option("--scale", options->scale,
                     "With --card: divide n and M of the larger cases by this, for a slow device")
        ->check(whole_number<std::int64_t>(1, 500))
        ->capture_default_str()
        ->needs(card);
    command
        ->add_option("--json-file", options->json_file,
                     "With --card: also write what --json prints to this file")
        ->needs(card);
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run_bench_command(*options); });
}

} // namespace crx

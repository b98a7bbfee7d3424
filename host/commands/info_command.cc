#include "host/commands/commands.hh"

#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/lmsys_like.hh"
#include "host/build_info.hh"
#include "host/commands/command_line.hh"
#include "host/commands/info_engines.hh"
#include "host/input/trace_rows.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace crx {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array<double, 7> shown_quantiles{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

OrderedJson quantiles_of(TabulatedLaw const& law)
{
    OrderedJson out;
    for (double p : shown_quantiles) out.push_back(quantile_of(law, p));
    return out;
}

/// The law of a row drawn from the trace.
TabulatedLaw law_of(std::vector<std::int32_t> rows)
{
    std::sort(rows.begin(), rows.end());
    std::vector<std::int32_t> value;
    std::vector<Real> mass;
    for (auto length : rows) {
        if (value.empty() || value.back() != length) {
            value.push_back(length);
            mass.emplace_back(0);
        }
        mass.back() += 1;
    }
    return tabulate_masses(value, mass);
}

OrderedJson describe(TabulatedLaw const& law)
{
    auto const moments = moments_of(law);
    return {{"least", law.value.front()},   {"largest", law.value.back()},
            {"mean", moments.mean},         {"median", quantile_of(law, 0.5)},
            {"variance", moments.variance}, {"quantiles", quantiles_of(law)}};
}

OrderedJson describe(LmsysLaw const& entry)
{
    auto const& law = tabulate_lmsys(entry.source, entry.part);
    OrderedJson out{{"law", "lmsys-like"},
                    {"source", entry.id},
                    {"part", entry.part == LmsysPart::prompt ? "prompt" : "output"},
                    {"fitted", describe(law)}};
    auto const& published = entry.published;
    if (entry.bin > 0) {
        out["published"] = {{"largest", published.largest}, {"bins", entry.bins}};
    } else {
        auto const moments = moments_of(law);
        auto const& fit = lmsys_fit(entry);
        out["published"] = {{"largest", published.largest},
                            {"mean", published.mean},
                            {"median", published.median},
                            {"variance", published.variance}};
        out["error"] = {{"mean", moments.mean - published.mean},
                        {"median", quantile_of(law, 0.5) - published.median},
                        {"variance", moments.variance - published.variance}};
        out["parameters"] = {{"shape", static_cast<double>(fit.shape)},
                             {"scale", static_cast<double>(exp(fit.log_scale))},
                             {"power", static_cast<double>(fit.power)}};
        // The law says little of the largest of a sample, so it is shown apart.
        out["median_largest_of_sample"] =
            quantile_of(law, std::pow(0.5, 1.0 / entry.conversations));
    }
    if (!entry.borrowed.empty()) out["borrowed"] = entry.borrowed;
    return out;
}

void print_row(std::string const& source, OrderedJson const& of, std::string const& part)
{
    fmt::print("{:<25}{:<8}{:>9.2f}{:>8}{:>11.1f} ", source, part, of["mean"].get<double>(),
               of["median"].get<int>(), of["variance"].get<double>());
    for (auto const& q : of["quantiles"]) fmt::print("{:>6}", q.get<int>());
    fmt::print("{:>8}\n", of["largest"].get<int>());
}

void print_law(OrderedJson const& all)
{
    fmt::print("{:<25}{:<8}{:>9}{:>8}{:>11} ", "law", "part", "mean", "median", "variance");
    for (double p : shown_quantiles) fmt::print("{:>6}", fmt::format("{:g}%", 100 * p));
    fmt::print("{:>8}\n", "largest");
    for (auto const& row : all["laws"]) {
        auto const part = row["part"].get<std::string>();
        print_row("lmsys-like " + row["source"].get<std::string>(), row["fitted"], part);
        auto const& published = row["published"];
        if (row.contains("error")) {
            fmt::print("{:<25}{:<8}{:>9.2f}{:>8}{:>11.1f} {:>50}\n", "  published", "",
                       published["mean"].get<double>(), published["median"].get<int>(),
                       published["variance"].get<double>(), published["largest"].get<int>());
            auto const& error = row["error"];
            fmt::print("{:<25}{:<8}{:>9.1e}{:>8}{:>11.1e}   largest of a sample like the "
                       "source's: {}\n",
                       "  law - published", "", error["mean"].get<double>(),
                       error["median"].get<int>(), error["variance"].get<double>(),
                       row["median_largest_of_sample"].get<int>());
            auto const& fit = row["parameters"];
            fmt::print("  P(k) ~ k^{:.6f} exp(-(k / {:.6f})^{:.6f})\n",
                       fit["shape"].get<double>() - 1, fit["scale"].get<double>(),
                       fit["power"].get<double>());
        } else {
            fmt::print("  published: bins of 50 in the ratio");
            for (auto const& weight : published["bins"]) fmt::print(" {}", weight.get<int>());
            fmt::print("; exact\n");
        }
        if (row.contains("borrowed")) fmt::print("  {}\n", row["borrowed"].get<std::string>());
    }
    for (auto const* part : {"prompt", "output"})
        if (all.contains("trace")) print_row(all["trace"]["file"], all["trace"][part], part);
}

} // namespace

void report_laws(std::optional<std::filesystem::path> const& trace, bool json)
{
    OrderedJson all{{"laws", OrderedJson::array()}};
    for (auto const& entry : lmsys_catalogue) all["laws"].push_back(describe(entry));
    all["quantiles"] = shown_quantiles;
    if (trace) {
        TraceReading reading;
        reading.with_times = false;
        auto const rows = rows_of(read_trace(*trace, reading), *trace);
        std::int64_t empty = 0;
        for (auto const& left : rows.left_out) empty += left.second;
        all["trace"] = {{"file", trace->filename().string()},
                        {"rows", rows.prompt.size()},
                        {"zero_rows", empty},
                        {"prompt", describe(law_of(rows.prompt))},
                        {"output", describe(law_of(rows.output))}};
    }
    if (json)
        fmt::print("{}\n", all.dump(1));
    else
        print_law(all);
}

namespace {

#ifdef CRX_HAVE_CUDA
constexpr bool built_with_cuda = true;
#else
constexpr bool built_with_cuda = false;
#endif

void run_info_command(bool json)
{
    auto const device = find_device();
    auto const processors = std::thread::hardware_concurrency();
    if (json) {
        auto const& build = build_info();
        nlohmann::ordered_json const info{{"version", build.version},
                                          {"commit", build.commit},
                                          {"build_type", build.build_type},
                                          {"processors", processors},
                                          {"built_with_cuda", built_with_cuda},
                                          {"cuda_device", device.name},
                                          {"cuda_absent_because", device.reason}};
        fmt::print("{}\n", info.dump(1));
        return;
    }
    fmt::print("{}\n", build_text());
    fmt::print("processors: {}\n", processors);
    if (device.name.empty())
        fmt::print("CUDA: none ({}); sweeps run on the CPU\n", device.reason);
    else
        fmt::print("CUDA: {}\n", device.name);
}

} // namespace

void add_info_command(CLI::App& app)
{
    Command const command(app, "info", "Version, build, processors and accelerators");
    command->footer("Example: crx info --json\n"
                    "         crx info --laws --trace lengths.csv\n"
                    "         crx info --engines experiments/chen/chen_two_point_alpha.toml");
    auto const json = std::make_shared<bool>(false);
    auto const laws = std::make_shared<bool>(false);
    auto const trace = std::make_shared<std::string>();
    command->add_flag("--json", *json, "One JSON object");
    auto const wants_laws =
        command->add_flag("--laws", *laws, "The lmsys-like laws, how they fit what is published");
    command->add_option("--trace", *trace, "Beside them the lengths of a trace (CSV)")
        ->needs(wants_laws);
    struct EngineOptions
    {
        bool wanted = false;
        std::string experiment;
        std::vector<std::string> overrides;
    };
    auto const engines = std::make_shared<EngineOptions>();
    auto const wants_engines = command->add_flag(
        "--engines", engines->wanted, "The engines, or which of them run an experiment and why");
    auto const experiment =
        command->add_option("EXPERIMENT", engines->experiment, "Experiment file, for --engines");
    experiment->needs(wants_engines);
    command->add_option("--set", engines->overrides, "KEY=VALUE in place of the file's")
        ->allow_extra_args(false)
        ->needs(experiment);
    wants_engines->excludes("--laws");
    command->callback([json, laws, trace, engines] {
        if (engines->wanted && engines->experiment.empty())
            report_engines(*json);
        else if (engines->wanted)
            report_engines(Experiment::read(engines->experiment, engines->overrides), *json);
        else if (*laws)
            report_laws(trace->empty() ? std::nullopt
                                       : std::optional<std::filesystem::path>(*trace),
                        *json);
        else
            run_info_command(*json);
    });
}

} // namespace crx

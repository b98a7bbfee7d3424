#include "host/commands/info/law_report.hh"

#include "analysis/laws/law_summary.hh"
#include "analysis/laws/lmsys_like.hh"
#include "host/input/trace.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

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
        auto const rows = read_trace(*trace);
        all["trace"] = {{"file", trace->filename().string()},
                        {"rows", rows.prompt.size()},
                        {"zero_rows", rows.zero_rows},
                        {"prompt", describe(law_of(rows.prompt))},
                        {"output", describe(law_of(rows.output))}};
    }
    if (json)
        fmt::print("{}\n", all.dump(1));
    else
        print_law(all);
}

} // namespace crx

#include "host/build_info.hh"
#include "host/report/section.hh"
#include "host/sweep/progress.hh"
#include "kernels/base/counted.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crx::report {

namespace {

std::string fact(std::string const& name, std::string const& html)
{
    return "<dt>" + name + "</dt><dd>" + html + "</dd>\n";
}

struct Counts
{
    std::int64_t cells = 0, finished = 0, instances = 0;
};

/// Of a store that with_horizons() has split.
Counts counts_of(StoreContents const& contents)
{
    Counts counts;
    std::set<std::int64_t> seen;
    for (auto const& cell : contents.cells) {
        if (!seen.insert(cell.index).second) continue;
        ++counts.cells;
        counts.finished += cell.instances > 0 ? 1 : 0;
        counts.instances += cell.instances;
    }
    return counts;
}

std::string runs_table(StoreContents const& contents)
{
    std::vector<std::vector<TableCell>> rows;
    for (auto const& run : contents.runs)
        rows.push_back({{escaped(run.started)},
                        {duration_text(run.seconds), run.seconds},
                        {escaped(run.version)},
                        {"<code>" + escaped(run.commit) + "</code>"},
                        {escaped(run.build_type)},
                        {escaped(run.backend)},
                        {escaped(run.device)}});
    return table(
        "Runs of the program that made the store",
        {"first results (UTC)", "time spent", "version", "commit", "build", "backend", "machine"},
        rows);
}

} // namespace

std::string provenance_summary(ReportedStore const& store)
{
    auto const& header = store.contents.header;
    auto const counts = counts_of(store.contents);
    std::set<std::string> commits, machines;
    double seconds = 0;
    for (auto const& run : store.contents.runs) {
        commits.insert(run.commit);
        if (!run.device.empty()) machines.insert(run.device);
        seconds += run.seconds;
    }
    auto text = fmt::format("{}; {} of {} run; seed {}; {}", escaped(header.name), counts.finished,
                            counted(counts.cells, "cell"), header.seed, duration_text(seconds));
    if (!machines.empty())
        text += " on " + escaped(fmt::format("{}", fmt::join(machines, " and ")));
    if (!commits.empty())
        text += "; commit " + escaped(fmt::format("{}", fmt::join(commits, ", ")));
    return fmt::format("<p class=\"summary\">{}. <a href=\"#{}\">More</a></p>\n", text,
                       store.id("provenance"));
}

std::string provenance_section(ReportedStore const& store)
{
    auto const& header = store.contents.header;
    auto const counts = counts_of(store.contents);
    double seconds = 0;
    for (auto const& run : store.contents.runs) seconds += run.seconds;
    std::vector<std::string> labels;
    for (auto const& policy : header.policies) labels.push_back(escaped(policy.label));
    auto text = heading(store, "provenance", "Where the numbers come from") + "<dl>\n";
    text += fact("experiment", escaped(header.name));
    text += fact("store", "<code>" + escaped(store.name) + "</code>");
    text += fact("model", header.model == Model::rounds ? "rounds" : "iterations");
    text += fact("seed", std::to_string(header.seed));
    text += fact("policies", fmt::format("{}", fmt::join(labels, ", ")));
    if (!header.baselines.empty())
        text += fact("denominators", escaped(fmt::format("{}", fmt::join(header.baselines, ", "))));
    text += fact("size",
                 fmt::format("{}{}, {}", counted(counts.cells, "cell"),
                             counts.finished < counts.cells
                                 ? fmt::format(" ({} not run yet)", counts.cells - counts.finished)
                                 : "",
                             counted(counts.instances,
                                     header.model == Model::rounds ? "instance" : "path")));
    text +=
        fact("time spent",
             fmt::format("{} in {}", duration_text(seconds),
                         counted(static_cast<std::int64_t>(store.contents.runs.size()), "run")));
    text += fact("identity", "<code>" + escaped(identity_hash(header.identity)) + "</code>");
    text += fact("this page", escaped(build_text()));
    text += "</dl>\n";
    if (!store.contents.runs.empty()) text += runs_table(store.contents);
    text += "<details><summary>The experiment file</summary>\n<pre>" + escaped(header.text) +
            "</pre>\n";
    for (auto const& set : header.overrides) text += command("--set " + set) + "\n";
    return text + "</details>\n";
}

} // namespace crx::report

#include "host/report/report.hh"

#include "host/report/assets.hh"
#include "host/report/section.hh"
#include "host/results/path_points.hh"
#include "host/results/what_is_missing.hh"

#include <fmt/format.h>

namespace crx::report {

namespace {

/// Nothing but what is in the page may be loaded, whatever the texts of an experiment say.
constexpr std::string_view head_begin = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light">
)";

ReportedStore read_reported(std::filesystem::path const& file, std::size_t number, Notes& notes)
{
    ReportedStore store;
    store.name = file.string();
    auto contents = read_store(file);
    if (auto const missing = what_is_missing(contents, store.name); !missing.empty())
        notes.push_back(missing);
    store.contents = with_horizons(std::move(contents));
    store.experiment = read_stored_panels(store.contents, store.name);
    store.number = number;
    return store;
}

std::string contents_list(std::vector<ReportedStore> const& stores,
                          std::vector<std::string> const& bodies)
{
    static constexpr std::pair<std::string_view, std::string_view> parts[] = {
        {"panels", "Panels"},         {"policies", "Policies"},
        {"worst", "Worst instances"}, {"bounds", "Bounds"},
        {"claims", "Claims"},         {"provenance", "Where the numbers come from"}};
    std::string text = "<nav aria-label=\"Contents\">\n<ul>\n";
    for (std::size_t i = 0; i < stores.size(); ++i) {
        std::string links;
        for (auto const& [id, name] : parts) {
            auto const anchor = stores[i].id(std::string(id));
            if (bodies[i].find("<h3 id=\"" + anchor + "\">") != std::string::npos)
                links += fmt::format("{}<a href=\"#{}\">{}</a>", links.empty() ? "" : " · ", anchor,
                                     name);
        }
        text += stores.size() == 1
                    ? fmt::format("<li>{}</li>\n", links)
                    : fmt::format("<li><a href=\"#{}\">{}</a>: {}</li>\n", stores[i].id("top"),
                                  escaped(stores[i].title()), links);
    }
    return text + "</ul>\n</nav>\n";
}

std::string body_of(ReportedStore const& store, ReportSettings const& settings, bool only,
                    Notes& notes)
{
    // Of the only store the page's title says it already.
    auto text =
        fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\"{1}>{2}</h2>\n",
                    store.id("top"), only ? " class=\"unseen\"" : "", escaped(store.title()));
    text += provenance_summary(store) + panels_section(store, notes) + ranks_section(store) +
            worst_section(store, settings.worst_runs, notes) + bounds_section(store) +
            claims_section(store) + provenance_section(store);
    return text + "</section>\n";
}

std::string scripts_of(ReportAssets const& assets, bool charts)
{
    std::string text;
    if (charts)
        for (auto const& script : {assets.vega, assets.vega_lite, assets.vega_embed})
            text += fmt::format("<script>{}</script>\n", script);
    return text + fmt::format("<script>{}</script>\n", assets.script);
}

std::string footer_of(ReportAssets const& assets, bool charts)
{
    if (!charts)
        return "<footer><p>The figures of this page do not react to the pointer: the program that "
               "made it was built without Vega.</p></footer>\n";
    return "<footer><details><summary>Licences of the code that draws the charts (Vega, Vega-Lite, "
           "vega-embed and what they contain)</summary>\n<pre>" +
           escaped(assets.licences) + "</pre>\n</details></footer>\n";
}

} // namespace

} // namespace crx::report

namespace crx {

Report make_report(std::vector<std::filesystem::path> const& stores, ReportSettings const& settings)
{
    using namespace report;
    Report made;
    std::vector<ReportedStore> reported;
    for (auto const& file : stores)
        reported.push_back(read_reported(file, reported.size(), made.notes));
    auto const& assets = report_assets();
    bool const charts = settings.charts && assets.has_charts();
    if (!charts)
        made.notes.push_back("without interactive charts, as the program was built without Vega: "
                             "the page has the figures for print");
    std::vector<std::string> bodies;
    for (auto const& store : reported)
        bodies.push_back(body_of(store, settings, reported.size() == 1, made.notes));
    auto const title = !settings.title.empty() ? settings.title
                       : reported.size() == 1  ? reported.front().title()
                                               : fmt::format("{} experiments", reported.size());
    auto& html = made.html;
    html = std::string(head_begin);
    html += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", escaped(title),
                        assets.style);
    html +=
        fmt::format("<a class=\"skip\" href=\"#main\">To the content</a>\n<header>\n<h1>{}</h1>\n"
                    "</header>\n{}<main id=\"main\">\n",
                    escaped(title), contents_list(reported, bodies));
    for (auto const& body : bodies) html += body;
    html +=
        "</main>\n" + footer_of(assets, charts) + scripts_of(assets, charts) + "</body>\n</html>\n";
    if (html.size() > 2'000'000)
        made.notes.push_back(fmt::format("{:.1f} MB, which some mail servers refuse; fewer stores "
                                         "or --worst 0 make it smaller",
                                         1e-6 * static_cast<double>(html.size())));
    return made;
}

} // namespace crx

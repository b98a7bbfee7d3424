#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/report/report.hh"
#include "host/say.hh"
#include "host/store/file/database_file.hh"

#include <fmt/core.h>

namespace crx {

namespace {

struct ReportOptions
{
    std::vector<std::string> stores;
    std::string output, title;
    int worst = static_cast<int>(ReportSettings{}.worst_runs);
};

void write_report(ReportOptions options)
{
    if (options.output.empty())
        options.output = std::filesystem::path(options.stores.front()).stem().string() + ".html";
    std::vector<NamedFile> kept;
    std::vector<std::filesystem::path> stores;
    for (auto const& store : options.stores) {
        kept.push_back({"DB", store});
        stores.emplace_back(store);
        warn_of_names(store);
    }
    auto const ending = std::filesystem::path(options.output).extension();
    if (ending != ".html" && ending != ".htm")
        throw ConfigError("command line", "-o", options.output, "a name that ends in .html");
    check_outputs({{"-o", options.output}}, kept);
    auto const report =
        make_report(stores, {options.title, static_cast<std::size_t>(options.worst)});
    write_file(options.output, report.html);
    for (auto const& note : report.notes) say(options.output + ": " + note);
    fmt::print("{}\n", options.output);
}

} // namespace

void add_report_command(CLI::App& app)
{
    Command const command(app, "report",
                          "Write stores as one page for the browser: charts, ranks, worst runs, "
                          "bounds, claims");
    command->footer("The page opens from disk and needs no network (docs/report.md).\n"
                    "Example: crx report chen_two_point_alpha.db -o chen_two_point_alpha.html");
    auto const options = std::make_shared<ReportOptions>();
    command->add_option("DB", options->stores, "Stores that crx sweep made")->required();
    command
        ->add_option("-o,--output", options->output,
                     "Page to write; default: the first store's name with .html, here")
        ->type_name("FILE");
    command->add_option("--title", options->title, "Title of the page; default: the experiment's");
    command
        ->add_option("--worst", options->worst,
                     "Worst runs of each store that are run again and drawn")
        ->check(whole_number(0, 100))
        ->capture_default_str();
    command->callback([options] { write_report(*options); });
}

} // namespace crx

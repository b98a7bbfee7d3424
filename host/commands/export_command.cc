#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/file_names.hh"
#include "host/output_file.hh"
#include "host/results/export_table.hh"
#include "host/results/stored_panels.hh"
#include "host/results/what_is_missing.hh"

namespace crx {

namespace {

struct ExportOptions
{
    std::string store, output, format;
    bool json = false;
};

/// Whether the table is written as JSON. Throws ConfigError where that is open or cannot be had.
bool is_json(ExportOptions const& options)
{
    auto ending = std::filesystem::path(options.output).extension().string();
    for (auto& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    auto const asked = options.format.empty() && options.json ? "json" : options.format;
    if (asked == "parquet" || ending == ".parquet")
        throw ConfigError("command line", asked == "parquet" ? "--format" : "-o",
                          asked == "parquet" ? asked : options.output,
                          "CSV or JSON, as Parquet is not available: Debian 12 and Ubuntu 24.04 "
                          "have no Arrow; pandas makes it of either");
    if (options.json && asked == "csv")
        throw InputError("--json and --format csv: only one of them can be had");
    if (!asked.empty()) return asked == "json";
    std::error_code ignored;
    bool const is_device = std::filesystem::exists(options.output, ignored) &&
                           !std::filesystem::is_regular_file(options.output, ignored);
    if (options.output.empty() || is_device || ending == ".csv") return false;
    if (ending == ".json") return true;
    throw ConfigError("command line", "-o", options.output,
                      "a file of comma-separated values (.csv) or of JSON (.json), or any beside "
                      "--format");
}

void run_export(ExportOptions const& options)
{
    check_outputs({{"-o", options.output}}, {{"DB", options.store}});
    bool const as_json = is_json(options);
    warn_of_names(options.store);
    auto const contents = read_store(options.store);
    warn_of_missing(contents, options.store);
    auto const table = make_export(contents, stored_confidence(contents.header, options.store));
    auto const text = as_json ? to_json(table) : to_csv(table);
    if (options.output.empty())
        write_stdout(text);
    else
        write_file(options.output, text);
}

} // namespace

void add_export_command(CLI::App& app)
{
    Command const command(
        app, "export",
        "Results of a store as a table: a row per cell, policy and baseline, or horizon");
    command->footer("Columns: docs/store.md.\n"
                    "Example: crx export chen_two_point_alpha.db -o chen.csv");
    auto const options = std::make_shared<ExportOptions>();
    command->add_option("DB", options->store, "Store made by crx sweep")->required();
    command
        ->add_option("-o,--output", options->output,
                     "File to write, .csv or .json; else standard output")
        ->type_name("FILE");
    command
        ->add_option("--format", options->format,
                     "Where the file's name does not say it; default: csv")
        ->one_of({"csv", "json", "parquet"});
    command->add_flag("--json", options->json, "The same as --format json");
    command->callback([options] { run_export(*options); });
}

} // namespace crx

#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/store/database_file.hh"
#include "host/store/export_table.hh"
#include "host/store/output_check.hh"
#include "host/store/output_file.hh"

namespace crx {

namespace {

struct ExportOptions
{
    std::string store, output;
    bool json = false;
};

void run_export(ExportOptions const& options)
{
    auto const ending = std::filesystem::path(options.output).extension().string();
    for (auto const* other : {".parquet", ".feather", ".arrow", ".xlsx", ".xls"})
        if (ending == other)
            throw ConfigError("command line", "-o", options.output,
                              "a file of comma-separated values (.csv) or of JSON (.json)");
    bool const as_json = options.json || ending == ".json";
    check_outputs({{"-o", options.output}}, {{"DB", options.store}});
    warn_of_names(options.store);
    auto const table = make_export(read_store(options.store));
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
    command->add_option("-o,--output", options->output,
                        "File to write, JSON where it ends in .json; else standard output");
    command->add_flag("--json", options->json, "JSON instead of comma-separated values");
    command->callback([options] { run_export(*options); });
}

} // namespace crx

#include "host/commands/help_commands.hh"
#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"

#include <CLI/CLI.hpp>

namespace crx {

void add_help_command(CLI::App& app)
{
    auto* command = app.add_subcommand("help", "Print what a command takes, or the list of all");
    command->footer("Example: crx help sweep");
    auto const wanted = std::make_shared<std::string>();
    command->add_option("COMMAND", *wanted, "The command; all commands if left out");
    command->callback([&app, wanted] {
        if (wanted->empty())
            return write_stdout(
                app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
        std::vector<std::string> names;
        for (auto const* known : app.get_subcommands({})) {
            if (known->get_name() == *wanted) return write_stdout(known->help(app.get_name()));
            names.push_back(known->get_name());
        }
        throw InputError(*wanted +
                         ": no command of crx; commands: " + listed_with_nearest(*wanted, names) +
                         "\n  crx --help says what each does");
    });
}

} // namespace crx

#include "host/commands/usage.hh"

#include "host/experiment/nearest_name.hh"

namespace crx {

std::string usage_message(CLI::App const& app, CLI::Error const& error,
                          std::string const& first_argument)
{
    auto const chosen = app.get_subcommands();
    if (!chosen.empty())
        return "crx: " + std::string(error.what()) + "\n  crx " + chosen.front()->get_name() +
               " --help says what it takes\n";
    std::vector<std::string> commands;
    for (auto const* command : app.get_subcommands({})) commands.push_back(command->get_name());
    auto const wrong = first_argument.empty()          ? "no command is given"
                       : first_argument.front() == '-' ? first_argument + ": no option of crx"
                                                       : first_argument + ": no command of crx";
    return "crx: " + wrong + "; commands: " + listed_with_nearest(first_argument, commands) +
           "\n  crx --help says what each does\n";
}

} // namespace crx

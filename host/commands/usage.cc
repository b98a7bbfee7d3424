#include "host/commands/usage.hh"

#include "host/input/accepted.hh"

#include <cstdlib>
#include <sstream>

namespace crx {

namespace {

/// Whether the text is a number or several.
bool are_numbers(std::string const& text)
{
    std::istringstream parts(text);
    bool any = false;
    for (std::string part; std::getline(parts, part, ','); any = true) {
        char* end = nullptr;
        std::strtod(part.c_str(), &end);
        if (end == part.c_str() || *end != 0) return false;
    }
    return any;
}

/// What is wrong with a command's line, in the words of the other messages.
std::string wrong_with(CLI::App const& command, CLI::Error const& error)
{
    std::string const what = error.what();
    bool const misses = dynamic_cast<CLI::RequiredError const*>(&error) != nullptr;
    if (misses || dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr)
        for (auto const& extra : command.remaining()) {
            if (!extra.starts_with('-')) continue;
            auto const option = extra.substr(0, extra.find('='));
            std::vector<std::string> names;
            for (auto const* known : command.get_options())
                for (auto const& name : known->get_lnames()) names.push_back("--" + name);
            auto const nearest = nearest_name(option, names);
            if (misses && nearest.empty()) continue; // what is missing is said
            return option + ": no option of crx " + command.get_name() +
                   (nearest.empty() ? "" : " (did you mean " + nearest + "?)");
        }
    std::string const not_converted = "Could not convert: ";
    if (what.starts_with(not_converted)) {
        auto const given = what.substr(not_converted.size());
        auto const value = given.substr(given.find('=') + 1);
        auto const must = !are_numbers(value)                    ? "a number"
                          : value.find(',') == std::string::npos ? "a whole number"
                                                                 : "whole numbers";
        return given + " is not accepted: must be " + must;
    }
    for (std::string const once : {": At Most 1 required but received ", ": 1 required "})
        if (auto const at = what.find(once); at != std::string::npos)
            return what.substr(0, at) + (once.starts_with(": At") ? ": must be given once only"
                                                                  : ": its value is missing");
    return what;
}

} // namespace

std::string usage_message(CLI::App const& app, CLI::Error const& error,
                          std::string const& first_argument)
{
    auto const chosen = app.get_subcommands();
    if (!chosen.empty())
        return "crx: " + wrong_with(*chosen.front(), error) + "\n  crx " +
               chosen.front()->get_name() + " --help says what it takes\n";
    std::vector<std::string> commands;
    for (auto const* command : app.get_subcommands({})) commands.push_back(command->get_name());
    auto const wrong = first_argument.empty()          ? "no command is given"
                       : first_argument.front() == '-' ? first_argument + ": no option of crx"
                                                       : first_argument + ": no command of crx";
    return "crx: " + wrong + "; commands: " + listed_with_nearest(first_argument, commands) +
           "\n  crx --help says what each does\n";
}

} // namespace crx

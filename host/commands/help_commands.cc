#include "host/commands/commands.hh"
#include "host/commands/external_program.hh"

#include "host/commands/reference.hh"
#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"

#include <CLI/CLI.hpp>
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

/// Of all commands, and of the two that the Python package brings, by name.
std::vector<std::string> names_of_commands(CLI::App const& app)
{
    std::vector<std::string> names{"plot", "report"};
    for (auto const* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

} // namespace

std::string usage_message(CLI::App const& app, CLI::Error const& error,
                          std::string const& first_argument)
{
    auto const chosen = app.get_subcommands();
    if (!chosen.empty())
        return "crx: " + wrong_with(*chosen.front(), error) + "\n  crx " +
               chosen.front()->get_name() + " --help says what it takes\n";
    auto const commands = names_of_commands(app);
    auto const wrong = first_argument.empty()          ? "no command is given"
                       : first_argument.front() == '-' ? first_argument + ": no option of crx"
                                                       : first_argument + ": no command of crx";
    return "crx: " + wrong + "; commands: " + listed_with_nearest(first_argument, commands) +
           "\n  crx --help says what each does\n";
}

bool is_command(CLI::App const& app, std::string const& name)
{
    auto const commands = app.get_subcommands([](CLI::App const*) { return true; });
    return std::ranges::any_of(commands, [&](auto const* c) { return c->get_name() == name; });
}

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
        if (!is_command(app, *wanted))
            if (auto const program = external_program(*wanted); !program.empty())
                run_external(program, {"--help"});
        for (auto const* known : app.get_subcommands({}))
            if (known->get_name() == *wanted) return write_stdout(known->help(app.get_name()));
        throw InputError(*wanted + ": no command of crx; commands: " +
                         listed_with_nearest(*wanted, names_of_commands(app)) +
                         "\n  crx --help says what each does");
    });
}

namespace {

/// What the commands do, with the names of their options for `crx docs NAME`.
ReferenceSection commands_of(CLI::App const& app, bool with_options)
{
    ReferenceSection section{
        "Commands", "command", "`crx help COMMAND` explains a command's options.", {}};
    for (auto const* command : app.get_subcommands({})) {
        std::string options;
        for (auto const* option : command->get_options())
            if (with_options && !option->get_lnames().empty() &&
                option->get_lnames().front() != "help")
                options += (options.empty() ? ". Options: `--" : ", `--") +
                           option->get_lnames().front() + "`";
        section.entries.push_back({command->get_name(), command->get_description() + options});
    }
    return section;
}

std::vector<ReferenceSection> all_sections(CLI::App const& app, bool with_options = true)
{
    auto sections = reference_sections();
    sections.insert(sections.begin(), commands_of(app, with_options));
    return sections;
}

std::string manual_page(CLI::App const& app)
{
    auto page = std::string(".TH CRX 1\n.SH NAME\n"
                            "crx \\- explorer of online schedulers for LLM requests\n"
                            ".SH SYNOPSIS\n.B crx\n.I COMMAND\n[\\fIOPTION\\fR].\\|.\\|.\n"
                            ".SH DESCRIPTION\n"
                            "Runs scheduling policies on random and adversarial instances, divides "
                            "their latency by certified hindsight baselines, and draws published "
                            "bounds beside the result.\n.SH COMMANDS\n");
    for (auto const* command : app.get_subcommands({})) {
        page += ".SS crx " + command->get_name() + "\n" + command->get_description() + "\n";
        for (auto const* option : command->get_options()) {
            auto const name = option->get_name(false, true);
            if (name == "--help,-h" || name == "-h,--help" || option->get_description().empty())
                continue;
            std::string safe, help;
            for (char const c : name) safe += c == '-' ? "\\-" : std::string(1, c);
            for (char const c : option->get_description())
                help += c == '-' ? "\\-" : c == '\n' ? " " : c == '\\' ? "\\e" : std::string(1, c);
            page += ".TP\n.B " + safe + "\n" +
                    (help.starts_with('.') || help.starts_with('\'') ? "\\&" : "") + help + "\n";
        }
    }
    return page + ".SH REFERENCE\n" + as_manual(reference_sections());
}

std::string reference_page(CLI::App const& app)
{
    return "# Reference\n\nFor everybody who knows a name and wants its meaning. "
           "`crx docs --format markdown`\nprints this page from the tables that the program uses; "
           "`crx docs NAME` prints one entry.\n" +
           as_markdown(all_sections(app, false));
}

std::string one_entry(CLI::App const& app, std::string const& name)
{
    auto const sections = all_sections(app);
    auto text = found_entries(sections, name);
    if (!text.empty()) return text;
    std::vector<std::string> names;
    for (auto const& section : sections)
        for (auto const& entry : section.entries) {
            names.push_back(entry.name);
            if (auto const dot = entry.name.rfind('.'); dot != std::string::npos)
                names.push_back(entry.name.substr(dot + 1));
        }
    auto const nearest = nearest_name(name, names);
    throw InputError(name + ": no command, key, law, policy, baseline, measure, curve or engine" +
                     (nearest.empty() ? "" : " (did you mean " + nearest + "?)") +
                     "\n  crx docs lists all names");
}

std::string list_of_names(CLI::App const& app)
{
    std::string text = "crx docs NAME prints one entry, crx docs --format markdown all of them.\n";
    for (auto const& section : all_sections(app)) {
        text += "\n" + section.title + "\n";
        std::string line = " ";
        for (auto const& entry : section.entries) {
            if (line.size() + entry.name.size() > 98) {
                text += line + "\n";
                line = " ";
            }
            line += " " + entry.name;
        }
        text += line + "\n";
    }
    return text;
}

} // namespace

void add_docs_command(CLI::App& app)
{
    auto* command = app.add_subcommand("docs", "Say what a key, law, policy, baseline, measure, "
                                               "curve or engine is");
    command->footer("Example: crx docs half_width\n"
                    "         crx docs --format man > crx.1 && man ./crx.1");
    auto const name = std::make_shared<std::string>();
    auto const format = std::make_shared<std::string>();
    command->add_option("NAME", *name, "What to look up; the list of all names if left out");
    command->add_option("--format", *format, "All of it as a page")
        ->check(CLI::IsMember({"markdown", "man"}));
    command->callback([&app, name, format] {
        if (!format->empty() && !name->empty())
            throw InputError("crx docs: NAME and --format: one of them only");
        write_stdout(*format == "markdown" ? reference_page(app)
                     : *format == "man"    ? manual_page(app)
                     : name->empty()       ? list_of_names(app)
                                           : one_entry(app, *name));
    });
}

} // namespace crx

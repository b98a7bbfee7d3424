#include "host/commands/help_commands.hh"
#include "host/error.hh"
#include "host/input/accepted.hh"
#include "host/output_file.hh"
#include "host/reference/reference.hh"

#include <CLI/CLI.hpp>

namespace crx {

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

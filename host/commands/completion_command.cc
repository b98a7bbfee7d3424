#include "host/commands/help_commands.hh"
#include "host/output_file.hh"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace crx {

namespace {

/// An option as completion needs it.
struct CompletedOption
{
    std::vector<std::string> names;   ///< "--output", "-o"
    std::vector<std::string> choices; ///< the only values; empty: any, or none at all
    bool takes_value;
    std::string help;
};

/// The values of CLI::IsMember, which CLI11 keeps only in the text "TEXT:{auto,cuda,cpu}".
std::vector<std::string> choices_of(CLI::Option const& option)
{
    auto const type = option.get_type_name();
    auto const open = type.find('{'), close = type.find('}');
    std::vector<std::string> choices;
    if (open == std::string::npos || close == std::string::npos) return choices;
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<CompletedOption> options_of(CLI::App const& command)
{
    std::vector<CompletedOption> options;
    for (auto const* option : command.get_options()) {
        CompletedOption found{{},
                              choices_of(*option),
                              option->get_items_expected_max() > 0,
                              option->get_description()};
        for (auto const& name : option->get_lnames()) found.names.push_back("--" + name);
        for (auto const& name : option->get_snames()) found.names.push_back("-" + name);
        if (!found.names.empty()) options.push_back(std::move(found));
    }
    return options;
}

/// What may stand after `crx help`.
std::vector<std::string> names_of_commands(CLI::App const& app)
{
    std::vector<std::string> names;
    for (auto const* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

/// Values that a command's positional argument may take; empty: a file.
std::vector<std::string> positional_choices(CLI::App const& app, CLI::App const& command)
{
    if (command.get_name() == "help") return names_of_commands(app);
    for (auto const* option : command.get_options())
        if (option->get_positional())
            if (auto const choices = choices_of(*option); !choices.empty()) return choices;
    return {};
}

std::string bash_script(CLI::App const& app)
{
    std::string options, values;
    for (auto const* command : app.get_subcommands({})) {
        std::vector<std::string> names;
        for (auto const& option : options_of(*command)) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            if (!option.takes_value) continue;
            for (auto const& name : option.names)
                values += fmt::format("        '{} {}') words='{}'; value=yes ;;\n",
                                      command->get_name(), name, fmt::join(option.choices, " "));
        }
        options +=
            fmt::format("        {}) options='{}'; words='{}' ;;\n", command->get_name(),
                        fmt::join(names, " "), fmt::join(positional_choices(app, *command), " "));
    }
    return fmt::format(R"(# Completion of crx for bash. Once: source <(crx completion bash)
# For good: crx completion bash > ~/.local/share/bash-completion/completions/crx
_crx()
{{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options words value=no
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
        return
    fi
    # bash cuts --backend=cpu into three words.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $before == '=' ]]; then
        before=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    case ${{COMP_WORDS[1]}} in
{}        *) return ;;
    esac
    case "${{COMP_WORDS[1]}} $before" in
{}    esac
    [[ $value == no && $current == -* ]] && words=$options
    # Without words readline completes file names (-o default).
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _crx crx
)",
                       fmt::join(names_of_commands(app), " "), options, values);
}

/// A help text on one line, with marks before what zsh's specifications read as their own.
std::string zsh_text(std::string help)
{
    std::replace(help.begin(), help.end(), '\n', ' ');
    std::string text;
    for (char const c : help) {
        if (c == '\'')
            text += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            text += std::string("\\") + c;
        else
            text += c;
    }
    return text;
}

std::string zsh_value(std::vector<std::string> const& choices)
{
    return choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " "));
}

std::string zsh_script(CLI::App const& app)
{
    std::string commands, cases;
    for (auto const* command : app.get_subcommands({})) {
        commands += fmt::format("        '{}:{}'\n", command->get_name(),
                                zsh_text(command->get_description()));
        cases += fmt::format("        {}) _arguments", command->get_name());
        for (auto const& option : options_of(*command))
            for (auto const& name : option.names)
                cases += fmt::format(
                    " \\\n            '*{}{}[{}]{}'", name,
                    option.takes_value && name.starts_with("--") ? "=" : "", zsh_text(option.help),
                    option.takes_value ? ":value:" + zsh_value(option.choices) : "");
        cases += fmt::format(" \\\n            '*:argument:{}' ;;\n",
                             zsh_value(positional_choices(app, *command)));
    }
    return fmt::format(R"(#compdef crx
# Completion of crx for zsh. Once: source <(crx completion zsh)
# For good: crx completion zsh > FOLDER/_crx, where FOLDER is one of $fpath
_crx()
{{
    local -a commands=(
{}    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    shift words
    ((CURRENT--))
    case ${{words[1]}} in
{}    esac
}}
if [[ ${{funcstack[1]}} == _crx ]]; then
    _crx "$@"
else
    compdef _crx crx
fi
)",
                       commands, cases);
}

} // namespace

void add_completion_command(CLI::App& app)
{
    auto* command = app.add_subcommand("completion", "Print a script that completes crx's commands "
                                                     "and options in bash or zsh");
    command->footer("Example: source <(crx completion bash)");
    auto const shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    command->callback(
        [&app, shell] { write_stdout(*shell == "bash" ? bash_script(app) : zsh_script(app)); });
}

} // namespace crx

#include "host/commands/command_line.hh"

#include "host/experiment/policy_parameters.hh"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <optional>

namespace crx {

template <class Integer>
ValueCheck whole_number(Integer low, Integer high)
{
    auto const range = std::to_string(low) + " to " + std::to_string(high);
    return {[low, high, range](std::string& text) -> std::string {
                Integer value{};
                auto const* end = text.data() + text.size();
                auto const [stop, error] = std::from_chars(text.data(), end, value);
                if (error == std::errc{} && stop == end && value >= low && value <= high) return {};
                return text + " is not accepted: must be a whole number from " + range;
            },
            range};
}

template ValueCheck whole_number(int, int);
template ValueCheck whole_number(std::int64_t, std::int64_t);
template ValueCheck whole_number(std::uint64_t, std::uint64_t);

CommandOption CommandOption::required() const
{
    option_->required();
    return *this;
}

CommandOption CommandOption::check(ValueCheck const& check) const
{
    option_->check(CLI::Validator(check.wrong_with, check.accepted));
    return *this;
}

CommandOption CommandOption::one_of(std::vector<std::string> const& values) const
{
    option_->check(CLI::IsMember(values));
    return *this;
}

CommandOption CommandOption::existing_file() const
{
    option_->check(CLI::ExistingFile);
    return *this;
}

CommandOption CommandOption::capture_default_str() const
{
    option_->capture_default_str();
    return *this;
}

CommandOption CommandOption::delimiter(char separator) const
{
    option_->delimiter(separator);
    return *this;
}

CommandOption CommandOption::expected(int values) const
{
    option_->expected(values);
    return *this;
}

CommandOption CommandOption::allow_extra_args(bool allowed) const
{
    option_->allow_extra_args(allowed);
    return *this;
}

CommandOption CommandOption::type_name(std::string const& name) const
{
    option_->type_name(name);
    return *this;
}

CommandOption CommandOption::needs(CommandOption other) const
{
    option_->needs(other.option_);
    return *this;
}

CommandOption CommandOption::excludes(std::string const& other) const
{
    option_->excludes(other);
    return *this;
}

CommandOption CommandOption::group(std::string const& heading) const
{
    option_->group(heading);
    return *this;
}

Command::Command(CLI::App& program, std::string const& name, std::string const& summary)
    : app_(program.add_subcommand(name, summary))
{
}

namespace {

/// No option has an empty value; CLI11 would read one as the number 0.
CommandOption not_empty(CLI::Option* option)
{
    return CommandOption(option->check(CLI::Validator(
        [](std::string& text) -> std::string {
            return text.empty() ? "an empty value is not accepted" : "";
        },
        "")));
}

} // namespace

template <class Value>
CommandOption Command::add_option(std::string const& names, Value& target,
                                  std::string const& help) const
{
    return not_empty(app_->add_option(names, target, help));
}

CommandOption Command::add_flag(std::string const& names, bool& target,
                                std::string const& help) const
{
    return CommandOption(app_->add_flag(names, target, help));
}

void Command::footer(std::string const& text) const { app_->footer(text); }
void Command::callback(std::function<void()> run) const { app_->callback(std::move(run)); }

std::set<std::string> Command::given() const
{
    std::set<std::string> names;
    for (auto const* option : app_->get_options())
        if (option->count() > 0 && !option->get_lnames().empty())
            names.insert("--" + option->get_lnames().front());
    return names;
}

void add_parameter_options(Command const& command, PolicyParameters& given,
                           std::string const& group)
{
    for (auto const& parameter : policy_parameters) {
        auto const option = command->add_option(option_of(parameter.name), given[parameter.name],
                                                option_help(parameter));
        if (!group.empty()) option.group(group);
    }
    for (auto const& parameter : own_parameters) {
        auto const option =
            command->add_option(option_of(parameter.name), given[parameter.name],
                                std::string("Of ") + parameter.policy + ": " + parameter.text);
        if (!group.empty()) option.group(group);
    }
}

// The types that options have.
#define CRX_OPTION_TYPE(...)                                                                       \
    template CommandOption Command::add_option(std::string const&, __VA_ARGS__&,                   \
                                               std::string const&) const;
CRX_OPTION_TYPE(std::string)
CRX_OPTION_TYPE(std::filesystem::path)
CRX_OPTION_TYPE(int)
CRX_OPTION_TYPE(std::int64_t)
CRX_OPTION_TYPE(std::uint64_t)
CRX_OPTION_TYPE(double)
CRX_OPTION_TYPE(std::optional<int>)
CRX_OPTION_TYPE(std::optional<std::int64_t>)
CRX_OPTION_TYPE(std::optional<std::uint64_t>)
CRX_OPTION_TYPE(std::optional<double>)
CRX_OPTION_TYPE(std::optional<std::string>)
CRX_OPTION_TYPE(std::vector<std::string>)
CRX_OPTION_TYPE(std::vector<std::int64_t>)
CRX_OPTION_TYPE(std::vector<double>)
#undef CRX_OPTION_TYPE

} // namespace crx

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace crx {

/// What a value on the command line may be: says what is wrong with a text, or nothing; `accepted`
/// stands in --help.
struct ValueCheck
{
    std::function<std::string(std::string&)> wrong_with;
    std::string accepted;
};

/// Accepts a whole number in [low, high] and nothing else. CLI11's own reading takes -1 for 2^64 -
/// 1 and anything larger for the largest there is, so a wrong seed would run as another one.
template <class Integer>
ValueCheck whole_number(Integer low, Integer high = std::numeric_limits<Integer>::max());

/// An option of a subcommand, or an argument of it. It stands for CLI11's option of the same verbs:
/// CLI11 itself is read by command_line.cc, help_commands.cc and main.cc alone, as it takes the
/// compiler seconds a file.
class CommandOption
{
  public:
    explicit CommandOption(CLI::Option* option) : option_(option) {}
    CommandOption const* operator->() const { return this; } ///< so declarations read as CLI11's

    CommandOption required() const;
    CommandOption check(ValueCheck const& check) const;
    CommandOption one_of(std::vector<std::string> const& values) const;
    CommandOption existing_file() const;
    CommandOption capture_default_str() const; ///< --help says the value that holds without it
    CommandOption delimiter(char separator) const;
    CommandOption expected(int values) const;
    CommandOption allow_extra_args(bool allowed) const;
    CommandOption type_name(std::string const& name) const;
    CommandOption needs(CommandOption other) const;
    CommandOption excludes(std::string const& other) const;
    CommandOption group(std::string const& heading) const; ///< of --help

  private:
    CLI::Option* option_;
};

/// A subcommand while it is declared.
class Command
{
  public:
    Command(CLI::App& program, std::string const& name, std::string const& summary);
    Command const* operator->() const { return this; }

    /// The value is read into `target`, whose types stand in command_line.cc.
    template <class Value>
    CommandOption add_option(std::string const& names, Value& target,
                             std::string const& help) const;
    /// The number is passed to `use`.
    CommandOption add_flag(std::string const& names, bool& target, std::string const& help) const;
    void footer(std::string const& text) const;
    void callback(std::function<void()> run) const;
    /// Those options that the command line gives, by their long names: "--output".
    std::set<std::string> given() const;

  private:
    CLI::App* app_;
};

/// An option for each parameter of policies.
void add_parameter_options(Command const& command,
                           std::map<std::string, std::string, std::less<>>& given,
                           std::string const& group = {}); ///< of --help

} // namespace crx

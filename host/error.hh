#pragma once

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace crx {

/// What a command ends with (docs/reference.md#exit-status).
enum ExitStatus : int
{
    exit_done = 0,
    exit_run_failed = 1, ///< the message says what was kept and how to go on
    exit_bad_input = 2   ///< bad input or usage; nothing was written
};

/// Bad input from a user: exit status 2, nothing written.
class InputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// A value in a configuration that is not accepted. `where` is "file:line" or "command line".
///
/// The text reads:   where: key = value
///                     not accepted: must be ACCEPTED
class ConfigError : public InputError
{
  public:
    /// An empty value: none was given; the text says "missing".
    ConfigError(std::string const& where, std::string const& key, std::string const& value,
                std::string const& accepted)
        : InputError(where + ": " + key +
                     (value.empty() ? "\n  missing" : " = " + value + "\n  not accepted") +
                     ": must be " + accepted)
    {
    }
    /// An option that must not be there, whatever its value is.
    ConfigError(std::string const& where, std::string const& key, std::string const& accepted)
        : InputError(where + ": " + key + "\n  not accepted: must be " + accepted)
    {
    }
    /// Of several values: the texts of their errors, a line break between.
    explicit ConfigError(std::string const& texts) : InputError(texts) {}
};

/// What an exception says, for users: without the name that nlohmann's JSON gives to each of its
/// own, as "[json.exception.parse_error.101] ".
inline char const* reason_of(std::exception const& error)
{
    if (dynamic_cast<std::bad_alloc const*>(&error) != nullptr) return "there is not enough memory";
    auto const* const text = error.what();
    auto const* const end = std::strstr(text, "] ");
    return std::strncmp(text, "[json.", 6) == 0 && end != nullptr ? end + 2 : text;
}

/// A run that could not go on: exit status 1.
class RunError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// The same because of a policy of the user's own, which must be mended first.
class PolicyError : public RunError
{
  public:
    using RunError::RunError;
};

} // namespace crx

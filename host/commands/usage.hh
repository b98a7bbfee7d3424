#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace crx {

/// What is said of a command line that cannot be parsed: what is wrong with it and where help is.
std::string usage_message(CLI::App const& app, CLI::Error const& error,
                          std::string const& first_argument);

} // namespace crx

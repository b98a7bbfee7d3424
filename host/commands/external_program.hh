#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crx {

/// `crx NAME` for a NAME that is no command: the program crx-NAME beside this one, in the folder
/// python/ of the clone that it was built in, or on PATH; empty where there is none.
std::filesystem::path external_program(std::string const& name);

/// Becomes that program, with these arguments and CRX in its environment as the path of this one.
/// Throws RunError where it cannot be started.
[[noreturn]] void run_external(std::filesystem::path const& program,
                               std::vector<std::string> const& arguments);

/// Likewise of crx-plot. Throws InputError where there is none.
[[noreturn]] void run_plot(std::vector<std::string> const& arguments);

/// What is said where the Python package with crx-NAME is not there.
std::string without_package(std::string const& name);

} // namespace crx

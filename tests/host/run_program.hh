#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <sys/wait.h>

namespace crx_test {

/// How a run of the program ended.
struct Ending
{
    int status = -1;
    std::string text; ///< what it printed

    /// For tests that hold both to one text.
    std::string with_status() const { return text + "status " + std::to_string(status); }
};

/// Runs a line of the shell and reads its standard output.
inline Ending run_command(std::string const& command)
{
    Ending ending;
    auto* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return ending;
    std::array<char, 4096> buffer;
    while (auto const count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        ending.text.append(buffer.data(), count);
    ending.status = WEXITSTATUS(pclose(pipe));
    return ending;
}

/// Runs the program in a folder by the shell. Text: standard output, and unless told otherwise
/// standard error.
inline Ending run_program(std::string const& arguments, std::filesystem::path const& folder = ".",
                          bool with_errors = true)
{
    return run_command("cd " + folder.string() + " && " + CRX_PROGRAM + " " + arguments +
                       (with_errors ? " 2>&1" : ""));
}

} // namespace crx_test

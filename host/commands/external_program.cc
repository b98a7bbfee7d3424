#include "host/commands/external_program.hh"

#include "host/error.hh"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace crx {

namespace fs = std::filesystem;

namespace {

fs::path own_path()
{
    std::error_code none;
    return fs::read_symlink("/proc/self/exe", none);
}

bool can_run(fs::path const& file)
{
    return fs::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0;
}

} // namespace

fs::path external_program(std::string const& name)
{
    if (name.empty() || name.front() == '-' || name.find('/') != std::string::npos) return {};
    auto const file = "crx-" + name;
    std::vector<fs::path> folders{own_path().parent_path(), CRX_SOURCE_FOLDER "/python"};
    std::string const path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        auto const end = std::min(path.find(':', at), path.size());
        if (end > at) folders.emplace_back(path.substr(at, end - at));
        at = end + 1;
    }
    for (auto const& folder : folders)
        if (can_run(folder / file)) return folder / file;
    return {};
}

void run_external(fs::path const& program, std::vector<std::string> const& arguments)
{
    ::setenv("CRX", own_path().c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (auto const& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    throw RunError(program.string() + ": cannot be started: " + std::strerror(errno));
}

void run_plot(std::vector<std::string> const& arguments)
{
    auto const program = external_program("plot");
    if (program.empty()) throw InputError(without_package("plot"));
    run_external(program, arguments);
}

std::string without_package(std::string const& name)
{
    return name + ": a command of the Python package, whose crx-" + name +
           " is not beside the program, in its clone or on PATH\n"
           "  pip install ./python in a clone installs it (docs/python.md)";
}

} // namespace crx

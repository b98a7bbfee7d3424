#include "host/bench/python_loop.hh"

#include "host/bench/round_loop_py.hh" // bench/round_loop.py as text

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <unistd.h>

namespace crx {
namespace {

/// A file that is gone with its owner.
class ScratchFile
{
  public:
    ScratchFile()
    {
        auto const descriptor = mkstemp(name_.data());
        if (descriptor >= 0) {
            written_ = write(descriptor, round_loop_py, sizeof round_loop_py - 1) ==
                       static_cast<ssize_t>(sizeof round_loop_py - 1);
            close(descriptor);
        }
    }
    ~ScratchFile() { unlink(name_.c_str()); }
    ScratchFile(ScratchFile const&) = delete;
    ScratchFile& operator=(ScratchFile const&) = delete;

    std::string const& name() const { return name_; }
    bool written() const { return written_; }

  private:
    std::string name_ = (std::filesystem::temp_directory_path() / "crx-loop-XXXXXX").string();
    bool written_ = false;
};

std::string output_of(std::string const& command)
{
    std::string text;
    auto* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return text;
    std::array<char, 4096> buffer;
    while (auto const size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), size);
    return pclose(pipe) == 0 ? text : std::string{};
}

/// The first Python that has NumPy: the one in the path, or the system's.
std::string python_with_numpy()
{
    for (auto const* python : {"python3", "/usr/bin/python3"})
        if (!output_of(std::string(python) + " -c 'import numpy; print(1)' 2>/dev/null").empty())
            return python;
    return {};
}

} // namespace

PythonLoop run_python_loop(long long n, long long memory, int lower, int upper, int repetitions)
{
    PythonLoop result;
    auto const python = python_with_numpy();
    if (python.empty()) {
        result.absent = "there is no python3 with NumPy here (package python3-numpy)";
        return result;
    }
    ScratchFile const script;
    if (!script.written()) {
        result.absent = script.name() + " could not be written";
        return result;
    }
    std::istringstream lines(output_of(fmt::format("{} {} {} {} {} {} {}", python, script.name(), n,
                                                   memory, lower, upper, repetitions)));
    std::string policy;
    double seconds = 0;
    for (long long total = 0; lines >> policy >> seconds >> total;)
        result.seconds[policy] = seconds;
    if (result.seconds.empty()) result.absent = python + " ended without an answer";
    return result;
}

} // namespace crx

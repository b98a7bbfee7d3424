#include "analysis/plot/gnuplot_process.hh"

#include "analysis/plot/picture_file.hh"

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace crx::plot {

namespace {

[[noreturn]] void fail(char const* what, int reason)
{
    throw PlotError(std::string(what) + ": " + std::strerror(reason));
}

/// A file that is in memory alone.
class MemoryFile
{
  public:
    explicit MemoryFile(char const* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC))
    {
        if (descriptor_ < 0) fail("no memory for a plot", errno);
    }
    MemoryFile(MemoryFile const&) = delete;
    ~MemoryFile() { ::close(descriptor_); }
    int descriptor() const { return descriptor_; }

    void write(std::string const& text)
    {
        for (std::size_t at = 0; at < text.size();) {
            auto const n =
                ::pwrite(descriptor_, text.data() + at, text.size() - at, static_cast<off_t>(at));
            if (n < 0 && errno != EINTR) fail("no memory for a plot", errno);
            if (n > 0) at += static_cast<std::size_t>(n);
        }
    }

    std::string read() const
    {
        std::string text;
        std::array<char, 1 << 16> buffer;
        for (;;) {
            auto const n =
                ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
            if (n < 0 && errno != EINTR) fail("a plot cannot be read", errno);
            if (n == 0) return text;
            if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
        }
    }

  private:
    int descriptor_;
};

/// The environment with text in UTF-8, as the scripts are, wherever the program was started.
std::vector<char*> environment_in_utf_8()
{
    static char locale[] = "LC_ALL=C.UTF-8";
    std::vector<char*> all;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (std::strncmp(*entry, "LC_ALL=", 7) != 0) all.push_back(*entry);
    all.push_back(locale);
    all.push_back(nullptr);
    return all;
}

/// Runs a program to its end and says how it ended, as wait(2) does.
int run(std::array<char const*, 4> arguments, MemoryFile const& in, MemoryFile const& out)
{
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    pid_t child = 0;
    auto** const given = const_cast<char**>(arguments.data()); // which are not written to
    int const failure = ::posix_spawnp(&child, arguments[0], &actions, nullptr, given,
                                       environment_in_utf_8().data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (failure == ENOENT)
        throw PlotError("gnuplot was not found; plots need it\n"
                        "  on Debian and Ubuntu: apt install gnuplot-nox");
    if (failure != 0) fail("gnuplot cannot be run", failure);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("gnuplot cannot be waited for", errno);
    return status;
}

} // namespace

std::string run_gnuplot(std::string const& script)
{
    MemoryFile commands("crx-script"), picture("crx-picture");
    commands.write(script);
    // "-": commands from standard input, ending at the first that is refused.
    int const status = run({"gnuplot", "-d", "-", nullptr}, commands, picture);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw PlotError("gnuplot stopped before the picture was done; what it said is above");
    return picture.read();
}

} // namespace crx::plot

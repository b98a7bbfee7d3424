#include "analysis/plot/gnuplot_process.hh"

#include "analysis/plot/enhanced_text.hh"
#include "analysis/plot/picture_file.hh"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <gnuplot-iostream.h>
#pragma GCC diagnostic pop

#include <csignal>
#include <sstream>
#include <unistd.h>

namespace crx::plot {

namespace {

namespace fs = std::filesystem;

bool is_installed(char const* program)
{
    char const* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((fs::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0)
            return true;
    return false;
}

/// While it lives, writing to a program that has ended is an error instead of our end.
class NoBrokenPipe
{
  public:
    NoBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    NoBrokenPipe(NoBrokenPipe const&) = delete;
    ~NoBrokenPipe() { std::signal(SIGPIPE, before_); }

  private:
    void (*before_)(int);
};

} // namespace

void run_gnuplot(std::string const& script, fs::path const& folder)
{
    if (!is_installed("gnuplot"))
        throw PlotError("gnuplot was not found; plots need it\n"
                        "  on Debian and Ubuntu: apt install gnuplot-nox");
    auto const mark = folder / "done";
    {
        NoBrokenPipe const guard;
        Gnuplot gnuplot("gnuplot -d"); // a fixed command: all that is ours goes through its input
        gnuplot << script << "set print " << quote(mark.string()) << "\nprint 'done'\nunset print\n"
                << std::flush;
    } // waits for its end
    if (!fs::exists(mark))
        throw PlotError("gnuplot stopped before the picture was done; what it said is above");
}

} // namespace crx::plot

#pragma once

#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <chrono>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace crx_test {

/// Open MPI refuses to run as root unless it is told twice; what it is told here holds for these
/// processes alone. They talk by memory and by the loopback device.
constexpr char const* open_mpirun =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader "
    "OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_plm=isolated OMPI_MCA_rmaps_base_oversubscribe=1 "
    "mpirun";

/// crx sweep of an experiment x.toml as several ranks, and as one process.
struct RankRuns : testing::Test
{
    void write(std::string const& text) const { std::ofstream(folder / "x.toml") << text; }
    Ending run(std::string const& arguments) const { return run_program(arguments, folder.path()); }
    std::string ranks_command(int ranks, std::string const& options) const
    {
        // Libraries of MPI leave memory behind that the address sanitizer would report.
        return "ASAN_OPTIONS=detect_leaks=0 " + mpirun + " -n " + std::to_string(ranks) + " " +
               program.string() + " sweep x.toml --backend cpu " + options;
    }
    Ending sweep(int ranks, std::string const& options) const
    {
        return run_command("cd " + folder.path().string() + " && " + ranks_command(ranks, options) +
                           " 2>&1");
    }
    std::string exported(std::string const& store) const
    {
        return run("export " + store).text + run("export --json " + store).text;
    }
    std::string undivided() const
    {
        EXPECT_EQ(run("sweep x.toml --backend cpu --db whole.db").status, 0);
        return exported("whole.db");
    }
    /// So many ranks export the bytes of `whole`, from a store that crx check finds whole.
    void expect_bytes(int ranks, std::string const& whole) const
    {
        auto const store = "ranks" + std::to_string(ranks) + ".db";
        auto const ending = sweep(ranks, "--db " + store);
        EXPECT_EQ(ending.status, 0) << ending.text;
        EXPECT_NE(ending.text.find(std::to_string(ranks) + " ranks on 1 machine"),
                  std::string::npos)
            << ending.text;
        EXPECT_EQ(run("check " + store).status, 0);
        EXPECT_TRUE(exported(store) == whole);
    }
    /// Starts ranks, waits, sends a signal to one of them (-1: to mpirun) and waits for the end.
    /// False where they ended before.
    bool signal_after(double seconds, int ranks, std::string const& options, int rank,
                      int signal) const
    {
        auto const command = "cd " + folder.path().string() + " && exec env " +
                             ranks_command(ranks, options) + " >out.txt 2>&1";
        auto const launcher = ::fork();
        if (launcher == 0) {
            ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            ::_exit(127);
        }
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        auto target = launcher;
        if (rank >= 0) {
            auto ranks_of = children_of(launcher);
            if (!ranks_of.empty() && is_proxy(ranks_of.front()))
                ranks_of = children_of(ranks_of.front());
            auto const place = static_cast<std::size_t>(rank);
            target = place < ranks_of.size() ? ranks_of[place] : 0;
        }
        bool const sent = target > 0 && ::kill(target, signal) == 0;
        status = status_of(launcher);
        return sent && status != 0;
    }
    /// Runs two ranks into `store`, several times if need be, until the signal meets rank 1 after
    /// the beginning and before the end of their work. False where it never does.
    bool signal_amid_work(std::string const& store, std::string const& options, int signal) const
    {
        auto const start = std::chrono::steady_clock::now();
        EXPECT_EQ(sweep(2, "--threads 1 --db timed.db").status, 0);
        std::chrono::duration<double> const all = std::chrono::steady_clock::now() - start;
        for (double const share : {0.5, 0.3, 0.7, 0.4, 0.6}) {
            std::filesystem::remove(folder / store);
            if (signal_after(share * all.count(), 2, "--threads 1 --db " + store + " " + options, 1,
                             signal))
                return true;
        }
        return false;
    }
    /// What the ranks of signal_after printed.
    std::string printed() const
    {
        std::ifstream out(folder / "out.txt");
        return {std::istreambuf_iterator<char>(out), {}};
    }

    TemporaryFolder folder;
    std::string mpirun = open_mpirun;
    std::filesystem::path program = CRX_PROGRAM; ///< that the ranks run
    mutable int status = 0;                      ///< as waitpid says it

  private:
    /// Waits for mpirun. Open MPI 4.1's may stand still after a rank died while it connected ("PMIX
    /// ERROR: UNREACHABLE"), with no rank left; after two minutes it is killed.
    static int status_of(pid_t launcher)
    {
        int ended = 0;
        for (int tenths = 0; ::waitpid(launcher, &ended, WNOHANG) == 0; ++tenths) {
            if (tenths == 1200) ::kill(launcher, SIGKILL);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return ended;
    }
    static std::vector<pid_t> children_of(pid_t process)
    {
        auto const name = std::to_string(process);
        std::ifstream children("/proc/" + name + "/task/" + name + "/children");
        return {std::istream_iterator<pid_t>(children), {}};
    }
    /// Whether MPICH's mpirun has started its ranks through this process.
    static bool is_proxy(pid_t process)
    {
        std::ifstream file("/proc/" + std::to_string(process) + "/comm");
        std::string name;
        return file >> name && name.starts_with("hydra");
    }
};

} // namespace crx_test

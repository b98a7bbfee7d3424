#include "host/error.hh"
#include "host/sweep/rank_board.hh"
#include "support/temporary_folder.hh"
#include "support/test_seed.hh"
#include "tests/host/run_program.hh"
#include "tests/host/sweep/shard_experiments.hh"
#include "tests/host/sweep/stored_chunks.hh"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// crx sweep of several processes: they make what one makes, whatever becomes of some of them.
namespace crx_test {
namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

constexpr char const* launcher_variables[] = {"OMPI_COMM_WORLD_RANK",
                                              "OMPI_COMM_WORLD_SIZE",
                                              "OMPI_COMM_WORLD_LOCAL_RANK",
                                              "PMI_RANK",
                                              "PMI_SIZE",
                                              "OMPI_COMM_WORLD_LOCAL_SIZE",
                                              "SLURM_PROCID",
                                              "SLURM_STEP_NUM_TASKS",
                                              "SLURM_STEP_NUM_NODES",
                                              "SLURM_LOCALID",
                                              "SLURM_NTASKS",
                                              "MPI_LOCALRANKID",
                                              "MPI_LOCALNRANKS",
                                              "SLURM_CPUS_ON_NODE",
                                              "PMIX_RANK"};

/// The environment as a launcher would make it, until it goes.
struct Environment
{
    explicit Environment(Variables const& variables)
    {
        for (auto const* name : launcher_variables) ::unsetenv(name);
        for (auto const& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Environment()
    {
        for (auto const* name : launcher_variables) ::unsetenv(name);
    }
};

/// rank, size, rank and number of ranks on the machine.
std::vector<int> place_in(Variables const& variables)
{
    Environment const environment(variables);
    auto const place = crx::place_of_process();
    return {place.rank, place.size, place.local_rank, place.local_size};
}

TEST(RankPlace, IsWhatTheLauncherSays)
{
    EXPECT_EQ(place_in({}), (std::vector{0, 1, 0, 1}));
    EXPECT_EQ(place_in({{"OMPI_COMM_WORLD_RANK", "5"},
                        {"OMPI_COMM_WORLD_SIZE", "8"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                        {"PMIX_RANK", "5"},
                        {"SLURM_PROCID", "0"}, // of the batch script that mpirun stands in
                        {"SLURM_NTASKS", "8"}}),
              (std::vector{5, 8, 1, 4}));
    EXPECT_EQ(place_in({{"PMI_RANK", "2"},
                        {"PMI_SIZE", "3"},
                        {"MPI_LOCALRANKID", "2"},
                        {"MPI_LOCALNRANKS", "3"}}),
              (std::vector{2, 3, 2, 3}));
    EXPECT_EQ(place_in({{"SLURM_PROCID", "6"},
                        {"SLURM_STEP_NUM_TASKS", "7"},
                        {"SLURM_STEP_NUM_NODES", "2"},
                        {"SLURM_LOCALID", "2"}}),
              (std::vector{6, 7, 2, 4}));
    // A batch script is no task of a step, also where its job has several.
    EXPECT_EQ(place_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), (std::vector{0, 1, 0, 1}));
    EXPECT_EQ(place_in({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}),
              (std::vector{0, 1, 0, 1}));
    EXPECT_THROW(place_in({{"PMIX_RANK", "1"}}), crx::InputError);
}

TEST(RankPlace, ThreadsAreAShareOfTheProcessors)
{
    int const all = crx::threads_of({0, 1, 0, 1});
    EXPECT_EQ(crx::threads_of({0, 2, 0, 2}), std::max(1, all / 2));
    EXPECT_EQ(crx::threads_of({0, 4000, 0, 4000}), 1);
    Environment const bound(
        Variables{{"SLURM_CPUS_ON_NODE", "100000"}}); // of which this has a few alone
    EXPECT_EQ(crx::threads_of({0, 4, 0, 4}), all);
}

struct Ranks : testing::Test
{
    void write(std::string const& text) const { std::ofstream(folder / "x.toml") << text; }
    Ending run(std::string const& arguments) const { return run_program(arguments, folder.path()); }
    std::string exported(std::string const& store) const
    {
        return run("export " + store).text + run("export --json " + store).text;
    }
    std::string undivided() const
    {
        EXPECT_EQ(run("sweep x.toml --backend cpu --db whole.db").status, 0);
        return exported("whole.db");
    }

    /// Starts a rank as srun would; what it prints goes to out-RANK.txt.
    pid_t start(int rank, int size, std::string const& options) const
    {
        auto const process = ::fork();
        if (process != 0) return process;
        Environment const environment(Variables{{"SLURM_PROCID", std::to_string(rank)},
                                                {"SLURM_STEP_NUM_TASKS", std::to_string(size)},
                                                {"SLURM_LOCALID", std::to_string(rank)}});
        auto const command = "cd " + folder.path().string() +
                             " && exec " CRX_PROGRAM " sweep x.toml --backend cpu --threads 1 " +
                             options + " >out-" + std::to_string(rank) + ".txt 2>&1";
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    std::vector<pid_t> start_all(int size, std::string const& options) const
    {
        std::vector<pid_t> processes;
        for (int rank = 0; rank < size; ++rank) processes.push_back(start(rank, size, options));
        return processes;
    }
    /// The exit status, or minus the signal.
    static int status_of(pid_t process)
    {
        int status = 0;
        ::waitpid(process, &status, 0);
        return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    static std::vector<int> statuses(std::vector<pid_t> const& processes)
    {
        std::vector<int> all;
        for (auto const process : processes) all.push_back(status_of(process));
        return all;
    }
    std::vector<int> sweep(int size, std::string const& options) const
    {
        return statuses(start_all(size, options));
    }
    std::string printed(int rank) const
    {
        std::ifstream out(folder / ("out-" + std::to_string(rank) + ".txt"));
        return {std::istreambuf_iterator<char>(out), {}};
    }
    /// So many ranks end well, leave one store alone and export the bytes of `whole`.
    void expect_bytes(int size, std::string const& store, std::string const& whole,
                      std::string const& options = "") const
    {
        EXPECT_EQ(sweep(size, "--db " + store + " " + options),
                  std::vector<int>(static_cast<std::size_t>(size), 0))
            << printed(0) << printed(1);
        EXPECT_EQ(run("check " + store).status, 0);
        EXPECT_TRUE(exported(store) == whole);
        EXPECT_EQ(left_by_ranks(store), std::vector<std::string>());
        for (int rank = 1; rank < size; ++rank) EXPECT_EQ(printed(rank), "");
    }
    /// The folder of the ranks, as ".", and what is in it.
    std::vector<std::string> left_by_ranks(std::string const& store) const
    {
        auto const of_ranks = folder / (store + ".ranks");
        if (!fs::exists(of_ranks)) return {};
        auto names = names_in(of_ranks);
        names.insert(names.begin(), ".");
        return names;
    }
    static void wait(double seconds)
    {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    }
    /// Until a rank's store has a chunk.
    void wait_for_chunk_of(int rank, std::string const& store) const
    {
        auto const begin = "rank-" + std::to_string(rank) + "-";
        for (int k = 0; k < 2000; ++k, wait(0.01))
            for (std::error_code failed;
                 auto const& entry : fs::directory_iterator(folder / (store + ".ranks"), failed)) {
                auto const name = entry.path().filename().string();
                if (name.starts_with(begin) && name.ends_with(".db") &&
                    !chunks_of(entry.path()).empty())
                    return;
            }
        ADD_FAILURE() << "rank " << rank << " has made no chunk";
    }
    /// Until the store or one of the ranks' has a chunk.
    void wait_for_chunks(std::string const& store) const
    {
        auto const has = [](fs::path const& file) {
            try {
                return fs::exists(file) && !chunks_of(file).empty();
            } catch (std::exception const&) {
                return false; // rank 0 has taken it in meanwhile
            }
        };
        for (int k = 0; k < 2000; ++k, wait(0.01)) {
            if (has(folder / store)) return;
            for (std::error_code failed;
                 auto const& entry : fs::directory_iterator(folder / (store + ".ranks"), failed))
                if (entry.path().extension() == ".db" && has(entry.path())) return;
        }
        ADD_FAILURE() << "no rank has made a chunk";
    }
    TemporaryFolder folder;
};

TEST_F(Ranks, GiveTheBytesOfOneProcessInRounds)
{
    write(rounds_experiment(half_width_stop, 2));
    auto const whole = undivided();
    for (int const size : {2, 4}) {
        auto const store = "ranks" + std::to_string(size) + ".db";
        expect_bytes(size, store, whole);
        EXPECT_NE(run("sweep x.toml --db " + store).text.find(", 0 of them in this run"),
                  std::string::npos);
    }
}

// The files beside a store may be what a killed rank has left of it.
TEST_F(Ranks, RunTheIterationModelWhereFilesWereLeft)
{
    write(iterations_experiment("instances = 600"));
    fs::create_directory(folder / "ranks.db.ranks");
    for (auto const* file : {"rank-1-of-4-0-1.db-writer", "rank-2-of-4-0-1.db-journal"})
        std::ofstream(folder / "ranks.db.ranks" / file) << "";
    expect_bytes(3, "ranks.db", undivided());
}

TEST_F(Ranks, ContinueAndExtendAStore)
{
    auto const large = rounds_experiment("instances = 300", 1);
    auto small = large;
    for (std::string const part : {", 'volume'", ", 0.5, "}) // a baseline and a value of an axis
        small.replace(small.find(part), part.size(), part.ends_with(' ') ? ", " : "");
    write(small);
    EXPECT_EQ(run("sweep x.toml --backend cpu --db a.db --set stop.instances=100").status, 0);
    EXPECT_EQ(sweep(2, "--db a.db"), (std::vector{0, 0})) << printed(0);
    write(large);
    expect_bytes(2, "a.db", undivided());
}

// What a launcher does where one rank dies: it kills all. Another number of ranks, or one process,
// then goes on, and nothing that was committed is run again.
TEST_F(Ranks, AllThatAreKilledLeaveWhatTheyHaveDone)
{
    write(rounds_experiment("instances = 1000", 1));
    auto const begin = std::chrono::steady_clock::now();
    auto const whole = undivided();
    std::chrono::duration<double> const all = std::chrono::steady_clock::now() - begin;
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    int killed = 0, went_on = 0;
    for (int repeat = 0; repeat < 8; ++repeat) {
        auto const store = "k" + std::to_string(repeat) + ".db";
        auto const ranks = start_all(2 + repeat % 2, "--db " + store);
        if (repeat % 2 == 0)
            wait(all.count() * (0.1 + 0.8 * static_cast<double>(random() % 1000) / 1000));
        else
            wait_for_chunks(store);
        for (auto const process : ranks) ::kill(process, SIGKILL);
        for (auto const status : statuses(ranks)) killed += status == -SIGKILL ? 1 : 0;
        std::set<std::string> before; // without the numbers that runs have in each store
        auto const note = [&](fs::path const& file) {
            for (auto const& chunk : places_of_chunks(file)) before.insert(chunk);
        };
        note(folder / store);
        std::error_code failed;
        for (auto const& entry : fs::directory_iterator(folder / (store + ".ranks"), failed))
            if (entry.path().extension() == ".db") note(entry.path());
        went_on += before.empty() ? 0 : 1;
        if (int const size = 1 + repeat % 4; size > 1)
            expect_bytes(size, store, whole);
        else
            EXPECT_EQ(run("sweep x.toml --backend cpu --db " + store).status, 0);
        EXPECT_TRUE(std::ranges::includes(places_of_chunks(folder / store), before));
        EXPECT_TRUE(exported(store) == whole);
        EXPECT_EQ(left_by_ranks(store), std::vector<std::string>());
    }
    EXPECT_GE(killed, 2);
    EXPECT_GE(went_on, 4);
    std::printf("%d ranks were killed before their end, %d of 8 runs had chunks then\n", killed,
                went_on);
}

// Where no launcher sees it, rank 0 does: of a rank that died, and of one that stands still.
TEST_F(Ranks, OneThatIsSilentIsNamedWithItsShard)
{
    write(rounds_experiment("instances = 1000", 0));
    auto const whole = undivided();
    write(rounds_experiment("instances = 300000", 0));
    for (int const signal : {SIGKILL, SIGSTOP}) {
        auto const store = std::to_string(signal) + ".db";
        auto const ranks = start_all(3, "--rank-timeout 5 --db " + store);
        wait_for_chunk_of(1, store);
        ::kill(ranks[1], signal);
        EXPECT_EQ(status_of(ranks[0]), 1);
        EXPECT_EQ(status_of(ranks[2]), 0);
        EXPECT_EQ(printed(2), "");
        auto const text = printed(0);
        EXPECT_NE(text.find("rank 1 of 3 on "), std::string::npos) << text;
        EXPECT_NE(text.find(" has been silent for 5 seconds, so all ranks end: shard 2/3 of round "
                            "1 is missing\n  kept: all that is done, in " +
                            store),
                  std::string::npos)
            << text;
        ::kill(ranks[1], SIGKILL);
        status_of(ranks[1]);
        EXPECT_EQ(run("check " + store).status, 0);
    }
}

TEST_F(Ranks, StopOnASignalToOneWithAllThatIsDone)
{
    write(rounds_experiment("instances = 300000", 0));
    for (std::size_t const which : {0, 1}) {
        auto const store = "s" + std::to_string(which) + ".db";
        auto const ranks = start_all(2, "--db " + store);
        wait_for_chunk_of(1, store);
        ::kill(ranks[which], SIGTERM);
        EXPECT_EQ(statuses(ranks), (std::vector{143, 0}));
        auto const text = printed(0);
        EXPECT_NE(text.find("stopped by SIGTERM"), std::string::npos) << text;
        EXPECT_NE(text.find("to go on, give the same command again"), std::string::npos) << text;
        EXPECT_EQ(run("check " + store).status, 0);
        EXPECT_FALSE(chunks_of(folder / store).empty());
    }
}

TEST_F(Ranks, OneWithOtherArgumentsIsRefused)
{
    write(rounds_experiment("instances = 300", 0));
    std::vector const ranks{start(0, 2, "--db a.db"),
                            start(1, 2, "--db a.db --set experiment.seed=8")};
    EXPECT_EQ(statuses(ranks), (std::vector{1, 2}));
    EXPECT_NE(printed(1).find(" is another cell there: all ranks of a run have the same arguments"),
              std::string::npos)
        << printed(1);
    EXPECT_NE(printed(0).find("rank 1 of 2 on "), std::string::npos) << printed(0);
}

/// The launchers themselves, where they are installed.
struct Launchers : Ranks
{
    Ending launch(std::string const& launcher, int size) const
    {
        return run_command(
            "cd " + folder.path().string() + " && " + launcher + " -n " + std::to_string(size) +
            " " CRX_PROGRAM " sweep x.toml --backend cpu --threads 1 --db a.db 2>&1");
    }
    static bool can_be_used(std::string const& launcher)
    {
        return run_command(launcher + " -n 1 true 2>&1").status == 0;
    }
    void expect_bytes_with(std::string const& launcher) const
    {
        if (!can_be_used(launcher)) GTEST_SKIP() << launcher << " cannot be used";
        write(rounds_experiment(half_width_stop, 1));
        auto const whole = undivided();
        auto const ending = launch(launcher, 3);
        EXPECT_EQ(ending.status, 0) << ending.text;
        EXPECT_NE(ending.text.find("3 ranks"), std::string::npos) << ending.text;
        EXPECT_TRUE(exported("a.db") == whole);
    }
    /// Open MPI refuses to run as root unless it is told twice.
    std::string const open_mpi = "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                 "OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_plm=isolated "
                                 "OMPI_MCA_rmaps_base_oversubscribe=1 mpirun.openmpi";
};

TEST_F(Launchers, OpenMpiStartsRanks) { expect_bytes_with(open_mpi); }
TEST_F(Launchers, MpichStartsRanks) { expect_bytes_with("mpirun.mpich -host localhost"); }

TEST_F(Launchers, WrongInputIsSaidOnce)
{
    if (!can_be_used(open_mpi)) GTEST_SKIP() << "mpirun.openmpi cannot be used";
    write(rounds_experiment("instances = 300", 0) + "[wrong]\n");
    auto const ending = launch(open_mpi, 3);
    EXPECT_EQ(ending.status, 2) << ending.text;
    auto const at = ending.text.find("x.toml:");
    ASSERT_NE(at, std::string::npos) << ending.text;
    EXPECT_EQ(ending.text.find("x.toml:", at + 1), std::string::npos) << ending.text;
    EXPECT_FALSE(fs::exists(folder / "a.db"));
    EXPECT_FALSE(fs::exists(folder / "a.db.ranks"));
}

} // namespace
} // namespace crx_test

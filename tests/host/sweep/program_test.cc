#include "fake_experiment.hh"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// The program itself, interrupted in every way.
namespace crx_test {
namespace {

std::string const experiment = R"toml([experiment]
name = "small"
title = "Small"
seed = 7
[stop]
instances = 500
[workload]
requests = 200
memory = 60
prompt = 1
[workload.output]
law = "two-point"
lower = "max(1, round(alpha * upper))"
upper = 20
short_fraction = "w"
[workload.interval]
rule = "support"
[[policy]]
id = "a-max"
[[policy]]
id = "a-min"
[baselines]
use = ["h-sf", "volume"]
[[sweep]]
name = "alpha"
[sweep.axes]
alpha = [0.1, 0.5]
w = [0.2, 0.5, 0.8]
[sweep.refine]
axis = "w"
rounds = 1
baseline = "h-sf"
)toml";

struct SignalledEnding
{
    int status = -1; ///< exit status; minus the signal if one ended it
    std::string out, error;
};

std::string content(std::filesystem::path const& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs crx in a folder. After `wait_seconds` seconds it gets `signal`. The file size limit, in
/// bytes, stands for a full disk.
SignalledEnding run_with_signal(TemporaryFolder const& folder, std::vector<std::string> arguments,
                                double wait_seconds = 1e9, int signal = SIGKILL,
                                rlim_t file_limit = RLIM_INFINITY)
{
    arguments.insert(arguments.begin(), CRX_PROGRAM);
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    auto const out = folder / "out.txt", error = folder / "error.txt";
    auto const pid = ::fork();
    if (pid == 0) {
        std::signal(SIGXFSZ, SIG_DFL); // the program itself must not die of it
        std::signal(SIGINT, SIG_DFL);  // a shell's background job would have it ignored
        rlimit const limit{file_limit, file_limit};
        bool const ready = ::chdir(folder.path().c_str()) == 0 &&
                           std::freopen(out.c_str(), "w", stdout) != nullptr &&
                           std::freopen(error.c_str(), "w", stderr) != nullptr &&
                           ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
        if (ready) ::execv(CRX_PROGRAM, argv.data());
        ::_exit(99);
    }
    auto const start = std::chrono::steady_clock::now();
    int status = 0;
    bool signalled = false;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - start;
        if (!signalled && waited.count() > wait_seconds) {
            ::kill(pid, signal);
            signalled = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content(out),
            content(error)};
}

std::vector<std::string> sweep_arguments(std::string const& store, int threads)
{
    return {"sweep", "small.toml", "--backend", "cpu",
            "--db",  store,        "--threads", std::to_string(threads)};
}

class Program : public testing::Test
{
  protected:
    void SetUp() override { std::ofstream(folder / "small.toml") << experiment; }

    std::string exported(std::string const& store)
    {
        auto const ending = run_with_signal(folder, {"export", store, "-o", store + ".csv"});
        EXPECT_EQ(ending.status, 0) << ending.error;
        return content(folder / (store + ".csv"));
    }

    /// What an undisturbed run gives.
    std::string expected()
    {
        auto const ending = run_with_signal(folder, sweep_arguments("whole.db", 1));
        EXPECT_EQ(ending.status, 0) << ending.error;
        EXPECT_EQ(ending.out.find("made whole.db: "), 0u) << ending.out;
        EXPECT_NE(ending.out.find("next: crx report whole.db -o whole.html\n"
                                  "      crx export whole.db -o whole.csv\n"),
                  std::string::npos)
            << ending.out;
        EXPECT_NE(ending.out.find("sweep alpha: "), std::string::npos); // the results
        return exported("whole.db");
    }

    TemporaryFolder folder;
};

TEST_F(Program, SameBytesAfterKillsAtAnyMoment)
{
    auto const whole = expected();
    int kills = 0;
    double wait_seconds = 0.03; // grows, so that a slow machine also gets to its first chunk
    SignalledEnding ending;
    for (;; wait_seconds *= 1.15) {
        ending = run_with_signal(folder, sweep_arguments("killed.db", 1 + kills % 7), wait_seconds);
        if (ending.status != -SIGKILL) break;
        ++kills;
        if (std::filesystem::exists(folder / "killed.db"))
            run_with_signal(folder, {"export", "killed.db"}); // reading it in between does no harm
    }
    EXPECT_EQ(ending.status, 0) << ending.error;
    EXPECT_GT(kills, 0);
    EXPECT_EQ(exported("killed.db"), whole);
}

TEST_F(Program, SameBytesForAnyNumberOfThreads)
{
    auto const whole = expected();
    for (int const threads : {2, 7}) {
        auto const store = fmt::format("{}.db", threads);
        EXPECT_EQ(run_with_signal(folder, sweep_arguments(store, threads)).status, 0);
        EXPECT_EQ(exported(store), whole) << threads;
    }
}

TEST_F(Program, InterruptKeepsWhatIsDoneAndSaysHowToGoOn)
{
    auto const whole = expected();
    int interruptions = 0;
    double wait_seconds = 0.1;
    SignalledEnding ending;
    for (;; wait_seconds *= 1.3) {
        ending = run_with_signal(folder, sweep_arguments("a.db", 2), wait_seconds, SIGINT);
        if (ending.status == 0) break;
        ++interruptions;
        if (ending.status == -SIGINT) continue; // before the sweep began
        ASSERT_EQ(ending.status, 130) << ending.error;
        EXPECT_NE(ending.error.find("crx: stopped by Ctrl-C (SIGINT)\n  kept: "),
                  std::string::npos);
        EXPECT_NE(ending.error.find("give the same command again"), std::string::npos);
    }
    EXPECT_GT(interruptions, 0);
    EXPECT_EQ(exported("a.db"), whole);
}

// Batch systems tell the two apart by the exit status.
TEST_F(Program, SignalsHaveTheirOwnStatus)
{
    std::ofstream(folder / "paths.toml")
        << "[experiment]\nname = 'paths'\nseed = 1\n[model]\nkind = 'iterations'\n"
           "[stop]\ninstances = 10000000\n[workload]\nhorizon = 1024\ndoublings = 1\n"
           "[workload.clock]\nd0 = 550e6\nd1 = 50e6\n"
           "[[workload.type]]\nprompt = 1\noutput = 1\nrate = 1\n"
           "[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n[[sweep]]\nname = 'paths'\n";
    auto sweep = sweep_arguments("a.db", 2);
    sweep.insert(sweep.end(), {"--set", "stop.instances=1000000000"});
    for (auto const& arguments :
         {sweep, std::vector<std::string>{"sweep", "paths.toml", "--backend", "cpu"}})
        for (auto const& [signal, status, name] :
             {std::tuple{SIGINT, 130, "Ctrl-C (SIGINT)"}, {SIGTERM, 143, "SIGTERM"}}) {
            SignalledEnding ending;
            // Before the run begins the signal ends the program as it ends any other.
            for (double wait = 1; wait < 100; wait *= 2) {
                ending = run_with_signal(folder, arguments, wait, signal);
                if (ending.status != -signal) break;
            }
            EXPECT_EQ(ending.status, status) << ending.error;
            EXPECT_NE(ending.error.find("\ncrx: stopping within seconds, all that is done is kept; "
                                        "a second signal kills\n"),
                      std::string::npos)
                << ending.error;
            EXPECT_NE(ending.error.find(fmt::format("crx: stopped by {}\n  kept: ", name)),
                      std::string::npos)
                << ending.error;
            EXPECT_TRUE(ending.error.ends_with("\n  to go on, give the same command again\n"))
                << ending.error;
        }
}

TEST_F(Program, FullDisk)
{
    auto const whole = expected();
    auto const none = run_with_signal(folder, sweep_arguments("a.db", 1), 1e9, SIGKILL, 1000);
    EXPECT_EQ(none.status, 1) << none.error;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.db")); // nothing half-made
    auto const part = run_with_signal(folder, sweep_arguments("a.db", 1), 1e9, SIGKILL, 150'000);
    EXPECT_EQ(part.status, 1) << part.error;
    EXPECT_NE(part.error.find("kept: "), std::string::npos) << part.error;
    EXPECT_EQ(run_with_signal(folder, sweep_arguments("a.db", 1)).status, 0);
    EXPECT_EQ(exported("a.db"), whole);
    auto const half = run_with_signal(folder, {"export", "a.db", "-o", "a.csv"}, 1e9, SIGKILL, 100);
    EXPECT_EQ(half.status, 1) << half.error;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.csv"));
}

TEST_F(Program, BadUsageIsTwo)
{
    EXPECT_EQ(run_with_signal(folder, {"sweep"}).status, 2);
    EXPECT_EQ(run_with_signal(folder, {"sweep", "absent.toml"}).status, 2);
    EXPECT_EQ(run_with_signal(folder, {"sweep", "small.toml", "--threads", "0"}).status, 2);
    EXPECT_EQ(run_with_signal(folder, {"sweep", "small.toml", "--backend", "abacus"}).status, 2);
    EXPECT_EQ(run_with_signal(folder, {"export", "absent.db"}).status, 2);
    EXPECT_EQ(run_with_signal(folder, {"export", "small.toml"}).status, 2);
    auto const own = run_with_signal(folder, {"sweep", "small.toml", "--db", "small.toml"});
    EXPECT_EQ(own.status, 2);
    EXPECT_EQ(content(folder / "small.toml"), experiment);
}

} // namespace
} // namespace crx_test

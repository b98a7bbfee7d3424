#include "tests/host/mpi/rank_runs.hh"
#include "tests/host/shards/shard_experiments.hh"
#include "tests/host/shards/stored_chunks.hh"

#include <algorithm>

/// crx sweep under MPICH's mpirun, with the module compiled against MPICH beside a copy of the
/// program.
namespace crx_test {
namespace {

struct MpichRanks : RankRuns
{
    void SetUp() override
    {
        std::filesystem::path const module = CRX_MPICH_MODULE;
        if (module.empty()) GTEST_SKIP() << "there is no MPICH (mpicxx.mpich)";
        std::filesystem::copy_file(CRX_PROGRAM, folder / "crx");
        std::filesystem::copy_file(module, folder / "crx_mpi.so");
        program = folder / "crx";
        mpirun = "mpirun.mpich -host localhost";
        auto const ending = run_command(mpirun + " -n 1 true 2>&1");
        if (ending.status != 0) GTEST_SKIP() << "mpirun.mpich cannot be used: " << ending.text;
    }
};

TEST_F(MpichRanks, GiveTheBytesOfOneProcess)
{
    write(rounds_experiment(half_width_stop, 2));
    auto const whole = undivided();
    for (int const ranks : {2, 3}) expect_bytes(ranks, whole);
}

TEST_F(MpichRanks, OneThatIsKilledEndsTheRunAndLosesNothing)
{
    write(rounds_experiment("instances = 1000", 1));
    auto const whole = undivided();
    ASSERT_TRUE(signal_amid_work("k.db", "", SIGKILL));
    auto const before = chunks_of(folder / "k.db");
    EXPECT_EQ(sweep(2, "--db k.db").status, 0);
    EXPECT_TRUE(std::ranges::includes(chunks_of(folder / "k.db"), before));
    EXPECT_TRUE(exported("k.db") == whole);
}

} // namespace
} // namespace crx_test

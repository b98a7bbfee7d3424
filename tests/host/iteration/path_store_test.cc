#include "host/error.hh"
#include "host/iteration/iteration_experiment.hh"
#include "host/iteration/path_store.hh"
#include "support/temporary_folder.hh"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>

namespace crx {
namespace {

IterationCell small_cell(std::vector<std::string> const& set = {})
{
    auto const experiment = IterationExperiment::parse(R"toml(
[machine]
d0 = 0.55
d1 = 0.05
[[type]]
prompt = 1
output = 1
rate = 1
[run]
paths = 40
horizon = 16
doublings = 2
[[policy]]
id = "wait"
thresholds = "inside"
)toml",
                                                       "x.toml", set);
    return experiment.cell(experiment.policies.front());
}

struct PathStoreTest : testing::Test
{
    crx_test::TemporaryFolder folder;
};

TEST_F(PathStoreTest, NamesOfPartsOfDatabasesAreRefused)
{
    for (auto const* name : {"d.db-journal", "d.db-wal", "d.db-shm", "d.db-writer"}) {
        EXPECT_THROW(PathStore{folder / name}, InputError) << name;
        EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
    }
    std::filesystem::create_symlink("x.db", folder / "link.db");
    PathStore const store(folder / "link.db");
    EXPECT_THROW(PathStore{folder / "x.db"}, InputError);
}

TEST_F(PathStoreTest, KeptPathsAreThoseThatWouldRun)
{
    auto const cell = small_cell();
    auto const all = launch_paths(cell, 0, 50);
    {
        PathStore store(folder / "x.db");
        EXPECT_EQ(store.paths(cell, 20, nullptr), std::vector(all.begin(), all.begin() + 20));
        EXPECT_EQ(store.found(), 0);
    }
    PathStore store(folder / "x.db");
    EXPECT_EQ(store.paths(cell, 50, nullptr), all); // more paths: the first ones are found
    EXPECT_EQ(store.found(), 20);
    EXPECT_EQ(store.paths(cell, 50, nullptr), all);
    EXPECT_EQ(store.found(), 70);
    // Another load, seed or horizon is another cell.
    for (auto const* set : {"type.0.rate=1.0000000001", "run.seed=2", "run.horizon=17",
                            "policy.0.thresholds=[9]", "machine.d1=0.0500001"}) {
        auto const other = small_cell({set});
        EXPECT_EQ(store.paths(other, 40, nullptr), launch_paths(other, 0, 40)) << set;
        EXPECT_EQ(store.found(), 70) << set;
    }
}

// With their types paths are other cells: neither is taken for the other, and both go on.
TEST_F(PathStoreTest, KeepsTheTypes)
{
    auto const cell = small_cell();
    auto const typed = launch_typed_paths(cell, 0, 50);
    PathStore store(folder / "x.db");
    EXPECT_EQ(store.paths(cell, 20, nullptr), launch_paths(cell, 0, 20));
    EXPECT_EQ(store.typed_paths(cell, 30, nullptr), std::vector(typed.begin(), typed.begin() + 30));
    EXPECT_EQ(store.found(), 0);
    EXPECT_EQ(store.typed_paths(cell, 50, nullptr), typed);
    EXPECT_EQ(store.found(), 30);
}

// Hard memory is part of what determines a path; a cell without it is called as ever.
TEST_F(PathStoreTest, HardMemoryIsAnotherCell)
{
    auto const measured = small_cell({"policy.0.memory=100"});
    auto const hard = small_cell({"policy.0.memory=100", "policy.0.hard=true"});
    EXPECT_NE(path_identity(measured), path_identity(hard));
    EXPECT_EQ(path_identity(measured).find("hard"), std::string::npos);
}

TEST_F(PathStoreTest, StopsAndKeepsWhatIsDone)
{
    auto const cell = small_cell();
    static std::atomic<int> asked = 0;
    asked = 0;
    PathStore store(folder / "x.db");
    EXPECT_THROW(store.paths(cell, 1000, [] { return ++asked == 3; }), RunError);
    EXPECT_EQ(store.paths(cell, 1000, nullptr), launch_paths(cell, 0, 1000));
    EXPECT_GT(store.found(), 0);
    EXPECT_LT(store.found(), 1000);
}

TEST_F(PathStoreTest, RefusesWhatIsNotItsOwn)
{
    std::ofstream(folder / "text.db")
        << "no database, but long enough to have a header: " << std::string(200, 'x');
    EXPECT_THROW(PathStore(folder / "text.db"), InputError);
    {
        Database other(folder / "other.db", Access::write);
        other.run("CREATE TABLE t(x INTEGER)");
    }
    EXPECT_THROW(PathStore(folder / "other.db"), InputError);
    EXPECT_THROW(PathStore(folder / "none" / "x.db"), InputError);
    PathStore const first(folder / "x.db");
    EXPECT_THROW(PathStore(folder / "x.db"), InputError); // two writers
}

} // namespace
} // namespace crx

#include "host/store/file/database_file.hh"
#include "host/store/file/file_system.hh"
#include "host/store/open_store.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// Under which names stores are kept, and who can read them.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(fs::path const& folder)
{
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// The export as another user reads it, who may write nothing beside the store; as this one's where
/// the test has no right to become another.
std::string export_as_other_user(fs::path const& file)
{
    int ends[2];
    if (::pipe(ends) != 0) return "no pipe";
    auto const child = ::fork();
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        if (::getuid() == 0 && ::setuid(nobody) != 0) ::_exit(9);
        std::string text;
        try {
            text = export_of(file);
        } catch (std::exception const& error) {
            text = error.what();
        }
        for (std::size_t at = 0; at < text.size();) {
            auto const n = ::write(ends[1], text.data() + at, text.size() - at);
            if (n <= 0) ::_exit(9);
            at += static_cast<std::size_t>(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return text;
}

/// A folder whose files others may read and nobody else write.
class ReadAccess : public testing::Test
{
  protected:
    ReadAccess()
    {
        ::chmod(folder.path().c_str(), 0755);
        run_fake(file, fake_plan(30));
        text = export_of(file);
    }

    TemporaryFolder folder;
    fs::path const file = folder / "a.db";
    std::string text;
};

TEST_F(ReadAccess, AFinishedStoreIsOneFile)
{
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.db"});
    EXPECT_EQ(export_as_other_user(file), text);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.db"});
}

TEST_F(ReadAccess, AStoreThatExpectsALogIsReadWithout)
{
    {
        Database const database(file, Access::write);
        database.run("PRAGMA journal_mode = WAL");
    }
    EXPECT_EQ(export_of(file), text);
    EXPECT_EQ(export_as_other_user(file), text);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.db"});
}

// Without a lock, another program may write meanwhile.
TEST_F(ReadAccess, WhatWasWrittenMeanwhileIsReadAgain)
{
    {
        Database const database(file, Access::write);
        database.run("PRAGMA journal_mode = WAL");
    }
    int reads = 0;
    with_store(file, [&](Database const&) { ++reads; });
    EXPECT_EQ(reads, 1);
    with_store(file, [&](Database const&) {
        if (++reads == 2)
            fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
    });
    EXPECT_EQ(reads, 3);
}

TEST_F(ReadAccess, WhatAKilledProgramLeftIsReadAndLeftAsItIs)
{
    auto const killed = folder / "killed";
    fs::create_directory(killed);
    {
        RunStore store(killed / "a.db", fake_header(), fake_run());
        auto const plan = fake_plan(30);
        Progress progress(stderr, ProgressStyle::none);
        run_sweep(plan, grid_cells(plan), store, fake_settings(), progress);
        EXPECT_EQ(export_as_other_user(killed / "a.db"), text); // while it is written
        fs::create_directory(folder / "copy");
        for (auto const* part : {"a.db", "a.db-wal", "a.db-shm"})
            fs::copy_file(killed / part, folder / "copy" / part);
    }
    auto const copy = folder / "copy" / "a.db";
    for (int k = 0; k < 2; ++k) {
        auto const before = names_in(folder / "copy");
        EXPECT_EQ(export_of(copy), text);
        EXPECT_EQ(export_as_other_user(copy), text);
        EXPECT_EQ(names_in(folder / "copy"), before);
        fs::remove(copy.string() + "-shm"); // and as a copy of the two files that matter
    }
    EXPECT_EQ(run_fake(copy, fake_plan(30)).instances_before, 30 * 11);
    EXPECT_EQ(names_in(folder / "copy"), std::vector<std::string>{"a.db"});
}

TEST_F(ReadAccess, AnInterruptedJournalIsReadAndLeftAsItIs)
{
    auto const journal = folder / "a.db-journal";
    fs::create_directory(folder / "copy");
    {
        Database const database(file, Access::write);
        database.run("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; BEGIN");
        database.run("UPDATE policy_sums SET engine = engine || 'changed'");
        ASSERT_TRUE(fs::exists(journal));
        for (auto const* part : {"a.db", "a.db-journal"})
            fs::copy_file(folder / part, folder / "copy" / part);
        database.run("ROLLBACK");
    }
    auto const copy = folder / "copy" / "a.db";
    EXPECT_EQ(export_of(copy), text);
    EXPECT_EQ(export_as_other_user(copy), text);
    EXPECT_EQ(names_in(folder / "copy"), (std::vector<std::string>{"a.db", "a.db-journal"}));
}

// SQLite has names for databases in memory and takes URIs; here a name is a path.
TEST_F(ReadAccess, NamesArePaths)
{
    auto const here = fs::current_path();
    fs::current_path(folder.path());
    for (std::string const name : {":memory:", "file:x?mode=memory", "file:a.db",
                                   "file::memory:", "a%20b.db", "file:a#b?immutable=1"}) {
        run_fake(name, fake_plan(30));
        EXPECT_TRUE(fs::is_regular_file(folder / name)) << name;
        EXPECT_EQ(export_of(name), text) << name;
        RunStore const first(name, fake_header(), fake_run());
        EXPECT_TRUE(fs::exists(folder / (name + "-writer"))) << name;
        EXPECT_THROW(RunStore(folder / name, fake_header(), fake_run()), InputError) << name;
    }
    fs::current_path(here);
}

TEST(FileSystem, WriteAheadLogsAreForLocalDisks)
{
    for (auto const type : {0xEF53u, 0x58465342u, 0x9123683Eu, 0x01021994u, 0x794C7630u})
        EXPECT_TRUE(is_local_file_system(type)) << type;
    // NFS, SMB 2, CIFS, FUSE, Lustre, GPFS, Ceph, 9P, AFS: linux/magic.h and their sources.
    for (auto const type : {0x6969u, 0xFE534D42u, 0xFF534D42u, 0x65735546u, 0x0BD00BD0u,
                            0x47504653u, 0x00C36400u, 0x01021997u, 0x5346414Fu})
        EXPECT_FALSE(is_local_file_system(type)) << type;
    EXPECT_FALSE(is_on_local_disk("/proc"));
    EXPECT_FALSE(is_on_local_disk("/no/such/folder"));
}

// A program that was killed when its log had a header and nothing else.
TEST(ReadAccessOfLogs, ALogThatHoldsNothingIsNoObstacle)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db", copy = folder / "b.db";
    run_fake(file, fake_plan(3));
    auto const whole = export_of(file);
    {
        RunStore const store(file, fake_header(), fake_run());
        for (auto const* part : {"", "-shm", "-wal"})
            fs::copy_file(file.string() + part, copy.string() + part);
    }
    fs::resize_file(copy.string() + "-wal", 32);
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_EQ(export_of(copy), whole);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(ReadAccess, AFolderIsNoFileOfSeveralNames)
{
    testing::internal::CaptureStderr();
    warn_of_names(folder.path());
    EXPECT_EQ(testing::internal::GetCapturedStderr().find("hard links"), std::string::npos);
}

} // namespace
} // namespace crx_test

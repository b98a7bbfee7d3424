#include "host/file_names.hh"
#include "host/store/journal.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// Under which names stores are kept, and who can read them.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

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

/// A copy of the store in the middle of a commit, with the journal, whose pages are changed.
void copy_amid_a_commit(fs::path const& file, fs::path const& copy)
{
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    auto const last = database.execAndGet("PRAGMA user_version").getInt64();
    database.exec("PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN; PRAGMA user_version = " +
                  std::to_string(next_user_version(static_cast<std::uint32_t>(last))));
    database.exec("UPDATE sums SET engine = engine || 'changed'");
    ASSERT_TRUE(fs::exists(file.string() + "-journal"));
    fs::copy_file(file, copy);
    fs::copy_file(file.string() + "-journal", copy.string() + "-journal");
    database.exec("ROLLBACK");
}

TEST_F(ReadAccess, AnInterruptedCommitIsUndoneInACopyAndLeftAsItIs)
{
    fs::create_directory(folder / "copy");
    auto const copy = folder / "copy" / "a.db";
    copy_amid_a_commit(file, copy);
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(export_of(copy), text);
        EXPECT_EQ(export_as_other_user(copy), text);
        EXPECT_EQ(names_in(folder / "copy"), (std::vector<std::string>{"a.db", "a.db-journal"}));
    }
    EXPECT_EQ(run_fake(copy, fake_plan(30)).instances_before, 30 * 11);
    EXPECT_EQ(names_in(folder / "copy"), std::vector<std::string>{"a.db"});
    EXPECT_EQ(export_of(copy), text);
}

// The journal of a killed program lies where another store is moved to.
TEST_F(ReadAccess, AJournalOfAnotherStoreIsSetAside)
{
    auto const other = folder / "other.db";
    {
        RunStore store(other, fake_header("{\"seed\":99}"), fake_run());
        auto const plan = fake_plan(7);
        Progress progress(stderr, ProgressStyle::none);
        run_sweep(plan, grid_cells(plan), store, fake_settings(), progress);
    }
    auto const of_other = export_of(other);
    auto const torn = folder / "torn.db";
    copy_amid_a_commit(file, torn);
    auto const bytes_before = fs::file_size(torn.string() + "-journal");
    fs::rename(torn, folder / "elsewhere.db"); // the store goes, its journal stays
    fs::rename(other, torn);
    EXPECT_EQ(export_of(torn), of_other);
    EXPECT_EQ(export_as_other_user(torn), of_other);
    EXPECT_TRUE(check_store(torn).is_whole());
    testing::internal::CaptureStderr();
    {
        RunStore const store(torn, fake_header("{\"seed\":99}"), fake_run());
    }
    auto const said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("what a killed program left there of another store is now "),
              std::string::npos)
        << said;
    EXPECT_EQ(export_of(torn), of_other);
    fs::path aside;
    for (auto const& name : names_in(folder.path()))
        if (name.starts_with("torn.db-journal-of-crx-store-")) aside = folder / name;
    ASSERT_FALSE(aside.empty());
    EXPECT_EQ(fs::file_size(aside), bytes_before);
    // Without it the torn store is refused or says what is missing; with it, it is whole.
    try {
        EXPECT_NE(export_of(folder / "elsewhere.db"), text);
    } catch (InputError const&) {
    }
    fs::rename(aside, folder / "elsewhere.db-journal");
    EXPECT_EQ(export_of(folder / "elsewhere.db"), text);
}

// A copy of the store, older or with commits of its own, takes the place of one that was killed
// amid a commit.
TEST_F(ReadAccess, AJournalOfAnotherCommitOfACopyIsSetAside)
{
    auto const older = folder / "older.db", other = folder / "other.db", torn = folder / "torn.db";
    fs::copy_file(file, older);
    fs::copy_file(file, other);
    run_fake(file, fake_plan(50));
    run_fake(other, fake_plan(40));
    for (auto const& copy : {older, other}) {
        auto const of_copy = export_of(copy);
        copy_amid_a_commit(file, torn);
        fs::rename(copy, torn);
        EXPECT_EQ(export_of(torn), of_copy);
        EXPECT_EQ(export_as_other_user(torn), of_copy);
        run_fake(torn, fake_plan(50));
        EXPECT_EQ(export_of(torn), export_of(file));
        fs::remove(torn);
        for (auto const& name : names_in(folder.path()))
            if (name.starts_with("torn.db-journal")) fs::remove(folder / name);
    }
}

TEST_F(ReadAccess, ALogOfAnEarlierVersionIsNoPartOfAStore)
{
    auto const before = fs::file_size(file);
    std::ofstream(file.string() + "-wal") << std::string(4096, 'x');
    EXPECT_EQ(export_of(file), text);
    EXPECT_EQ(fs::file_size(file), before);
    run_fake(file, fake_plan(30));
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"a.db", "a.db-wal-of-another"}));
}

TEST_F(ReadAccess, AJournalThatRestoresNothingIsRemoved)
{
    for (std::string const content : {"", "x", "not a journal"}) {
        std::ofstream(file.string() + "-journal") << content;
        EXPECT_EQ(export_of(file), text);
        run_fake(file, fake_plan(30));
        EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.db"});
    }
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

TEST_F(ReadAccess, AFolderIsNoFileOfSeveralNames)
{
    testing::internal::CaptureStderr();
    warn_of_names(folder.path());
    EXPECT_EQ(testing::internal::GetCapturedStderr().find("hard links"), std::string::npos);
}

} // namespace
} // namespace crx_test

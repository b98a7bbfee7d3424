#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <thread>

namespace crx_test {
namespace {

void write_bytes(std::filesystem::path const& file, std::string const& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

void run_sql(std::filesystem::path const& file, char const* sql)
{
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

/// What opening a store for writing answers; empty if it is taken.
template <class Error>
std::string refusal(std::filesystem::path const& file, std::string const& identity = "{\"seed\":1}")
{
    try {
        RunStore const store(file, fake_header(identity), fake_run());
        return "";
    } catch (Error const& error) {
        return error.what();
    }
}

// What an experiment before asked for stays and is shown again when it is back.
TEST(RunStore, AnotherExperimentFindsWhatIsItsOwn)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db";
    run_fake(file, fake_plan(3));
    auto const before = export_of(file);
    {
        RunStore const store(file, fake_header("{\"seed\":2}"), fake_run());
        ASSERT_EQ(store.notes().size(), 1u);
        auto const& note = store.notes()[0];
        EXPECT_TRUE(note.starts_with(file.string() + ": was last used by another fake as of 20"))
            << note;
        EXPECT_TRUE(note.ends_with("; they differ in\n  seed: 1 there, 2 here")) << note;
    }
    EXPECT_TRUE(read_store(file).cells.empty());
    EXPECT_EQ(check_store(file).orphans, 11 * 6);
    auto const summary = run_fake(file, fake_plan(3));
    EXPECT_EQ(summary.instances_before, summary.instances);
    EXPECT_EQ(export_of(file), before);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.db"});
}

TEST(RunStore, ACellThatIsNoLongerTheSameIsRunAgain)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(3));
    auto plan = fake_plan(3);
    auto const make = plan.make_cell;
    plan.make_cell = [&](std::string const& sweep, Coordinates const& coordinates) {
        auto cell = make(sweep, coordinates);
        if (sweep == "second") cell.identity.insert(1, "\"version\":2,");
        return cell;
    };
    auto const summary = run_fake(folder / "a.db", plan);
    EXPECT_EQ(summary.instances - summary.instances_before, 3 * 3);
    EXPECT_EQ(prune_store(folder / "a.db"), 3 * 6);
    EXPECT_EQ(prune_store(folder / "a.db"), 0);
    EXPECT_TRUE(check_store(folder / "a.db").is_whole());
}

// Two cells of one identity are computed once.
TEST(RunStore, CellsThatAreAlikeShareTheirSums)
{
    TemporaryFolder const folder;
    auto plan = fake_plan(40);
    auto const make = plan.make_cell;
    plan.make_cell = [&](std::string const& sweep, Coordinates const& coordinates) {
        auto const twin = sweep == "second" && coordinates[0].second == 9;
        auto cell = make(sweep, twin ? Coordinates{{"n", 2}} : coordinates);
        cell.coordinates = coordinates;
        return cell;
    };
    auto const summary = run_fake(folder / "a.db", plan);
    EXPECT_EQ(summary.cells, 11);
    EXPECT_EQ(summary.instances, 11 * 40);
    auto const contents = read_store(folder / "a.db");
    EXPECT_EQ(contents.cells[8].tally, contents.cells[9].tally);
    EXPECT_EQ(contents.cells[9].instances, 40);
    EXPECT_EQ(run_fake(folder / "a.db", plan).instances_before, 11 * 40);
}

TEST(RunStore, WhatIsNoStoreIsRefusedAndUnchanged)
{
    TemporaryFolder const folder;
    auto const file = folder / "notes.txt";
    write_bytes(file, std::string(5000, 'x'));
    EXPECT_EQ(refusal<InputError>(file),
              file.string() + ": not a store of crx; nothing was changed\n  choose another file; "
                              "if it was a store, its first bytes are damaged: move it away, and "
                              "sweep again");
    EXPECT_EQ(bytes_of(file), std::string(5000, 'x'));

    auto const other = folder / "other.db";
    run_sql(other, "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    auto const before = bytes_of(other);
    EXPECT_EQ(refusal<InputError>(other).find(other.string() + ": not a store of crx; "), 0u);
    EXPECT_EQ(bytes_of(other), before);
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"notes.txt", "other.db"}));
    EXPECT_THROW(read_store(file), InputError);
    EXPECT_THROW(read_store(other), InputError);
}

TEST(RunStore, AnEmptyFileBecomesAStore)
{
    TemporaryFolder const folder;
    write_bytes(folder / "a.db", "");
    EXPECT_EQ(refusal<std::exception>(folder / "a.db"), "");
    EXPECT_EQ(read_store(folder / "a.db").header.name, "fake");
}

TEST(RunStore, ALaterVersionsStoreIsRefused)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db";
    run_fake(file, fake_plan(3));
    run_sql(file, "PRAGMA user_version = 99");
    EXPECT_EQ(refusal<InputError>(file),
              file.string() + ": made by a later version of crx; nothing was changed\n"
                              "  use that one, or choose another file with --db FILE");
    EXPECT_THROW(read_store(file), InputError);
}

TEST(RunStore, AnEarlierVersionsStoreIsRefusedWithWhatMakesItAnew)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db";
    run_sql(file, "CREATE TABLE meta(key, value); PRAGMA application_id = 0x63727820; "
                  "PRAGMA user_version = 7");
    for (auto const& text : {refusal<InputError>(file), check_store(file).refusal}) {
        EXPECT_EQ(text.find(file.string() + ": made by an earlier version of crx, whose tables"),
                  0u)
            << text;
        EXPECT_NE(text.find("\n  crx sweep EXPERIMENT --db a-new.db makes it anew; sqlite3 "),
                  std::string::npos)
            << text;
    }
}

TEST(RunStore, OneWriterAtATimeAndReadersMeanwhile)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db";
    {
        RunStore store(file, fake_header(), fake_run());
        auto const plan = fake_plan(1);
        auto const cells = grid_cells(plan);
        auto const indices = store.ensure_cells(cells);
        auto const cell = plan.make_cell("first", cells[0].coordinates).cell;
        store.add_chunk(indices[0], {0, 5}, fake_launch(cell, {0, 5}));
        EXPECT_EQ(store.tally(indices[0]), fake_launch(cell, {0, 5}));
        EXPECT_EQ(read_store(file).cells[0].instances, 0); // no commit yet
        EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"a.db", "a.db-writer"}));
        std::this_thread::sleep_for(std::chrono::milliseconds(900)); // nothing else happens
        EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"a.db", "a.db-writer"}));
        EXPECT_EQ(refusal<InputError>(file),
                  file.string() + ": another crx is writing to this store\n"
                                  "  wait until it ends, or choose another --db FILE");
        EXPECT_EQ(read_store(file).cells[0].instances, 5);
    }
    EXPECT_EQ(refusal<std::exception>(file), "");
}

TEST(RunStore, LinksLeadToOneLock)
{
    TemporaryFolder const folder;
    auto const link = folder / "link.db", ahead = folder / "ahead.db";
    std::filesystem::create_directory(folder / "sub");
    std::filesystem::create_symlink("sub/a.db", ahead); // leads to nothing yet
    {
        RunStore const store(ahead, fake_header(), fake_run());
        std::filesystem::create_symlink("ahead.db", link);
        for (auto const& name : {link, folder / "sub" / "a.db", folder / "sub" / ".." / "link.db"})
            EXPECT_EQ(refusal<InputError>(name),
                      name.string() + ": another crx is writing to this store\n"
                                      "  wait until it ends, or choose another --db FILE");
    }
    EXPECT_EQ(refusal<std::exception>(link), "");
    EXPECT_EQ(names_in(folder / "sub"), std::vector<std::string>{"a.db"});
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"ahead.db", "link.db", "sub"}));
}

// Under two names there would be two locks and two journals.
TEST(RunStore, AFileWithTwoNamesIsRefusedUnderBoth)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db", other = folder / "b.db";
    run_fake(file, fake_plan(3));
    std::filesystem::create_hard_link(file, other);
    auto const before = bytes_of(file);
    for (auto const& name : {file, other})
        EXPECT_EQ(
            refusal<InputError>(name),
            name.string() +
                ": is one file with 2 names (hard links), and programs that write to it "
                "under two of them would destroy it; remove the other names, as what is beside "
                "a store (-journal) goes with one alone\n"
                "  choose another file with --db FILE");
    EXPECT_EQ(bytes_of(file), before);
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"a.db", "b.db"}));
    std::filesystem::remove(file);
    EXPECT_EQ(refusal<InputError>(other), "");
}

TEST(RunStore, ALinkIsKeptWhenAStartFails)
{
    TemporaryFolder const folder;
    std::filesystem::create_directories(folder / "sub" / "a.db-journal" / "in the way");
    std::filesystem::create_symlink("sub/a.db", folder / "link.db");
    EXPECT_NE(refusal<std::exception>(folder / "link.db"), "");
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"link.db", "sub"}));
    EXPECT_EQ(names_in(folder / "sub"), std::vector<std::string>{"a.db-journal"});
}

TEST(RunStore, NamesOfPartsOfDatabasesAreRefused)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(3));
    std::filesystem::create_symlink("b.db-wal", folder / "link.db");
    std::filesystem::create_symlink("b.db", folder / "b.db-shm");
    auto const before = names_in(folder.path());
    for (auto const* name : {"a.db-wal", "a.db-shm", "a.db-journal", "a.db-writer", "link.db",
                             "b.db-shm", "nowhere.db-wal"})
        EXPECT_NE(refusal<InputError>(folder / name).find(": would be lost"), std::string::npos)
            << name;
    EXPECT_EQ(names_in(folder.path()), before);
    EXPECT_EQ(refusal<std::exception>(folder / "a.db-walk"), "");
}

TEST(RunStore, ADatabaseWherePartsWouldStandIsKept)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(3));
    for (auto const* part : {"a.db-wal", "a.db-shm", "a.db-journal"}) {
        run_fake(folder / "other.db", fake_plan(3));
        std::filesystem::rename(folder / "other.db", folder / part);
        auto const before = bytes_of(folder / part);
        EXPECT_NE(refusal<InputError>(folder / "a.db").find(part), std::string::npos) << part;
        EXPECT_EQ(bytes_of(folder / part), before);
        std::filesystem::remove(folder / part);
    }
    EXPECT_EQ(refusal<std::exception>(folder / "a.db"), "");
}

TEST(RunStore, WhatStandsInPlaceOfTheLockIsKept)
{
    TemporaryFolder const folder;
    auto const file = folder / "notes.db", lock = folder / "notes.db-writer";
    write_bytes(lock, "mine");
    EXPECT_EQ(refusal<InputError>(file),
              file.string() + ": " + lock.string() +
                  " is no lock of crx and would be lost\n  choose another place with --db FILE");
    EXPECT_EQ(bytes_of(lock), "mine");
    std::filesystem::remove(lock);
    write_bytes(folder / "elsewhere", "");
    std::filesystem::create_symlink("elsewhere", lock);
    EXPECT_NE(refusal<InputError>(file), "");
    EXPECT_TRUE(std::filesystem::is_symlink(lock));
    std::filesystem::remove(lock);
    {
        RunStore const store(file, fake_header(), fake_run());
        write_bytes(lock, "written meanwhile");
    }
    EXPECT_EQ(bytes_of(lock), "written meanwhile");
    write_bytes(lock, ""); // as a program leaves it that was killed
    EXPECT_EQ(refusal<std::exception>(file), "");
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"elsewhere", "notes.db"}));
}

TEST(RunStore, NoInstanceIsSummedTwice)
{
    TemporaryFolder const folder;
    RunStore store(folder / "a.db", fake_header(), fake_run());
    auto const plan = fake_plan(1);
    auto const cells = grid_cells(plan);
    auto const indices = store.ensure_cells(cells);
    auto const cell = plan.make_cell("first", cells[0].coordinates).cell;
    auto const add = [&](std::int64_t first, std::int64_t count) {
        store.add_chunk(indices[0], {first, count}, fake_launch(cell, {first, count}));
    };
    add(10, 10);
    for (auto const& [first, count] : {std::pair{5, 6}, {0, 100}, {19, 2}})
        EXPECT_THROW(add(first, count), InputError) << first << " " << count;
    for (auto const& [first, count] : {std::pair{10, 10}, {19, 1}, {12, 3}})
        add(first, count); // what is there counts once
    add(0, 10);
    add(20, 1);
    EXPECT_EQ(store.tally(indices[0]), fake_launch(cell, {0, 21}));
    EXPECT_EQ(store.tally(indices[1]), Tally(2));
}

TEST(RunStore, PlacesThatCannotBeWritten)
{
    TemporaryFolder const folder;
    auto const absent = folder / "no/such/a.db";
    EXPECT_EQ(refusal<InputError>(absent),
              absent.string() + ": cannot be written there: No such file or directory\n"
                                "  choose another place with --db FILE");
    EXPECT_NE(refusal<InputError>("/proc/a.db"), "");
    EXPECT_EQ(refusal<InputError>(folder.path()),
              folder.path().string() + ": is a folder or a device, not a store of crx\n"
                                       "  choose another file with --db FILE");
    EXPECT_EQ(refusal<InputError>("/dev/null"),
              "/dev/null: is a folder or a device, not a store of crx\n"
              "  choose another file with --db FILE");
    EXPECT_FALSE(std::filesystem::exists("/dev/null-journal"));
    EXPECT_THROW(read_store(absent), InputError);
    EXPECT_THROW(read_store(folder.path()), InputError);
}

// What has the name then may be another program's: it is left alone.
TEST(RunStore, AFolderThatIsMovedIsNoticedBeforeTheNextCommit)
{
    TemporaryFolder const folder;
    std::filesystem::create_directory(folder / "results");
    auto const file = folder / "results/a.db";
    {
        RunStore store(file, fake_header(), fake_run());
        auto const plan = fake_plan(3);
        auto const planned = grid_cells(plan).front();
        auto const cell = plan.make_cell(planned.sweep, planned.coordinates).cell;
        auto const index = store.ensure_cells({planned}).front();
        store.add_chunk(index, {0, 1}, fake_launch(cell, {0, 1}));
        store.commit();
        std::filesystem::rename(folder / "results", folder / "moved");
        std::filesystem::create_directory(folder / "results");
        write_bytes(file, "new");
        store.add_chunk(index, {1, 1}, fake_launch(cell, {1, 1}));
        try {
            store.commit();
            FAIL() << "nothing thrown";
        } catch (RunError const& error) {
            EXPECT_EQ(std::string(error.what()),
                      file.string() + ": was moved or removed while it was being added to\n  where "
                                      "it was moved, it holds what was done until then");
        }
        EXPECT_EQ(store.lost(), 1);
    }
    EXPECT_EQ(bytes_of(file), "new");
    EXPECT_EQ(names_in(folder / "results"), std::vector<std::string>{"a.db"});
    EXPECT_EQ(read_store(folder / "moved/a.db").cells.at(0).instances, 1);
}

TEST(RunStore, AFullDiskKeepsWhatIsDone)
{
    TemporaryFolder const folder;
    auto const file = folder / "a.db";
    auto const plan = fake_plan(400, 1);
    run_fake(folder / "whole.db", plan);
    run_fake(file, fake_plan(20, 1));
    std::string message;
    {
        RunStore store(file, fake_header(), fake_run());
        store.limit_pages(1); // no more than it has
        Progress progress(stderr, ProgressStyle::none);
        try {
            run_sweep(plan, grid_cells(plan), store, fake_settings(), progress);
        } catch (RunError const& error) {
            message = error.what();
        }
    }
    EXPECT_EQ(message.find(file.string() + ": the disk is full\n  free some space on it\n  kept: "),
              0u)
        << message;
    EXPECT_NE(message.find("to go on, give the same command again"), std::string::npos);
    auto const summary = run_fake(file, plan);
    EXPECT_GT(summary.instances_before, 0);
    EXPECT_LT(summary.instances_before, summary.instances);
    EXPECT_EQ(export_of(file), export_of(folder / "whole.db"));
}

TEST(RunStore, RemembersItsExperiment)
{
    TemporaryFolder const folder;
    auto header = fake_header();
    header.overrides = {"stop.instances=5", "a=\"b\""};
    {
        RunStore const store(folder / "a.db", header, fake_run());
    }
    header.text = "# other title\n";
    {
        RunStore const store(folder / "a.db", header, fake_run());
    }
    auto const there = read_store(folder / "a.db").header;
    EXPECT_EQ(there.text, "# other title\n");
    EXPECT_EQ(there.overrides, header.overrides);
    EXPECT_EQ(there.seed, 1u);
    EXPECT_EQ(there.baselines, header.baselines);
    ASSERT_EQ(there.policies.size(), 2u);
    EXPECT_EQ(there.policies[1].label, "a-min, \"first\" reading");
}

} // namespace
} // namespace crx_test

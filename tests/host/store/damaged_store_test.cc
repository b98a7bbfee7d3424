#include "host/store/store_reader.hh"
#include "support/test_seed.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <random>

/// Stores of which something was changed are seen to be so, and mended by the same command.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

void run_sql(fs::path const& file, std::string const& sql)
{
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(sql);
}

/// How many changed bits are tried.
int flips()
{
    char const* const given = std::getenv("CRX_TEST_FLIPS");
    return given == nullptr ? 300 : std::atoi(given);
}

class DamagedStoreTest : public testing::Test
{
  protected:
    DamagedStoreTest()
    {
        run_fake(whole, plan);
        text = export_of(whole);
        fs::copy_file(whole, damaged);
    }
    void restore() { fs::copy_file(whole, damaged, fs::copy_options::overwrite_existing); }

    TemporaryFolder folder;
    Plan const plan = fake_plan(30, 1);
    fs::path const whole = folder / "whole.db", damaged = folder / "a.db";
    std::string text;
};

TEST_F(DamagedStoreTest, AWholeStoreIsSaidToBeWhole)
{
    auto const check = check_store(whole);
    EXPECT_TRUE(check.is_whole());
    EXPECT_EQ(check.cells, static_cast<std::int64_t>(read_store(whole).cells.size()));
    EXPECT_EQ(check.instances, 30 * check.cells);
    EXPECT_EQ(check.orphans, 0);
    EXPECT_EQ(static_cast<std::int64_t>(check.whole_cells.value().size()), check.cells);
}

// One bit of the file is changed: the export is the same, or refused with the file's name. The same
// sweep makes it whole again, or refuses the file.
TEST_F(DamagedStoreTest, NoChangedBitChangesAnExport)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    auto bytes = bytes_of(whole);
    int refused = 0, mended = 0;
    for (int k = 0; k < flips(); ++k) {
        auto const place = random() % bytes.size();
        auto const bit = static_cast<char>(1 << random() % 8);
        SCOPED_TRACE(testing::Message() << "byte " << place << ", bit " << int(bit));
        bytes[place] = static_cast<char>(bytes[place] ^ bit);
        std::ofstream(damaged, std::ios::binary) << bytes;
        bytes[place] = static_cast<char>(bytes[place] ^ bit);
        bool is_refused = false;
        try {
            EXPECT_EQ(export_of(damaged), text);
        } catch (std::exception const& error) {
            is_refused = true;
            EXPECT_EQ(std::string(error.what()).find(damaged.string() + ": "), 0u) << error.what();
        }
        EXPECT_EQ(check_store(damaged).is_whole(), !is_refused);
        refused += is_refused;
        try {
            run_fake(damaged, plan);
            EXPECT_EQ(export_of(damaged), text);
            mended += is_refused;
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("move it away"), std::string::npos)
                << error.what();
        }
    }
    std::printf("%d bits: %d refused, %d of these run again\n", flips(), refused, mended);
    EXPECT_GT(refused, flips() / 10);
    EXPECT_GT(mended, flips() / 10);
}

TEST_F(DamagedStoreTest, ChangedChunksAreNamedAndRunAgain)
{
    auto const all = check_store(whole).cells;
    for (std::string const change :
         {"UPDATE sums SET sums = replace(sums, '0', '1') WHERE chunk = 2",
          "UPDATE sums SET first = 'x' WHERE chunk = 2",
          "UPDATE sums SET count = count + 1 WHERE chunk = 2",
          "UPDATE sums SET key = (SELECT key FROM sums WHERE chunk = 3) WHERE chunk = 2",
          "UPDATE sums SET engine = 'other' WHERE chunk = 2",
          "UPDATE sums SET sums = NULL WHERE chunk = 2"}) {
        SCOPED_TRACE(change);
        restore();
        run_sql(damaged, change);
        auto const check = check_store(damaged);
        ASSERT_EQ(check.damage.size(), 1u);
        // What it says of its place is believed, unless another chunk is there.
        bool const is_elsewhere = change.find("SET key") != std::string::npos;
        EXPECT_TRUE(check.damage[0].what.starts_with(is_elsewhere ? "chunk 2: its checksum is not"
                                                                  : "chunk 2 (cell 0, policy "))
            << check.damage[0].what;
        EXPECT_EQ(check.whole_cells.has_value(), !is_elsewhere);
        if (!is_elsewhere) {
            EXPECT_EQ(static_cast<std::int64_t>(check.whole_cells->size()), all - 1);
        }
        EXPECT_THROW(read_store(damaged), InputError);
        auto const summary = run_fake(damaged, plan);
        EXPECT_GT(summary.instances_before, summary.instances / 2);
        EXPECT_LT(summary.instances_before, summary.instances);
        EXPECT_EQ(export_of(damaged), text);
        EXPECT_EQ(check_store(damaged).cells, all);
    }
}

// As where a copy was made while pages were written.
TEST_F(DamagedStoreTest, ChunksOfTwoStatesOfTheFileAreNamedAndRunAgain)
{
    run_sql(damaged, "INSERT INTO sums(key, first, count, run, engine, sums, checksum) "
                     "SELECT key, first, count, run, engine, sums, checksum FROM sums WHERE "
                     "chunk = 2");
    auto const check = check_store(damaged);
    ASSERT_EQ(check.damage.size(), 1u);
    EXPECT_NE(check.damage[0].what.find("a chunk before has instances of it too"),
              std::string::npos)
        << check.damage[0].what;
    EXPECT_EQ(check.damage[0].cells.value().size(), 1u);
    EXPECT_EQ(static_cast<std::int64_t>(check.whole_cells.value().size()), check.cells - 1);
    run_fake(damaged, plan);
    EXPECT_EQ(export_of(damaged), text);
    run_sql(damaged, "DELETE FROM sums WHERE chunk % 3 = 1");
    EXPECT_NE(export_of(damaged), text); // fewer instances, which is said
    run_fake(damaged, plan);
    EXPECT_EQ(export_of(damaged), text);
}

TEST_F(DamagedStoreTest, ChangesElsewhereAreRefusedAndMended)
{
    for (std::string const change :
         {"UPDATE experiments SET seed = '2'", "UPDATE experiments SET policies = '[]'",
          "DELETE FROM experiments", "UPDATE cells SET coordinates = '[[\"n\",3]]' WHERE cell = 9",
          "UPDATE cells SET keys = zeroblob(96) WHERE cell = 9", "UPDATE runs SET version = '7'",
          "DELETE FROM runs", "UPDATE cells SET cell = 77 WHERE cell = 3"}) {
        SCOPED_TRACE(change);
        restore();
        run_sql(damaged, change);
        try {
            read_store(damaged);
            ADD_FAILURE() << "nothing thrown";
        } catch (InputError const& error) {
            EXPECT_EQ(std::string(error.what()).find(damaged.string() + ": the store is damaged: "),
                      0u)
                << error.what();
        }
        EXPECT_FALSE(check_store(damaged).is_whole());
        run_fake(damaged, plan);
        EXPECT_EQ(export_of(damaged), text);
        EXPECT_TRUE(check_store(damaged).is_whole());
    }
}

// A table's text says other columns: rows do not read as what was written, and no run mends that.
TEST_F(DamagedStoreTest, AnotherTableIsRefusedWithWhatToDo)
{
    auto bytes = bytes_of(whole);
    auto const place = bytes.find("CREATE TABLE cells(\n  cell INTEGER PRIMARY");
    ASSERT_NE(place, std::string::npos);
    bytes[bytes.find("PRIMARY", place) + 4] = 'Q';
    std::ofstream(damaged, std::ios::binary) << bytes;
    for (bool const is_sweep : {false, true}) try {
            if (is_sweep)
                run_fake(damaged, plan);
            else
                read_store(damaged);
            ADD_FAILURE() << "nothing thrown";
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("move it away, and sweep again"),
                      std::string::npos)
                << error.what();
        }
    EXPECT_EQ(bytes_of(damaged), bytes);
}

TEST_F(DamagedStoreTest, WhatSqliteCannotReadIsRefusedWithWhatToDo)
{
    auto const size = fs::file_size(whole);
    for (bool const is_short : {true, false}) {
        restore();
        if (is_short) {
            fs::resize_file(damaged, size / 2);
        } else { // the schema's page, behind the 100 bytes of the file's header
            std::fstream file(damaged, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(100);
            file << std::string(2000, '\7');
        }
        auto const before = bytes_of(damaged);
        EXPECT_FALSE(check_store(damaged).is_whole());
        EXPECT_THROW(read_store(damaged), InputError);
        try {
            run_fake(damaged, plan);
            ADD_FAILURE();
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("move it away, and sweep again"),
                      std::string::npos)
                << error.what();
        }
        EXPECT_EQ(bytes_of(damaged), before);
    }
}

} // namespace
} // namespace crx_test

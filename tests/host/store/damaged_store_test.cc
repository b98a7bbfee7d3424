#include "host/store/store_check.hh"
#include "support/test_seed.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <random>

/// Stores of which something was changed are seen to be so, and mended.
namespace crx_test {
namespace {

std::string bytes_of(std::filesystem::path const& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void run_sql(std::filesystem::path const& file, std::string const& sql)
{
    Database(file, Access::write).run(sql);
}

/// Makes every checksum of the file true again, as an able forger would.
void seal_all(std::filesystem::path const& file)
{
    Database const database(file, Access::write);
    for (auto const& chunk : list_chunks(database)) seal_chunk(database, chunk.chunk);
    seal_header(database);
}

std::string message_of(std::filesystem::path const& file)
{
    try {
        read_store(file);
        return "";
    } catch (InputError const& error) {
        return error.what();
    }
}

class DamagedStoreTest : public testing::Test
{
  protected:
    DamagedStoreTest()
    {
        run_fake(whole, fake_plan(30, 1));
        text = export_of(whole);
        std::filesystem::copy_file(whole, damaged);
    }

    TemporaryFolder folder;
    std::filesystem::path const whole = folder / "whole.db", damaged = folder / "a.db";
    std::string text;
};

TEST_F(DamagedStoreTest, AWholeStoreIsSaidToBeWhole)
{
    auto const check = check_store(whole);
    EXPECT_TRUE(check.is_whole());
    EXPECT_EQ(check.cells, static_cast<std::int64_t>(read_store(whole).cells.size()));
    EXPECT_EQ(check.instances, 30 * check.cells);
    EXPECT_EQ(static_cast<std::int64_t>(check.whole_cells.size()), check.cells);
}

// One bit of the file is changed: the export is the same or refused with the file's name.
TEST_F(DamagedStoreTest, NoChangedBitChangesAnExport)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    auto bytes = bytes_of(whole);
    int refused = 0;
    for (int k = 0; k < 400; ++k) {
        auto const place = random() % bytes.size();
        auto const bit = static_cast<char>(1 << random() % 8);
        bytes[place] = static_cast<char>(bytes[place] ^ bit);
        std::ofstream(damaged, std::ios::binary) << bytes;
        try {
            EXPECT_EQ(export_of(damaged), text) << "byte " << place;
        } catch (std::exception const& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find(damaged.string() + ": "), 0u) << error.what();
        }
        bytes[place] = static_cast<char>(bytes[place] ^ bit);
    }
    EXPECT_GT(refused, 40);
}

TEST_F(DamagedStoreTest, ChangedValuesAreRefusedAndTheirCellsNamed)
{
    auto const all = check_store(whole).cells;
    for (std::string const change :
         // Policy 0 ends every instance, so its histogram is never empty.
         {"UPDATE policy_sums SET latency_squares = '0' WHERE chunk = 2",
          "UPDATE chunks SET first = 'x' WHERE chunk = 2",
          "UPDATE chunks SET count = count + 1 WHERE chunk = 2",
          "UPDATE ratio_sums SET histogram = '{}' WHERE chunk = 2 AND policy = 0",
          "DELETE FROM policy_sums WHERE chunk = 2 AND policy = 1",
          "UPDATE policy_sums SET engine = 'other' WHERE chunk = 2"}) {
        std::filesystem::copy_file(whole, damaged,
                                   std::filesystem::copy_options::overwrite_existing);
        run_sql(damaged, change);
        EXPECT_EQ(message_of(damaged).find(damaged.string() + ": the store is damaged: chunk 2"),
                  0u)
            << change << "\n"
            << message_of(damaged);
        auto const check = check_store(damaged);
        ASSERT_EQ(check.damage.size(), 1u) << change;
        EXPECT_EQ(static_cast<std::int64_t>(check.whole_cells.size()), all - 1) << change;
        EXPECT_EQ(
            std::count(check.whole_cells.begin(), check.whole_cells.end(), check.damage[0].cell),
            0);
    }
}

TEST_F(DamagedStoreTest, ChangesElsewhereAreRefused)
{
    for (std::string const change :
         {"UPDATE meta SET value = '2' WHERE key = 'seed'", "DELETE FROM meta WHERE key = 'model'",
          "UPDATE policies SET label = 'x' WHERE policy = 1",
          "UPDATE cells SET coordinates = '[[\"n\",3]]' WHERE cell = 9",
          "DELETE FROM cells WHERE cell = 3", "UPDATE runs SET version = '7'",
          "DELETE FROM chunks WHERE chunk = 2",
          "INSERT INTO path_sums(chunk, policy, path, horizon, type, until, arrivals, completed, "
          "first_tokens, arrival_time, completion_time, first_token_time) "
          "VALUES (1,0,0,0,0,0,0,0,0,'0','0','0')"}) {
        std::filesystem::copy_file(whole, damaged,
                                   std::filesystem::copy_options::overwrite_existing);
        run_sql(damaged, change);
        EXPECT_EQ(message_of(damaged).find(damaged.string() + ": the store is damaged: "), 0u)
            << change << "\n"
            << message_of(damaged);
        EXPECT_FALSE(check_store(damaged).is_whole()) << change;
    }
}

// Where chunks are lost, nothing says of which cells they were.
TEST_F(DamagedStoreTest, NoCellIsCalledWholeWhereChunksAreLost)
{
    run_sql(damaged, "DELETE FROM chunks WHERE chunk = 2");
    auto const check = check_store(damaged);
    EXPECT_EQ(check.cells, check_store(whole).cells);
    EXPECT_TRUE(check.whole_cells.empty());
}

// With true checksums, sums that no instances have must still not end the program.
TEST_F(DamagedStoreTest, SumsThatCannotBeAreRefused)
{
    for (std::string const change :
         {"UPDATE policy_sums SET latency_squares = '0' WHERE chunk = 2",
          "UPDATE policy_sums SET finished = -1 WHERE chunk = 2",
          "UPDATE policy_sums SET unfinished = unfinished + 1 WHERE chunk = 2",
          "UPDATE policy_sums SET latency = '12x' WHERE chunk = 2",
          "UPDATE ratio_sums SET denominator = '0' WHERE chunk = 2",
          "UPDATE ratio_sums SET smallest = largest + 1 WHERE chunk = 2",
          "UPDATE ratio_sums SET histogram = '{\"5\":1000}' WHERE chunk = 2",
          "UPDATE ratio_sums SET cross_products = '9' || cross_products WHERE chunk = 2",
          "UPDATE ratio_sums SET largest_instance = 77 WHERE chunk = 2",
          "DELETE FROM policy_sums WHERE chunk = 2",
          "UPDATE chunks SET count = 1e6 WHERE chunk = 2",
          "DELETE FROM policies WHERE policy = 1"}) {
        std::filesystem::copy_file(whole, damaged,
                                   std::filesystem::copy_options::overwrite_existing);
        run_sql(damaged, change);
        seal_all(damaged);
        EXPECT_EQ(message_of(damaged).find(damaged.string() + ": the store is damaged: chunk"), 0u)
            << change << "\n"
            << message_of(damaged);
    }
}

TEST_F(DamagedStoreTest, ASweepGoesOnWithWhatIsWholeOnRequest)
{
    auto const plan = fake_plan(30, 1);
    auto const redo = [&] {
        RunStore store(damaged, fake_header(), fake_run(), OnDamage::redo);
        Progress progress(stderr, ProgressStyle::none);
        auto const summary = run_sweep(plan, grid_cells(plan), store, fake_settings(), progress);
        return std::pair(summary, store.damaged_file());
    };
    EXPECT_EQ(redo().second, ""); // nothing is damaged
    for (std::string const change :
         {"UPDATE policy_sums SET latency_squares = '0' WHERE chunk = 2",
          "UPDATE cells SET coordinates = '[[\"n\",3]]' WHERE cell = 9",
          "DELETE FROM cells WHERE cell IN (3, 12)", "DELETE FROM chunks WHERE chunk % 3 = 1"}) {
        run_sql(damaged, change);
        auto const before = bytes_of(damaged);
        try {
            run_fake(damaged, plan);
            ADD_FAILURE() << change;
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("--redo-damaged"), std::string::npos);
        }
        EXPECT_EQ(bytes_of(damaged), before);
        auto const [summary, kept] = redo();
        EXPECT_GT(summary.instances_before, summary.instances / 2) << change;
        EXPECT_LT(summary.instances_before, summary.instances) << change;
        EXPECT_EQ(export_of(damaged), text) << change;
        EXPECT_TRUE(check_store(damaged).is_whole());
        EXPECT_EQ(bytes_of(kept), before);
    }
    EXPECT_TRUE(std::filesystem::exists(damaged.string() + ".damaged-4"));
    // Without a header nothing is known of what the rest means.
    run_sql(damaged, "UPDATE policies SET label = 'x' WHERE policy = 1");
    EXPECT_EQ(redo().first.instances_before, 0);
    EXPECT_EQ(export_of(damaged), text);
}

TEST_F(DamagedStoreTest, WhatSqliteCannotReadIsPutAsideOnRequest)
{
    auto const plan = fake_plan(30, 1);
    auto const size = std::filesystem::file_size(whole);
    for (bool const is_short : {true, false}) {
        if (is_short) {
            std::filesystem::resize_file(damaged, size / 2);
        } else { // the schema's page, behind the 100 bytes of the file's header
            std::fstream file(damaged, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(100);
            file << std::string(2000, '\7');
        }
        auto const before = bytes_of(damaged);
        auto const check = check_store(damaged);
        EXPECT_FALSE(check.is_whole());
        EXPECT_EQ(check.whole_cells, std::vector<std::int64_t>());
        try {
            run_fake(damaged, plan);
            ADD_FAILURE();
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("--redo-damaged"), std::string::npos)
                << error.what();
        }
        EXPECT_EQ(bytes_of(damaged), before);
        {
            RunStore store(damaged, fake_header(), fake_run(), OnDamage::redo);
            Progress progress(stderr, ProgressStyle::none);
            run_sweep(plan, grid_cells(plan), store, fake_settings(), progress);
            EXPECT_EQ(bytes_of(store.damaged_file()), before);
        }
        EXPECT_EQ(export_of(damaged), text);
    }
}

TEST_F(DamagedStoreTest, AnIndexThatDisagreesIsSeenAndMended)
{
    run_sql(damaged, "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = "
                     "(SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_cells_1') "
                     "WHERE name = 'sqlite_autoindex_chunks_1'");
    EXPECT_FALSE(check_store(damaged).is_whole());
    EXPECT_THROW(run_fake(damaged, fake_plan(30, 1)), InputError);
}

} // namespace
} // namespace crx_test

#include "host/store/tables/chunk_rows.hh"

#include "host/store/tables/path_rows.hh"
#include "host/store/tables/possible_sums.hh"
#include "host/store/tables/tally_rows.hh"

#include <stdexcept>

namespace crx {

ChunkReader::ChunkReader(Database const& database, Parts& parts)
    : parts_(parts), itself_(database.prepare(chunk_row_query)),
      of_policies_(database.prepare(policy_rows_query())),
      of_ratios_(database.prepare(ratio_rows_query())),
      of_paths_(database.prepare(path_rows_query()))
{
}

ChunkSums ChunkReader::read(ChunkRow const& chunk)
{
    auto const policies = parts_.policies();
    ChunkSums sums{Tally(policies), std::vector<std::string>(policies), PathSums(policies)};
    RowChecksum checksum;
    auto const each = [&](Statement& rows, auto const& use) {
        rows.reset();
        rows.bind(chunk.chunk);
        while (rows.step()) {
            checksum.add(rows);
            use(rows);
        }
        rows.reset();
    };
    auto const count = [&](Statement const& row) {
        ++sums.rows;
        return policy(row);
    };
    each(itself_, [](Statement const&) {});
    each(of_policies_, [&](Statement const& row) {
        auto const p = count(row);
        add_policy_row(row, sums.tally[p], sums.engines[p]);
    });
    each(of_ratios_, [&](Statement const& row) { add_ratio_row(row, sums.tally[count(row)]); });
    each(of_paths_, [&](Statement const& row) {
        count(row);
        add_path_row(row, sums.paths);
    });
    if (checksum.text() != chunk.checksum)
        throw std::invalid_argument("its checksum is " + checksum.text() + ", not '" +
                                    chunk.checksum + "'");
    sums.holdings = &parts_.of(chunk.part);
    if (parts_.model() == Model::rounds)
        expect_possible(sums.tally, {chunk.first, chunk.count}, *sums.holdings, parts_.baselines());
    else
        expect_possible(sums.paths, {chunk.first, chunk.count}, *sums.holdings);
    return sums;
}

namespace {

std::vector<ChunkRow> list(Statement& row)
{
    std::vector<ChunkRow> chunks;
    while (row.step())
        chunks.push_back({row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                          row.integer(4), row.integer(5), row.text(6)});
    return chunks;
}

} // namespace

std::vector<ChunkRow> list_chunks(Database const& database)
{
    // NOT INDEXED: a damaged index must not say what the table holds.
    auto rows =
        database.prepare("SELECT chunk, cell, first, count, run, part, checksum FROM chunks "
                         "NOT INDEXED ORDER BY cell, first");
    return list(rows);
}

std::vector<ChunkRow> list_chunks(Database const& database, std::int64_t cell)
{
    auto rows =
        database.prepare("SELECT chunk, cell, first, count, run, part, checksum FROM chunks "
                         "WHERE cell = ? ORDER BY first");
    rows.bind(cell);
    return list(rows);
}

std::size_t ChunkReader::policy(Statement const& row) const
{
    auto const number = row.integer(0);
    if (number < 0 || static_cast<std::size_t>(number) >= parts_.policies())
        throw std::invalid_argument("unknown policy " + row.text(0));
    return static_cast<std::size_t>(number);
}

} // namespace crx

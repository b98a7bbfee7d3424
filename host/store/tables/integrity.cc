#include "host/store/tables/integrity.hh"

#include <fmt/core.h>

namespace crx {

namespace {

std::string name_of(ChunkRow const& chunk)
{
    return fmt::format("chunk {} (cell {}, instances {} to {})", chunk.chunk, chunk.cell,
                       chunk.first, chunk.first + chunk.count - 1);
}

void expect_checksum(std::string const& found, std::string const& written)
{
    if (found != written)
        throw std::invalid_argument("its checksum is " + found + ", not '" + written + "'");
}

/// One reading of a store from beginning to end.
class Inspector
{
  public:
    explicit Inspector(Database const& database) : database_(database) {}

    Inspection run(std::function<void(ChunkRow const&, ChunkSums&&)> const& use)
    {
        part("the header", -1, [&] { seen_.header = read_whole_header(database_); });
        part("the list of cells", -1, [&] { list_cells(); });
        part("the list of runs", -1, [&] { list_runs(); });
        std::vector<ChunkRow> listed;
        seen_.all_listed = part("the list of chunks", -1, [&] { listed = list_chunks(database_); });
        if (seen_.header) {
            Parts parts(database_, *seen_.header);
            ChunkReader reader(database_, parts);
            for (auto const& chunk : listed)
                part(name_of(chunk), chunk.cell, [&] { read_chunk(reader, chunk, use); });
            seen_.all_listed &= part("the tables of sums", -1, [&] { expect_no_others(); });
        }
        return std::move(seen_);
    }

  private:
    /// Reads a part; what is wrong with it is noted, and the rest goes on. Whether all is well.
    template <class Read>
    bool part(std::string const& what, std::int64_t cell, Read read)
    {
        try {
            read();
            return true;
        } catch (std::exception const& error) {
            seen_.damage.push_back({what + ": " + error.what(), cell});
            return false;
        }
    }

    void list_cells()
    {
        auto row = database_.prepare(fmt::format("SELECT {}, checksum FROM cells NOT INDEXED "
                                                 "ORDER BY cell",
                                                 sealed_cells.columns));
        while (row.step()) {
            auto const index = row.integer(0);
            part(fmt::format("cell {}", index), index, [&] {
                expect_row(row);
                seen_.cells.push_back(read_cell(row));
                cells_.insert(index);
            });
        }
    }

    void list_runs()
    {
        auto row = database_.prepare(
            fmt::format("SELECT {}, checksum FROM runs ORDER BY run", sealed_runs.columns));
        while (row.step())
            part(fmt::format("run {}", row.integer(0)), -1, [&] {
                expect_row(row);
                seen_.runs.insert(row.integer(0));
            });
    }

    /// Of a row whose last column is its checksum.
    static void expect_row(Statement const& row)
    {
        RowChecksum checksum;
        checksum.add(row, row.columns() - 1);
        expect_checksum(checksum.text(), row.text(row.columns() - 1));
    }

    void read_chunk(ChunkReader& reader, ChunkRow const& chunk,
                    std::function<void(ChunkRow const&, ChunkSums&&)> const& use)
    {
        auto sums = reader.read(chunk);
        rows_ += sums.rows;
        if (cells_.count(chunk.cell) == 0) throw std::invalid_argument("its cell is damaged");
        if (seen_.runs.count(chunk.run) == 0)
            throw std::invalid_argument("the run that made it is damaged");
        expect_new(chunk, *sums.holdings);
        seen_.chunks.push_back(chunk);
        if (use) use(chunk, std::move(sums));
    }

    /// That no whole chunk so far has the same sums of the same instances.
    void expect_new(ChunkRow const& chunk, Holdings const& holdings)
    {
        if (seen_.chunks.empty() || seen_.chunks.back().cell != chunk.cell) last_.clear();
        for (auto const& [of, last] : last_)
            if (last.first + last.count > chunk.first && of.meets(holdings))
                throw std::invalid_argument("some of its instances are in " + name_of(last) +
                                            " too");
        last_[holdings] = chunk;
    }

    /// Rows whose chunk is gone.
    void expect_no_others()
    {
        if (!seen_.damage.empty()) return; // whose rows were not all counted
        std::int64_t rows = 0;
        for (std::string const table : {"policy_sums", "ratio_sums", "path_sums"})
            rows += database_.integer("SELECT count(*) FROM " + table);
        if (rows != rows_)
            throw std::invalid_argument(
                fmt::format("{} rows, of which {} belong to a chunk", rows, rows_));
    }

    Database const& database_;
    Inspection seen_;
    std::set<std::int64_t> cells_;      ///< those of seen_.cells
    std::map<Holdings, ChunkRow> last_; ///< of the cell at hand, by what they hold
    std::int64_t rows_ = 0;             ///< of sums, of whole chunks
};

} // namespace

Inspection inspect(Database const& database,
                   std::function<void(ChunkRow const&, ChunkSums&&)> const& use)
{
    return Inspector(database).run(use);
}

void inspect_structure(Database const& database, std::vector<Damage>& damage)
{
    try {
        auto row = database.prepare("PRAGMA integrity_check(20)");
        while (row.step())
            if (row.text(0) != "ok") damage.push_back({"SQLite: " + row.text(0)});
    } catch (DatabaseError const& error) {
        damage.push_back({std::string("SQLite: ") + error.what()});
    }
}

StoreHeader read_whole_header(Database const& database)
{
    auto written = database.prepare("SELECT value FROM meta WHERE key = 'checksum'");
    expect_checksum(header_checksum(database), written.step() ? written.text(0) : "");
    return read_header(database);
}

DamagedStore::DamagedStore(std::vector<Damage> const& damage)
    : std::runtime_error("the store is damaged: " + damage.at(0).what +
                         (damage.size() > 1 ? fmt::format("; and {} more", damage.size() - 1) : ""))
{
}

} // namespace crx

#include "host/store/tables/checksums.hh"

#include "host/store/tables/path_rows.hh"
#include "host/store/tables/tally_rows.hh"

#include <boost/crc.hpp>
#include <fmt/core.h>

namespace crx {

namespace {

/// CRC-64/XZ (ECMA-182, reflected), as xz and Python's packages compute it.
using Crc =
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693u, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true>;

constexpr unsigned char end_of_value = 0x1f, end_of_row = 0x1e, absent = 0;

void add_all(RowChecksum& checksum, Statement& rows)
{
    while (rows.step()) checksum.add(rows);
}

std::string row_checksum(Database const& database, SealedTable const& table, std::int64_t key)
{
    auto row = database.prepare(
        fmt::format("SELECT {} FROM {} WHERE {} = ?", table.columns, table.name, table.key));
    row.bind(key);
    RowChecksum checksum;
    add_all(checksum, row);
    return checksum.text();
}

void write_checksum(Database const& database, char const* table, char const* key,
                    std::int64_t value, std::string const& checksum)
{
    database.prepare(fmt::format("UPDATE {} SET checksum = ? WHERE {} = ?", table, key))
        .bind(std::string_view(checksum))
        .bind(value)
        .run();
}

} // namespace

void RowChecksum::add(Statement const& row, int columns)
{
    for (int column = 0; column < columns; ++column) {
        if (row.is_absent(column))
            text_ += static_cast<char>(absent);
        else
            text_ += row.text(column) + static_cast<char>(end_of_value);
    }
    text_ += static_cast<char>(end_of_row);
}

std::string RowChecksum::text() const
{
    Crc crc;
    crc.process_bytes(text_.data(), text_.size());
    return fmt::format("{:016x}", crc.checksum());
}

void seal_row(Database const& database, SealedTable const& table, std::int64_t key)
{
    write_checksum(database, table.name, table.key, key, row_checksum(database, table, key));
}

std::string header_checksum(Database const& database)
{
    RowChecksum checksum;
    for (auto const* query : {"SELECT key, value FROM meta WHERE key <> 'checksum' ORDER BY key",
                              "SELECT policy, id, label FROM policies NOT INDEXED ORDER BY policy",
                              "SELECT part, holds FROM parts ORDER BY part"}) {
        auto rows = database.prepare(query);
        add_all(checksum, rows);
    }
    return checksum.text();
}

void seal_header(Database const& database)
{
    database.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES ('checksum', ?)")
        .bind(std::string_view(header_checksum(database)))
        .run();
}

void seal_chunk(Database const& database, std::int64_t chunk)
{
    RowChecksum checksum;
    for (auto const& query : {std::string(chunk_row_query), policy_rows_query(), ratio_rows_query(),
                              path_rows_query()}) {
        auto rows = database.prepare(query);
        rows.bind(chunk);
        add_all(checksum, rows);
    }
    write_checksum(database, "chunks", "chunk", chunk, checksum.text());
}

} // namespace crx

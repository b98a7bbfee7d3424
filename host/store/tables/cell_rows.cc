#include "host/store/tables/cell_rows.hh"

#include "host/store/store_header.hh"
#include "host/store/tables/checksums.hh"
#include "host/store/tables/chunk_rows.hh"

#include <nlohmann/json.hpp>

namespace crx {

namespace {
using Json = nlohmann::json;
}

StoredCell read_cell(Statement const& row)
{
    StoredCell cell;
    cell.index = row.integer(0);
    cell.sweep = row.text(1);
    cell.coordinates = Json::parse(row.text(2)).get<Coordinates>();
    cell.parameters = Json::parse(row.text(3)).get<std::map<std::string, double>>();
    cell.identity = row.text(4);
    cell.left_out = Json::parse(row.text(6)).get<decltype(cell.left_out)>();
    return cell;
}

void insert_cell(Database const& database, StoredCell const& cell)
{
    database
        .prepare("INSERT INTO cells(cell, sweep, coordinates, parameters, identity, identity_hash, "
                 "left_out, checksum) VALUES (?,?,?,?,?,?,?,'')")
        .bind(cell.index)
        .bind(std::string_view(cell.sweep))
        .bind(std::string_view(coordinates_text(cell.coordinates)))
        .bind(std::string_view(Json(cell.parameters).dump()))
        .bind(std::string_view(cell.identity))
        .bind(std::string_view(identity_hash(cell.identity)))
        .bind(std::string_view(Json(cell.left_out).dump()))
        .run();
    seal_row(database, sealed_cells, cell.index);
}

void replace_cell(Database const& database, std::int64_t index, StoredCell const& cell)
{
    database
        .prepare("UPDATE cells SET cell = ?, parameters = ?, identity = ?, identity_hash = ?, "
                 "left_out = ? WHERE cell = ?")
        .bind(cell.index)
        .bind(std::string_view(Json(cell.parameters).dump()))
        .bind(std::string_view(cell.identity))
        .bind(std::string_view(identity_hash(cell.identity)))
        .bind(std::string_view(Json(cell.left_out).dump()))
        .bind(index)
        .run();
    if (cell.index != index)
        database.prepare("UPDATE chunks SET cell = ? WHERE cell = ?")
            .bind(cell.index)
            .bind(index)
            .run();
    seal_row(database, sealed_cells, cell.index);
    for (auto const& chunk : list_chunks(database, cell.index)) seal_chunk(database, chunk.chunk);
}

std::string coordinates_text(Coordinates const& coordinates) { return Json(coordinates).dump(); }

} // namespace crx

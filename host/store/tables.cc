#include "host/store/tables.hh"

#include <array>
#include <cstring>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using Json = nlohmann::json;

// docs/store.md describes every column; keep the two together. The view comes first and all of this
// is short, so that the store's id lies on the file's first page (host/store/journal.hh).
constexpr char const* tables = R"(
CREATE TABLE experiments(
  experiment INTEGER PRIMARY KEY, used TEXT, name TEXT, text TEXT, folder TEXT, overrides TEXT,
  seed TEXT, model TEXT, identity TEXT, policies TEXT, baselines TEXT, shard TEXT,
  checksum INTEGER);
CREATE TABLE runs(
  run INTEGER PRIMARY KEY, started TEXT, version TEXT, commit_id TEXT, build_type TEXT,
  backend TEXT, device TEXT, milliseconds INTEGER, checksum INTEGER);
CREATE TABLE cells(
  cell INTEGER PRIMARY KEY, sweep TEXT, coordinates TEXT, parameters TEXT, identity TEXT,
  left_out TEXT, keys BLOB, checksum INTEGER);
CREATE TABLE sums(
  chunk INTEGER PRIMARY KEY, key BLOB, first INTEGER, count INTEGER, run INTEGER, engine TEXT,
  sums TEXT, checksum INTEGER);
)";

constexpr char end_of_value = 0x1f;

/// Tables of CRC-64/XZ for eight bytes at a time: entry b of table k is what byte b becomes with k
/// bytes of 0 behind it (Kounavis and Berry 2005, slicing by 8).
struct CrcTables
{
    std::array<std::array<std::uint64_t, 256>, 8> of;

    CrcTables()
    {
        constexpr std::uint64_t reversed = 0xC96C5795D7870F42u;
        for (std::uint64_t b = 0; b < 256; ++b) {
            auto crc = b;
            for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? reversed : 0);
            of[0][b] = crc;
        }
        for (std::size_t k = 1; k < of.size(); ++k)
            for (std::size_t b = 0; b < 256; ++b)
                of[k][b] = (of[k - 1][b] >> 8) ^ of[0][of[k - 1][b] & 255];
    }
};

/// CRC-64/XZ of a row's columns as text with byte 1F after each; of `sums` without the number.
std::int64_t checksum_of(std::string const& covered)
{
    static CrcTables const tables;
    auto crc = ~std::uint64_t{0};
    std::size_t at = 0;
    for (; at + 8 <= covered.size(); at += 8) {
        std::uint64_t eight = 0; // the first byte lowest, as on every processor here
        std::memcpy(&eight, covered.data() + at, 8);
        eight ^= crc;
        crc = 0;
        for (std::size_t k = 0; k < 8; ++k) crc ^= tables.of[7 - k][(eight >> (8 * k)) & 255];
    }
    for (; at < covered.size(); ++at)
        crc = (crc >> 8) ^ tables.of[0][(crc ^ static_cast<unsigned char>(covered[at])) & 255];
    return static_cast<std::int64_t>(~crc);
}

/// Takes the columns of a row one after the other.
class RowReader
{
  public:
    explicit RowReader(SQLite::Statement& row) : row_(row) {}
    std::int64_t number() { return row_.getColumn(at_++).getInt64(); }
    std::string text()
    {
        auto const column = row_.getColumn(at_++);
        auto const* const bytes = static_cast<char const*>(column.getBlob());
        std::string value(bytes == nullptr ? "" : bytes,
                          bytes == nullptr ? 0 : static_cast<std::size_t>(column.getBytes()));
        covered_ += value;
        covered_ += end_of_value;
        return value;
    }
    std::int64_t integer()
    {
        auto const column = row_.getColumn(at_++);
        auto const value = column.getInt64();
        covered_ += column.isInteger() ? std::to_string(value) : "another type";
        covered_ += end_of_value;
        return value;
    }
    /// Whether the last column is the checksum of those before.
    bool is_whole()
    {
        auto const column = row_.getColumn(at_);
        return column.isInteger() && column.getInt64() == checksum_of(covered_);
    }

  private:
    SQLite::Statement& row_;
    int at_ = 0;
    std::string covered_;
};

std::string insert_into(RowQuery const& rows)
{
    std::string places = "?";
    for (char const c : std::string_view(rows.columns))
        if (c == ',') places += ",?";
    return fmt::format("INSERT OR REPLACE INTO {}({}) VALUES ({})", rows.table, rows.columns,
                       places);
}

} // namespace

void create_tables(SQLite::Database& database, std::string const& id)
{
    database.exec("CREATE VIEW store AS SELECT '" + id + "' AS id;");
    database.exec(tables);
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                              store_application_id, store_version));
}

StoreHeader header_of(Experiment const& experiment, std::filesystem::path const& folder,
                      std::vector<std::string> const& overrides)
{
    return {experiment.name,
            experiment.text,
            std::filesystem::absolute(folder).lexically_normal().string(),
            overrides,
            experiment.seed,
            experiment.identity,
            experiment.policies,
            experiment.baselines,
            experiment.model};
}

std::string select_all(RowQuery const& rows)
{
    return fmt::format("SELECT {} FROM {} ORDER BY {}", rows.columns, rows.table, rows.key);
}

std::string select_one(RowQuery const& rows)
{
    return fmt::format("SELECT {} FROM {} WHERE {} = ?", rows.columns, rows.table, rows.key);
}

std::optional<StoreHeader> read_experiment(SQLite::Statement& row)
{
    RowReader next(row);
    StoreHeader header;
    next.integer();
    header.used = next.text();
    header.name = next.text();
    header.text = next.text();
    header.folder = next.text();
    auto const overrides = next.text(), seed = next.text(), model = next.text();
    header.identity = next.text();
    auto const policies = next.text(), baselines = next.text();
    header.shard = next.text();
    if (!next.is_whole()) return {};
    header.overrides = Json::parse(overrides).get<std::vector<std::string>>();
    header.seed = std::stoull(seed);
    header.model = model == model_ids[1] ? Model::iterations : Model::rounds;
    for (auto const& policy : Json::parse(policies))
        header.policies.push_back({policy.at(0), policy.at(1)});
    header.baselines = Json::parse(baselines).get<std::vector<std::string>>();
    return header;
}

std::optional<StoredRun> read_run(SQLite::Statement& row)
{
    RowReader next(row);
    StoredRun run;
    run.number = next.integer();
    for (auto* const text :
         {&run.started, &run.version, &run.commit, &run.build_type, &run.backend, &run.device})
        *text = next.text();
    run.seconds = 1e-3 * static_cast<double>(next.integer());
    if (!next.is_whole()) return {};
    return run;
}

std::optional<StoredCell> read_cell(SQLite::Statement& row, std::size_t policies)
{
    RowReader next(row);
    StoredCell cell;
    cell.index = next.integer();
    cell.sweep = next.text();
    auto const coordinates = next.text(), parameters = next.text();
    cell.identity = next.text();
    auto const left_out = next.text(), keys = next.text();
    if (!next.is_whole()) return {};
    cell.coordinates = Json::parse(coordinates).get<Coordinates>();
    cell.parameters = Json::parse(parameters).get<std::map<std::string, double>>();
    cell.left_out = Json::parse(left_out).get<decltype(cell.left_out)>();
    cell.keys = parse_keys(keys, policies);
    return cell;
}

namespace {

/// Whether the row is as it was written.
bool read_into(SumsRow& sums, SQLite::Statement& row)
{
    RowReader next(row);
    sums.number = next.number();
    auto const key = next.text();
    sums.first = next.integer();
    sums.count = next.integer();
    sums.run = next.integer();
    sums.engine = next.text();
    sums.sums = next.text();
    if (key.size() != sums.key.bytes.size()) return false;
    std::copy(key.begin(), key.end(), sums.key.bytes.begin());
    return next.is_whole();
}

} // namespace

std::optional<SumsRow> read_sums(SQLite::Statement& row)
{
    SumsRow sums;
    if (!read_into(sums, row)) return {};
    return sums;
}

SumsRow claimed_sums(SQLite::Statement& row)
{
    SumsRow sums;
    read_into(sums, row);
    return sums;
}

RowWriter::RowWriter(SQLite::Database& database, RowQuery const& rows)
    : database_(database), row_(database, insert_into(rows))
{
}

void RowWriter::begin(std::int64_t number)
{
    row_.reset();
    at_ = 0;
    covered_.clear();
    if (number == new_row)
        row_.bind(++at_); // nothing: SQLite takes the next number
    else
        integer(number);
}

void RowWriter::text(std::string_view value)
{
    covered_ += value;
    covered_ += end_of_value;
    row_.bind(++at_, std::string(value));
}

void RowWriter::bytes(std::string_view value)
{
    covered_ += value;
    covered_ += end_of_value;
    row_.bind(++at_, value.data(), static_cast<int>(value.size()));
}

void RowWriter::integer(std::int64_t value)
{
    covered_ += std::to_string(value);
    covered_ += end_of_value;
    row_.bind(++at_, value);
}

std::int64_t RowWriter::end()
{
    row_.bind(++at_, checksum_of(covered_));
    row_.exec();
    return database_.getLastInsertRowid();
}

std::int64_t RowWriter::write(StoreHeader const& header, std::int64_t number)
{
    auto policies = Json::array();
    for (auto const& policy : header.policies) policies.push_back({policy.id, policy.label});
    begin(number);
    text(header.used);
    text(header.name);
    text(header.text);
    text(header.folder);
    text(Json(header.overrides).dump());
    text(std::to_string(header.seed));
    text(model_ids[static_cast<int>(header.model)]);
    text(header.identity);
    text(policies.dump());
    text(Json(header.baselines).dump());
    text(header.shard);
    return end();
}

std::int64_t RowWriter::write(StoredRun const& run)
{
    begin(run.number);
    for (auto const* const value :
         {&run.started, &run.version, &run.commit, &run.build_type, &run.backend, &run.device})
        text(*value);
    integer(static_cast<std::int64_t>(1e3 * run.seconds + 0.5));
    return end();
}

std::int64_t RowWriter::write(StoredCell const& cell)
{
    begin(cell.index);
    text(cell.sweep);
    text(coordinates_text(cell.coordinates));
    text(Json(cell.parameters).dump());
    text(cell.identity);
    text(Json(cell.left_out).dump());
    bytes(to_bytes(cell.keys));
    return end();
}

std::int64_t RowWriter::write(SumsRow const& sums)
{
    begin(sums.number);
    bytes({reinterpret_cast<char const*>(sums.key.bytes.data()), sums.key.bytes.size()});
    integer(sums.first);
    integer(sums.count);
    integer(sums.run);
    text(sums.engine);
    text(sums.sums);
    return end();
}

std::string coordinates_text(Coordinates const& coordinates) { return Json(coordinates).dump(); }

} // namespace crx

#include "host/store/database.hh"

#include "host/error.hh"
#include "host/output_file.hh"
#include "host/say.hh"
#include "host/shell_word.hh"
#include "host/store/journal.hh"
#include "host/store/place.hh"
#include "host/store/tables.hh"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <sqlite3.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

constexpr int patience_ms = 60'000; ///< how long another program may hold the file

/// Throws where the file is no store of these tables.
void expect_store(fs::path const& file, FileKind kind)
{
    auto const name = file.string();
    switch (kind) {
    case FileKind::store: return;
    case FileKind::absent: throw InputError(name + ": is empty\n  crx sweep makes a store of it");
    case FileKind::newer:
        throw InputError(name + ": made by a later version of crx; nothing was changed\n  use " +
                         "that one, or choose another file with --db FILE");
    case FileKind::older:
        throw InputError(name + ": made by an earlier version of crx, whose tables this one does " +
                         "not read; nothing was changed\n  crx sweep EXPERIMENT --db " +
                         shell_word(file.stem().string() + "-new.db") + " makes it anew; " +
                         "sqlite3 " + shell_word(name) +
                         " \"SELECT value FROM meta WHERE key = 'experiment_text'\" prints its " +
                         "experiment");
    case FileKind::foreign:
        throw InputError(
            name + ": not a store of crx; nothing was changed\n  choose another " +
            "file; if it was a store, its first bytes are damaged: move it away, and " +
            "sweep again");
    }
}

[[noreturn]] void fail(fs::path const& file, SQLite::Exception const& error, int reason)
{
    auto const text = explain(file, error, reason);
    if (is_of_disk(error)) throw RunError(text);
    throw InputError(text);
}

/// A private folder that is gone at the end.
class ScratchFolder
{
  public:
    ScratchFolder() : path_((fs::temp_directory_path() / "crx-read-XXXXXX").string())
    {
        if (::mkdtemp(path_.data()) == nullptr)
            throw RunError(path_ + ": no folder can be made there for a copy");
    }
    ScratchFolder(ScratchFolder const&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    fs::path operator/(char const* name) const { return fs::path(path_) / name; }

  private:
    std::string path_;
};

/// An open store for reading, and its copy where it is one.
struct Reading
{
    std::optional<ScratchFolder> scratch; ///< goes after the database
    std::optional<SQLite::Database> database;
};

bool try_to_open(fs::path const& file, Reading& reading)
{
    if (has_foreign_part(file)) return false;
    try {
        reading.database.emplace(file.string(), SQLite::OPEN_READONLY, patience_ms);
        reading.database->execAndGet("SELECT count(*) FROM sqlite_master");
        return true;
    } catch (SQLite::Exception const& error) {
        reading.database.reset();
        // What SQLite answers where it must undo a commit and may not.
        if (has_own_journal(file) &&
            (error.getErrorCode() == SQLITE_READONLY || error.getErrorCode() == SQLITE_CANTOPEN))
            return false;
        throw;
    }
}

void open_copy(fs::path const& file, Reading& reading)
{
    reading.scratch.emplace();
    auto const copy = *reading.scratch / "copy.db";
    std::error_code failed;
    fs::copy_file(file, copy, failed);
    if (!failed && has_own_journal(file))
        fs::copy_file(file.string() + "-journal", copy.string() + "-journal", failed);
    if (failed) throw RunError(file.string() + ": cannot be copied: " + failed.message());
    fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, failed);
    reading.database.emplace(copy.string(), SQLite::OPEN_READWRITE, patience_ms);
    reading.database->execAndGet("SELECT count(*) FROM sqlite_master");
}

void read_at_one_moment(fs::path const& file, std::function<void(SQLite::Database&)> const& use)
{
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        auto const before = state_of(file);
        Reading reading;
        if (!try_to_open(file, reading)) open_copy(file, reading);
        auto const is_last = [&] {
            return attempt == attempts || !reading.scratch || state_of(file) == before;
        };
        try {
            SQLite::Transaction const view(*reading.database);
            use(*reading.database);
            if (is_last()) return;
        } catch (std::exception const&) {
            if (is_last()) throw;
        }
    }
}

} // namespace

void with_store(fs::path const& named, std::function<void(SQLite::Database&)> const& use)
{
    auto const file = where_it_leads(named);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) throw InputError(named.string() + ": there is no such file");
    if (fs::is_directory(file, ignored))
        throw InputError(named.string() + ": is a folder, not a store of crx");
    if (!fs::is_regular_file(file, ignored)) // to open a pipe could wait for ever
        throw InputError(named.string() + ": is a pipe or a device, not a store of crx");
    if (::access(file.c_str(), R_OK) != 0)
        throw InputError(named.string() + ": cannot be read: " + std::strerror(errno));
    expect_store(named, kind_of(file));
    try {
        read_at_one_moment(file, use);
    } catch (SQLite::Exception const& error) {
        fail(named, error, 0);
    }
}

SQLite::Database open_to_write(fs::path const& named)
{
    auto const file = where_it_leads(named);
    auto const kind = kind_of(file);
    if (kind != FileKind::absent) expect_store(named, kind);
    for (auto const& aside : set_foreign_parts_aside(file))
        say(named.string() + ": what a killed program left there of another store is now " +
            aside.string());
    if (kind == FileKind::absent) {
        try {
            write_file(file, empty_store());
        } catch (RunError const& error) {
            auto const reason = std::string(error.what());
            throw RunError(reason.substr(0, reason.find('\n')) +
                           "\n  no store was made; choose another place with --db FILE");
        }
    }
    try {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, patience_ms);
        // A commit is on the disk before the next begins, and the file is not touched in between.
        database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; "
                      "PRAGMA cache_spill = OFF; PRAGMA temp_store = MEMORY");
        return database;
    } catch (SQLite::Exception const& error) {
        fail(named, error, errno);
    }
}

std::string empty_store()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    create_tables(database, new_store_id());
    sqlite3_int64 size = 0;
    std::unique_ptr<unsigned char, void (*)(void*)> const bytes(
        sqlite3_serialize(database.getHandle(), "main", &size, 0), sqlite3_free);
    if (bytes == nullptr) throw std::bad_alloc();
    return {reinterpret_cast<char const*>(bytes.get()), static_cast<std::size_t>(size)};
}

namespace {

/// What the tables are said to be; a changed letter may make another table of the same bytes.
std::string schema_of(SQLite::Database& database)
{
    SQLite::Statement row(database, "SELECT sql FROM sqlite_schema WHERE type = 'table'");
    std::string schema;
    while (row.executeStep()) schema += row.getColumn(0).getString() + "\n";
    return schema;
}

} // namespace

std::vector<std::string> structure_damage(SQLite::Database& database)
{
    std::vector<std::string> damage;
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    create_tables(fresh, new_store_id());
    if (schema_of(database) != schema_of(fresh)) damage.push_back("other tables than a store has");
    SQLite::Statement row(database, "PRAGMA quick_check(20)");
    while (row.executeStep())
        if (auto text = row.getColumn(0).getString(); text != "ok")
            damage.push_back(std::move(text));
    return damage;
}

std::string explain(fs::path const& file, SQLite::Exception const& error, int reason)
{
    std::string const name = file.string();
    std::string what = error.what();
    if (reason != 0) what += std::string(" (") + std::strerror(reason) + ")";
    switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: // a table or a column is not there
        return name + ": the store is damaged, and SQLite cannot read it (" + what +
               ")\n  move it away, and sweep again; SQLite's own .recover may save rows of it";
    case SQLITE_NOMEM: return name + ": there is not enough memory to read or write it";
    case SQLITE_FULL: return name + ": the disk is full\n  free some space on it";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return name + ": another program keeps the file locked\n  close it there, then try again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return name + ": cannot be written: " + what + "\n  choose another place with --db FILE";
    case SQLITE_CANTOPEN: return name + ": cannot be opened: " + what;
    case SQLITE_IOERR:
        return name + ": cannot be read or written: " + what +
               "\n  the disk fails, or a file may not grow (ulimit -f)";
    default: return name + ": " + what;
    }
}

std::string explain(fs::path const& file, SQLite::Exception const& error,
                    SQLite::Database& database)
{
    auto const code = error.getErrorCode();
    bool const of_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
    return explain(file, error, of_system ? sqlite3_system_errno(database.getHandle()) : 0);
}

bool is_of_disk(SQLite::Exception const& error)
{
    auto const code = error.getErrorCode();
    return code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_NOMEM;
}

std::string how_to_mend(fs::path const& file)
{
    return "crx check " + shell_word(file.string()) +
           " lists all that is damaged; the sweep command that made it runs that part again";
}

} // namespace crx

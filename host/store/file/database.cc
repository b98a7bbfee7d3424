#include "host/store/file/database.hh"

#include "host/store/file/database_file.hh"

#include <cstring>
#include <exception>
#include <new>
#include <sqlite3.h>

namespace crx {

namespace {

constexpr int patience_ms = 10'000; ///< how long another program may hold the file

[[noreturn]] void fail(sqlite3* database)
{
    int const code = sqlite3_errcode(database) & 0xff;
    std::string message = sqlite3_errmsg(database);
    int const reason = sqlite3_system_errno(database);
    if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && reason != 0)
        message += std::string(" (") + std::strerror(reason) + ")";
    throw DatabaseError(code, message);
}

} // namespace

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database)
{
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement,
                             nullptr));
    statement_.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int result) const
{
    if (result != SQLITE_OK) fail(database_);
}

Statement& Statement::bind(std::int64_t value)
{
    check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
    return *this;
}

Statement& Statement::bind(double value)
{
    check(sqlite3_bind_double(statement_.get(), ++bound_, value));
    return *this;
}

Statement& Statement::bind(std::string_view value)
{
    auto const* const text = value.empty() ? "" : value.data(); // SQLite takes no pointer for NULL
    check(sqlite3_bind_text64(statement_.get(), ++bound_, text, value.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
}

bool Statement::step()
{
    int const result = sqlite3_step(statement_.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail(database_);
    return result == SQLITE_ROW;
}

void Statement::reset()
{
    sqlite3_reset(statement_.get());
    bound_ = 0;
}

void Statement::run()
{
    while (step()) {
    }
    reset();
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const
{
    auto const* text = sqlite3_column_text(statement_.get(), column);
    auto const size = sqlite3_column_bytes(statement_.get(), column);
    if (text == nullptr) {
        if (sqlite3_errcode(database_) == SQLITE_NOMEM) throw std::bad_alloc();
        return {};
    }
    return {reinterpret_cast<char const*>(text), static_cast<std::size_t>(size)};
}

bool Statement::is_absent(int column) const
{
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void Database::open(std::string const& name, int flags)
{
    sqlite3* database = nullptr;
    int const result =
        sqlite3_open_v2(name.c_str(), &database, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
    database_.reset(database);
    if (result != SQLITE_OK) fail(database);
    sqlite3_busy_timeout(database, patience_ms);
}

Database::Database(std::filesystem::path const& file, Access access)
    : file_(where_it_leads(file).string())
{
    if (access == Access::read)
        open_to_read();
    else
        open_to_write();
}

void Database::open_to_write()
{
    open(file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    // Before the file is first read: SQLite's log needs no shared index then.
    if (log_is_unsafe()) run("PRAGMA locking_mode = EXCLUSIVE");
}

void Database::run(std::string const& sql) const
{
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(database_.get());
}

void Database::leave_log() const
{
    int leave = 1;
    sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_PERSIST_WAL, &leave);
}

std::int64_t Database::integer(std::string_view sql) const
{
    auto statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

Transaction::Transaction(Database const& database, Kind kind) : database_(database)
{
    database.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction()
{
    if (!open_) return;
    try {
        database_.run("ROLLBACK");
    } catch (std::exception const&) {
        // SQLite rolls back by itself after some failures; then there is nothing left to undo.
        // What is left, also where there is no memory to say so, goes with the connection.
    }
}

void Transaction::commit()
{
    database_.run("COMMIT");
    open_ = false;
}

} // namespace crx

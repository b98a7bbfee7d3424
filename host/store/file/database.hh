#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace crx {

/// What SQLite answered; `code` is its primary result code (SQLITE_FULL, ..).
class DatabaseError : public std::runtime_error
{
  public:
    DatabaseError(int result, std::string const& message)
        : std::runtime_error(message), code(result)
    {
    }
    int code;
};

/// One statement with its bound values. Columns count from 0, parameters are bound in order.
class Statement
{
  public:
    Statement(sqlite3* database, std::string_view sql);

    Statement& bind(std::int64_t value);
    Statement& bind(double value);
    Statement& bind(std::string_view value);
    /// To the next row; false where there is none. Throws DatabaseError.
    bool step();
    /// Runs to the end and makes ready for new values.
    void run();
    void reset();

    std::int64_t integer(int column) const;
    std::string text(int column) const;
    bool is_absent(int column) const; ///< holds NULL
    int columns() const;

  private:
    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int result) const;
    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int bound_ = 0;
};

enum class Access
{
    read, ///< leaves no file behind, and needs no right to write beside the file
    write ///< the file is made if it is not there; see Database
};

/// An open SQLite file. One that has a write-ahead log and lies on a file system over a network, as
/// where it was moved there after a kill, is opened to write without the index that processes would
/// share, and so for this process alone until its journal is another. Every failure is a
/// DatabaseError. A name is a path and nothing else: none is SQLite's for a database in memory,
/// none is a URI.
class Database
{
  public:
    Database(std::filesystem::path const& file, Access access);

    /// False where the file is read without a lock and was written meanwhile: what was read may
    /// then be of two moments.
    bool is_current() const { return !unlocked_ || *unlocked_ == version_of(file_); }

    Statement prepare(std::string_view sql) const { return {database_.get(), sql}; }
    /// Runs statements that take no values.
    void run(std::string const& sql) const;
    /// The one integer a query answers, as PRAGMA user_version.
    std::int64_t integer(std::string_view sql) const;

    /// Closing will leave the write-ahead log where it is.
    void leave_log() const;

  private:
    struct Close
    {
        void operator()(sqlite3* database) const;
    };
    /// What changes when a file is written.
    struct Version
    {
        std::uint64_t device = 0, file = 0;
        std::int64_t size = 0, seconds = 0, nanoseconds = 0, logged = 0;
        bool operator==(Version const&) const = default;
    };
    bool log_is_unsafe() const;
    static Version version_of(std::string const& file);
    void open(std::string const& name, int flags);
    void open_to_write();
    void open_to_read();
    bool try_to_read(std::string const& name, int flags);
    void open_copy();

    std::string file_;                ///< absolute, without links
    std::optional<Version> unlocked_; ///< when it was opened; nothing: locks keep writers away
    std::unique_ptr<sqlite3, Close> database_;
};

/// All or nothing: rolled back unless committed.
class Transaction
{
  public:
    enum class Kind
    {
        read, ///< one unchanging view of the file
        write ///< keeps other writers out from the start
    };
    Transaction(Database const& database, Kind kind);
    Transaction(Transaction const&) = delete;
    ~Transaction();
    void commit();

  private:
    Database const& database_;
    bool open_ = true;
};

} // namespace crx

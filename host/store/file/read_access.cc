#include "host/store/file/database.hh"
#include "host/store/file/file_system.hh"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>

/// How a store is read without a trace: docs/store.md, "What it promises".
namespace crx {

namespace {

namespace fs = std::filesystem;

bool holds_anything(std::string const& file)
{
    std::error_code failed;
    auto const size = fs::file_size(file, failed);
    return !failed && size > 0;
}

/// Whether a write-ahead log has anything behind its header of 32 bytes.
bool log_holds_anything(std::string const& log)
{
    constexpr std::uintmax_t header = 32;
    std::error_code failed;
    auto const size = fs::file_size(log, failed);
    return !failed && size > header;
}

/// Whether the file's header asks readers for a write-ahead log (SQLite's file format, byte 19).
bool wants_log(std::string const& file)
{
    char header[20] = {};
    std::ifstream stream(file, std::ios::binary);
    return stream.read(header, sizeof header) && header[19] == 2;
}

/// A file name as SQLite's URI. Percent signs and the marks of a query stand for themselves.
std::string uri_of(std::string const& file)
{
    std::string uri = "file:";
    for (char const c : file) {
        if (c == '%' || c == '?' || c == '#') {
            char escaped[4];
            std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(c));
            uri += escaped;
        } else {
            uri += c;
        }
    }
    return uri;
}

/// A private folder that is gone at the end.
class ScratchFolder
{
  public:
    ScratchFolder() : path_((fs::temp_directory_path() / "crx-read-XXXXXX").string())
    {
        if (::mkdtemp(path_.data()) == nullptr)
            throw DatabaseError(SQLITE_CANTOPEN, "no folder can be made for a copy: " + path_);
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

} // namespace

Database::Version Database::version_of(std::string const& file)
{
    struct stat about = {};
    if (::stat(file.c_str(), &about) != 0) return {};
    std::error_code failed;
    auto const logged = fs::file_size(file + "-wal", failed);
    return {about.st_dev,          about.st_ino,
            about.st_size,         about.st_mtim.tv_sec,
            about.st_mtim.tv_nsec, failed ? 0 : static_cast<std::int64_t>(logged)};
}

bool Database::log_is_unsafe() const
{
    return wants_log(file_) && !is_on_local_disk(fs::path(file_).parent_path());
}

bool Database::try_to_read(std::string const& name, int flags)
{
    try {
        open(name, SQLITE_OPEN_READONLY | flags);
        integer("SELECT count(*) FROM sqlite_master");
        return true;
    } catch (DatabaseError const& error) {
        database_.reset();
        // What SQLite answers where it lacks the right to make or to change a file beside this one;
        // SQLITE_PROTOCOL where a killed program left a log that its index says nothing of.
        if (error.code == SQLITE_CANTOPEN || error.code == SQLITE_READONLY ||
            error.code == SQLITE_PROTOCOL)
            return false;
        throw;
    }
}

void Database::open_to_read()
{
    if (!wants_log(file_)) {
        if (try_to_read(file_, 0)) return;
    } else if (!log_holds_anything(file_ + "-wal")) {
        // All is in the file. SQLite would make a log and an index beside it; without, there is no
        // lock, and is_current() says whether one was missed.
        unlocked_ = version_of(file_);
        if (try_to_read(uri_of(file_) + "?immutable=1", SQLITE_OPEN_URI)) return;
    } else if (try_to_read(uri_of(file_) + "?readonly_shm=1", SQLITE_OPEN_URI)) {
        return;
    }
    open_copy();
}

/// Where a log or a journal of a killed program must be applied and there is no right to.
void Database::open_copy()
{
    if (std::ifstream(file_).fail())
        return open(file_, SQLITE_OPEN_READONLY); // whose message says why
    unlocked_ = version_of(file_);
    ScratchFolder const scratch;
    auto const copy = scratch / "copy.db";
    std::error_code failed;
    for (char const* part : {"", "-wal", "-journal"})
        if (part[0] == 0 || holds_anything(file_ + part)) {
            fs::copy_file(file_ + part, copy.string() + part, failed);
            if (failed)
                throw DatabaseError(SQLITE_IOERR,
                                    file_ + part + " cannot be copied: " + failed.message());
        }
    open(copy.string(), SQLITE_OPEN_READWRITE);
    integer("SELECT count(*) FROM sqlite_master"); // opens all its files; names are not needed then
}

} // namespace crx

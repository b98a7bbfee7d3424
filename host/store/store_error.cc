#include "host/store/store_error.hh"

#include "host/shell_word.hh"

#include <sqlite3.h>

namespace crx {

std::string explain(std::filesystem::path const& file, DatabaseError const& error)
{
    std::string const name = file.string();
    switch (error.code) {
    case SQLITE_NOTADB:
        return name + ": not a store of crx: it is not an SQLite file; nothing was changed\n"
                      "  choose another file; if this was a store, its first bytes are damaged: "
                      "move it away, and sweep again";
    case SQLITE_CORRUPT:
        return name + ": the store is damaged, and SQLite cannot read it (" + error.what() +
               ")\n  crx sweep EXPERIMENT --db " + shell_word(name) +
               " --redo-damaged puts it aside and runs all again";
    case SQLITE_NOMEM: return name + ": there is not enough memory to read or write it";
    case SQLITE_FULL: return name + ": the disk is full\n  free some space on it";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return name + ": another program keeps the file locked\n  close it there, then try again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return name + ": cannot be written: " + error.what() +
               "\n  choose another place with --db FILE";
    case SQLITE_CANTOPEN: return name + ": cannot be opened: " + error.what();
    case SQLITE_IOERR: return name + ": cannot be read or written: " + error.what();
    default: return name + ": " + error.what();
    }
}

std::string how_to_mend(std::filesystem::path const& file)
{
    auto const name = shell_word(file.string());
    return "crx check " + name + " says what is damaged and what is whole; crx sweep " +
           "EXPERIMENT --db " + name + " --redo-damaged runs the damaged part again";
}

void fail_to_open(std::filesystem::path const& file, DatabaseError const& error)
{
    if (error.code == SQLITE_FULL || error.code == SQLITE_IOERR || error.code == SQLITE_NOMEM)
        throw RunError(explain(file, error));
    throw InputError(explain(file, error));
}

} // namespace crx

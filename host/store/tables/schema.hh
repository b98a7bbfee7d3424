#pragma once

#include "host/store/file/database.hh"

namespace crx {

/// What an SQLite file is to this program.
enum class FileKind
{
    empty,   ///< holds nothing yet
    store,   ///< a store that this program reads and writes
    paths,   ///< what crx iterate of earlier versions kept
    foreign, ///< somebody else's database
    older,   ///< a store of an earlier version of this program, with other tables
    newer    ///< a store of a later version of this program
};

/// SQLite's application_id of what crx iterate of earlier versions kept: "crxi".
inline constexpr std::int64_t paths_application_id = 0x63727869;

FileKind kind_of(Database const& database);

/// Makes the tables of docs/store.md. Contract: the file is empty, a transaction is open.
void create_schema(Database const& database);

} // namespace crx

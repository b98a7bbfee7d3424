#pragma once

#include "host/error.hh"
#include "host/store/file/database.hh"

namespace crx {

/// What a user is told of a failure of SQLite on `file`, and what to do about it.
std::string explain(std::filesystem::path const& file, DatabaseError const& error);

/// What to do about a damaged store.
std::string how_to_mend(std::filesystem::path const& file);

/// Throws the failure of opening or reading `file`: RunError for a full or failing disk, else
/// InputError.
[[noreturn]] void fail_to_open(std::filesystem::path const& file, DatabaseError const& error);

} // namespace crx

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace crx {

// A store is one file between commits. During a commit SQLite keeps beside it FILE-journal, with
// the pages as they were; where the program is killed then, whoever opens FILE next restores them.
// SQLite knows the two belong together by their names alone, so a store that is moved to the name
// of another, or put in place of a later state of itself, would be destroyed by the other's
// journal. Here the first page tells, which every commit changes before others, so that a journal
// begins with it: it has the store's id, and in the user_version a mark of the commit and of the
// one before.

/// What a file is to this program, by its first bytes.
enum class FileKind
{
    absent, ///< not there, or empty
    store,  ///< a store that this program reads and writes
    older,  ///< a store of an earlier version of this program
    newer,  ///< a store of a later version
    foreign ///< anything else
};
FileKind kind_of(std::filesystem::path const& file);

/// A new id of a store.
std::string new_store_id();

/// The user_version of a commit that follows one with `user_version`.
std::uint32_t next_user_version(std::uint32_t user_version);

/// Whether FILE-journal holds pages of this store that must be restored. A journal of another store
/// does not, nor that of another commit of a copy of this one, nor one from before its commit began
/// to write.
bool has_own_journal(std::filesystem::path const& store);

/// Whether something stands beside the store that SQLite would take for a part of it and is not: a
/// journal of another store, or a write-ahead log (FILE-wal), which no store has.
bool has_foreign_part(std::filesystem::path const& store);

/// To be called before SQLite opens a store to write: such parts get other names, which are
/// returned; a journal that restores nothing is removed. Contract: the writer's lock is held.
/// Throws RunError.
std::vector<std::filesystem::path> set_foreign_parts_aside(std::filesystem::path const& store);

} // namespace crx

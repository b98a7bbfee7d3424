#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <functional>

namespace crx {

/// Opens a store for reading at one moment and hands it to `use`, which is called again where it
/// was written to meanwhile without a lock that keeps writers away. Leaves no file behind and needs
/// no right to write: where a killed commit must be undone first, that happens in a copy.
///
/// Every failure is an InputError or RunError that names the file: it is not there, is no store, is
/// damaged, cannot be read.
void with_store(std::filesystem::path const& file,
                std::function<void(SQLite::Database&)> const& use);

/// Opens a store to write; a file that is not there, or empty, becomes one without contents. What
/// belongs to another store is set aside first and said. Contract: the writer's lock is held.
/// Throws as with_store does.
SQLite::Database open_to_write(std::filesystem::path const& file);

/// A store without contents, as the bytes of its file.
std::string empty_store();

/// What SQLite itself says of the file's structure, a line each; none: it is sound.
std::vector<std::string> structure_damage(SQLite::Database& database);

/// What a user is told of a failure of SQLite on `file`, and what to do about it.
std::string explain(std::filesystem::path const& file, SQLite::Exception const& error, int reason);
/// The same with the system's reason of a database that is open.
std::string explain(std::filesystem::path const& file, SQLite::Exception const& error,
                    SQLite::Database& database);

/// Whether a disk is full or fails, or memory is short, in place of something wrong with the file.
bool is_of_disk(SQLite::Exception const& error);

/// What to do about a store that is damaged.
std::string how_to_mend(std::filesystem::path const& file);

} // namespace crx

#pragma once

#include <filesystem>

namespace crx {

/// The file that would be written: through links, also through one that leads to nothing yet.
std::filesystem::path where_it_leads(std::filesystem::path const& file);

/// Whether the file is there and begins as SQLite's databases do.
bool is_database(std::filesystem::path const& file);

/// The database beside which a file of this name would stand as a part of it (-wal, -shm, -journal,
/// -writer); empty if the name is none of a part. Looks at no file and follows no link.
std::filesystem::path owner_of(std::filesystem::path const& file);

/// Says on standard error if the file has several names (hard links): what stands beside another
/// of them (-wal) is not seen under this one.
void warn_of_names(std::filesystem::path const& file);

/// The same name, if a store can be kept under it. Throws InputError for what is no ordinary file
/// or has several names (hard links), for names of parts, also where a link leads to one, and where
/// a part of the store would take the place of another database: SQLite and the writer's lock would
/// destroy one of the two.
std::filesystem::path place_of_store(std::filesystem::path file);

} // namespace crx

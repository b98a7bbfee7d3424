#pragma once

#include <array>
#include <filesystem>

namespace crx {

/// The file that would be written: through links, also through one that leads to nothing yet.
std::filesystem::path where_it_leads(std::filesystem::path const& file);

/// Whether the file is there and begins as SQLite's databases do.
bool is_database(std::filesystem::path const& file);

/// The store beside which a file of this name would stand as a part of it (-journal, -writer, and
/// what SQLite calls so in other modes); empty if the name is none of a part. Looks at no file.
std::filesystem::path owner_of(std::filesystem::path const& file);

/// What stands beside a store as a part of it: the lock, and what SQLite makes in any mode.
inline constexpr std::array<char const*, 4> store_parts{"-wal", "-shm", "-journal", "-writer"};

/// How many names a file has (hard links); 1 where it is not there.
int hard_links_of(std::filesystem::path const& file);

/// Says on standard error if the file has several names (hard links): a journal that stands beside
/// another of them is not seen under this one.
void warn_of_names(std::filesystem::path const& file);

} // namespace crx

#pragma once

#include <cstdint>
#include <filesystem>

namespace crx {

/// Whether SQLite's write-ahead log is safe on a file system, given the type that statfs(2) says:
/// its index is memory shared by processes of one machine, which file systems over a network do
/// not offer. True of the local ones that are known, false of all others.
bool is_local_file_system(std::uint64_t type);

/// The same of the file system that holds a folder; false where that cannot be found out.
bool is_on_local_disk(std::filesystem::path const& folder);

/// What tells a file from all others of this machine, also from one that has its name later.
struct FileNumber
{
    std::uint64_t device = 0, inode = 0;
    bool operator==(FileNumber const&) const = default;
};

/// Zeros where there is no such file.
FileNumber number_of(std::filesystem::path const& file);

} // namespace crx

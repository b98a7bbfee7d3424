#pragma once

#include "host/file_names.hh"

#include <cstdint>

namespace crx {

/// The same name, if a store can be kept under it. Throws InputError for what is no ordinary file
/// or has several names (hard links), for names of parts, also where a link leads to one, and where
/// a part of the store would take the place of another database.
std::filesystem::path place_of_store(std::filesystem::path file);

/// What tells a file from all others of this machine, also from one that has its name later, and
/// from itself before it was written.
struct FileState
{
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(FileState const&) const = default;
    bool is_file_of(FileState const& other) const
    {
        return device == other.device && inode == other.inode;
    }
};

/// Zeros where there is no such file.
FileState state_of(std::filesystem::path const& file);

/// Held while a program adds to a store, so that two never compute the same instances. It is a lock
/// on FILE-writer, FILE being what links lead to, which the operating system drops however the
/// program ends; the file itself is removed when the lock is given up in order. A file of that name
/// that holds anything is left alone.
class WriterLock
{
  public:
    /// Throws InputError if another program holds it, the file cannot be made there or another file
    /// stands in its place.
    explicit WriterLock(std::filesystem::path const& store);
    WriterLock(WriterLock const&) = delete;
    ~WriterLock();

  private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

} // namespace crx

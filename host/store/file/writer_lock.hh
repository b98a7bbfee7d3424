#pragma once

#include <filesystem>

namespace crx {

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
    WriterLock(WriterLock&& other) noexcept;
    WriterLock(WriterLock const&) = delete;
    ~WriterLock();

  private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

} // namespace crx

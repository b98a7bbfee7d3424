#include "host/store/file/writer_lock.hh"

#include "host/error.hh"
#include "host/store/file/database_file.hh"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace crx {

namespace {

/// Whether the open file is as a lock is made: what holds anything is somebody else's.
bool is_lock(int descriptor)
{
    struct stat opened = {};
    return ::fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_size == 0;
}

/// Whether the name still leads to the open file: the last holder may have removed it meanwhile.
bool still_named(std::filesystem::path const& file, int descriptor)
{
    struct stat named = {}, opened = {};
    return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
           named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

[[noreturn]] void fail_to_make(std::filesystem::path const& store, std::string const& why)
{
    throw InputError(store.string() + ": " + why + "\n  choose another place with --db FILE");
}

} // namespace

WriterLock::WriterLock(std::filesystem::path const& store)
    : file_(where_it_leads(store).string() + "-writer")
{
    for (;;) {
        descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor_ < 0 && errno != ELOOP)
            fail_to_make(store, std::string("cannot be written there: ") + std::strerror(errno));
        if (descriptor_ < 0 || !is_lock(descriptor_)) {
            if (descriptor_ >= 0) ::close(descriptor_);
            fail_to_make(store, file_.string() + " is no lock of crx and would be lost");
        }
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
            int const reason = errno;
            ::close(descriptor_);
            if (reason == EWOULDBLOCK)
                throw InputError(store.string() + ": another crx is writing to this store" +
                                 "\n  wait until it ends, or choose another --db FILE");
            throw InputError(store.string() + ": cannot be locked: " + std::strerror(reason));
        }
        if (still_named(file_, descriptor_)) return;
        ::close(descriptor_);
    }
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1))
{
}

WriterLock::~WriterLock()
{
    if (descriptor_ < 0) return;
    if (is_lock(descriptor_) && still_named(file_, descriptor_))
        ::unlink(file_.c_str()); // while locked: nobody else can hold this file
    ::close(descriptor_);
}

} // namespace crx

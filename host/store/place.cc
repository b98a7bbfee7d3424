#include "host/store/place.hh"

#include "host/error.hh"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(fs::path const& file, std::string const& why)
{
    throw InputError(file.string() + ": " + why + "\n  choose another file with --db FILE");
}

/// Whether the open file is as a lock is made: what holds anything is somebody else's.
bool is_lock(int descriptor)
{
    struct stat opened = {};
    return ::fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_size == 0;
}

/// Whether the name still leads to the open file: the last holder may have removed it meanwhile.
bool still_named(fs::path const& file, int descriptor)
{
    struct stat named = {}, opened = {};
    return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
           named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

[[noreturn]] void fail_to_make(fs::path const& store, std::string const& why)
{
    throw InputError(store.string() + ": " + why + "\n  choose another place with --db FILE");
}

} // namespace

fs::path place_of_store(fs::path file)
{
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        refuse(file, "is a folder or a device, not a store of crx"); // a journal would stay there
    auto const place = where_it_leads(file);
    // SQLite and the lock know a file by its name: under another they would not see what is beside
    // this one.
    if (auto const names = hard_links_of(file); names > 1)
        refuse(file,
               "is one file with " + std::to_string(names) + " names (hard links), and " +
                   "programs that write to it under two of them would destroy it; remove " +
                   "the other names, as what is beside a store (-journal) goes with one alone");
    for (auto const& name : {file, place})
        if (auto const owner = owner_of(name); !owner.empty())
            refuse(file, "would be lost, as parts of " + owner.string() + " have such names");
    for (std::string const ending : store_parts)
        if (fs::path const part = place.string() + ending; is_database(part))
            refuse(file, part.string() + " is a database and would be lost, as a part of the " +
                             "store has that name");
    return file;
}

FileState state_of(fs::path const& file)
{
    struct stat about = {};
    if (::stat(file.c_str(), &about) != 0) return {};
    return {about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

WriterLock::WriterLock(fs::path const& store) : file_(where_it_leads(store).string() + "-writer")
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

WriterLock::~WriterLock()
{
    if (descriptor_ < 0) return;
    if (is_lock(descriptor_) && still_named(file_, descriptor_))
        ::unlink(file_.c_str()); // while locked: nobody else can hold this file
    ::close(descriptor_);
}

} // namespace crx

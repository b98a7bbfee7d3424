// Preloaded (LD_PRELOAD) into a program, fails one of its changes to files: the one of number
// CRX_FAIL_AT, counted from 1, in the way that CRX_FAIL_HOW says (`full`, `error`, `torn`, `kill`,
// `full-on`: that one and all later ones). `moved` and `removed` let it go on and before that move
// the folder CRX_FAIL_FOLDER aside (NAME.gone), or remove it. Where it came to that, the file
// CRX_FAIL_MARK is made.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum class How
{
    none, ///< goes on
    full,
    error,
    torn, ///< half is written, then an error
    kill  ///< half is written, then the program is killed
};

long count = 0;

template <class Function>
Function next(Function, char const* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool is_file(int descriptor)
{
    struct stat about = {};
    return ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

/// Counts one change and says what becomes of it.
How turn()
{
    char const* const at = std::getenv("CRX_FAIL_AT");
    char const* const how = std::getenv("CRX_FAIL_HOW");
    if (at == nullptr || how == nullptr) return How::none;
    auto const wanted = std::atol(at);
    ++count;
    bool const on = std::strcmp(how, "full-on") == 0;
    if (count != wanted && !(on && count > wanted)) return How::none;
    if (char const* const mark = std::getenv("CRX_FAIL_MARK"))
        ::close(::open(mark, O_WRONLY | O_CREAT, 0600));
    char const* const folder = std::getenv("CRX_FAIL_FOLDER");
    if (folder != nullptr && std::strcmp(how, "moved") == 0) {
        std::filesystem::rename(folder, std::string(folder) + ".gone");
        return How::none;
    }
    if (folder != nullptr && std::strcmp(how, "removed") == 0) {
        std::filesystem::remove_all(folder);
        return How::none;
    }
    if (std::strcmp(how, "error") == 0) return How::error;
    if (std::strcmp(how, "torn") == 0) return How::torn;
    if (std::strcmp(how, "kill") == 0) return How::kill;
    return How::full;
}

/// Ends a change that is not a write. 0: it goes on.
int fail(How how)
{
    if (how == How::kill) ::raise(SIGKILL);
    errno = how == How::full ? ENOSPC : EIO;
    return how == How::none ? 0 : -1;
}

template <class Write>
ssize_t write_or_fail(int descriptor, std::size_t size, Write write)
{
    auto const how = is_file(descriptor) ? turn() : How::none;
    if (how == How::none) return write(size);
    if (how == How::torn || how == How::kill) (void)write(size / 2);
    return fail(how);
}

} // namespace

extern "C" {

ssize_t write(int descriptor, void const* bytes, size_t size)
{
    static auto const real = next(&::write, "write");
    return write_or_fail(descriptor, size,
                         [&](size_t part) { return real(descriptor, bytes, part); });
}

ssize_t pwrite(int descriptor, void const* bytes, size_t size, off_t at)
{
    static auto const real = next(&::pwrite, "pwrite");
    return write_or_fail(descriptor, size,
                         [&](size_t part) { return real(descriptor, bytes, part, at); });
}

ssize_t pwrite64(int descriptor, void const* bytes, size_t size, off64_t at)
{
    static auto const real = next(&::pwrite64, "pwrite64");
    return write_or_fail(descriptor, size,
                         [&](size_t part) { return real(descriptor, bytes, part, at); });
}

int fsync(int descriptor)
{
    static auto const real = next(&::fsync, "fsync");
    auto const how = turn();
    return how == How::none ? real(descriptor) : fail(how);
}

int fdatasync(int descriptor)
{
    static auto const real = next(&::fdatasync, "fdatasync");
    auto const how = turn();
    return how == How::none ? real(descriptor) : fail(how);
}

int ftruncate64(int descriptor, off64_t size) noexcept
{
    static auto const real = next(&::ftruncate64, "ftruncate64");
    auto const how = is_file(descriptor) ? turn() : How::none;
    return how == How::none ? real(descriptor, size) : fail(how);
}

int rename(char const* from, char const* to) noexcept
{
    static auto const real = next(&::rename, "rename");
    auto const how = turn();
    return how == How::none ? real(from, to) : fail(how);
}

int unlink(char const* file) noexcept
{
    static auto const real = next(&::unlink, "unlink");
    auto const how = turn();
    return how == How::none ? real(file) : fail(how);
}

} // extern "C"

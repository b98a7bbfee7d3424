#include "host/store/output_file.hh"

#include "host/error.hh"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

/// Errno of the first failure, 0 if all went well. Closes the descriptor.
int write_and_close(int descriptor, std::string const& content)
{
    std::size_t written = 0;
    int failure = 0;
    while (written < content.size() && failure == 0) {
        auto const n = ::write(descriptor, content.data() + written, content.size() - written);
        if (n >= 0)
            written += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            failure = errno;
    }
    if (::close(descriptor) != 0 && failure == 0) failure = errno;
    return failure;
}

[[noreturn]] void fail_to_write(std::string const& name, int reason)
{
    throw RunError(name + ": cannot be written: " + std::strerror(reason) +
                   "\n  nothing was kept of it; choose another place with -o FILE");
}

[[noreturn]] void fail_to_open(fs::path const& file, int reason, std::string const& option = "-o")
{
    throw InputError(file.string() + ": cannot be written there: " + std::strerror(reason) +
                     "\n  choose another place with " + option + " FILE");
}

int open_or_throw(fs::path const& opened, fs::path const& named, int flags)
{
    int const descriptor = ::open(opened.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) fail_to_open(named, errno);
    return descriptor;
}

} // namespace

void check_place(fs::path const& file, std::string const& option)
{
    auto const folder = fs::absolute(file).parent_path();
    std::error_code ignored;
    int reason = fs::is_directory(file, ignored) ? EISDIR : 0;
    if (reason == 0 && ::access(folder.c_str(), W_OK | X_OK) != 0) reason = errno;
    if (reason == 0 && !fs::is_directory(folder, ignored)) reason = ENOTDIR;
    if (reason != 0) fail_to_open(file, reason, option);
}

void write_file(fs::path const& file, std::string const& content)
{
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
        int const failure = write_and_close(open_or_throw(file, file, 0), content);
        if (failure != 0) fail_to_write(file.string(), failure);
        return;
    }
    // Through a link, the file it leads to is replaced, not the link.
    fs::path const target = fs::weakly_canonical(file, ignored);
    fs::path const place = target.empty() ? file : target;
    fs::path const temporary = place.string() + ".part-" + std::to_string(::getpid());
    int failure = write_and_close(open_or_throw(temporary, file, O_CREAT | O_TRUNC), content);
    if (failure == 0 && ::rename(temporary.c_str(), place.c_str()) != 0) failure = errno;
    if (failure != 0) {
        ::unlink(temporary.c_str());
        fail_to_write(file.string(), failure);
    }
}

void write_stdout(std::string const& content)
{
    bool const written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size() &&
                         std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (!written)
        throw RunError(std::string("standard output: cannot be written: ") + std::strerror(errno));
}

} // namespace crx

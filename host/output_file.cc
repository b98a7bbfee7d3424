#include "host/output_file.hh"

#include "host/error.hh"
#include "host/file_names.hh"
#include "host/say.hh"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

/// Writes to the disk. Errno of the first failure, 0 if all went well.
int write_all(int descriptor, std::string const& content)
{
    for (std::size_t written = 0; written < content.size();) {
        auto const n = ::write(descriptor, content.data() + written, content.size() - written);
        if (n >= 0)
            written += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            return errno;
    }
    // Some file systems say only now that they are full. Pipes and devices cannot be synced.
    return ::fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
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

/// A folder in which everybody may make names, and nobody remove those of others, as /tmp.
bool is_shared(fs::path const& folder)
{
    struct stat about = {};
    return ::stat(folder.c_str(), &about) == 0 && (about.st_mode & S_ISVTX) != 0 &&
           (about.st_mode & S_IWOTH) != 0;
}

/// Refuses a link that another user has put where the file is to be, as Linux does for what it
/// opens itself (protected_symlinks).
void refuse_planted_link(fs::path const& file)
{
    auto const folder = fs::absolute(file).parent_path();
    struct stat link = {}, about = {};
    if (::lstat(file.c_str(), &link) != 0 || !S_ISLNK(link.st_mode) || !is_shared(folder)) return;
    if (link.st_uid == ::geteuid() || ::stat(folder.c_str(), &about) != 0 ||
        link.st_uid == about.st_uid)
        return;
    throw InputError(file.string() + ": is a link that another user has made in a folder of all" +
                     "\n  choose another place with -o FILE");
}

/// A name beside the place that nobody has.
fs::path fresh_name(fs::path const& place)
{
    static std::atomic<unsigned> count = 0;
    std::random_device words;
    return fmt::format("{}.part-{}-{}-{:08x}", place.string(), ::getpid(), count++, words());
}

/// Makes a file that is not there and has no name yet, or, where the file system has no such
/// files, one of this name. Empties `name` where the file has none. -1: errno says why.
int make_file(fs::path& name)
{
    constexpr int access = O_WRONLY | O_CLOEXEC;
    int const unnamed = ::open(name.parent_path().c_str(), access | O_TMPFILE, 0666);
    if (unnamed >= 0) {
        name.clear();
        return unnamed;
    }
    return ::open(name.c_str(), access | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
}

/// Writes what is no ordinary file. A pipe without a reader is refused: to wait for one could last
/// for ever.
void write_directly(fs::path const& file, std::string const& content)
{
    int const descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENXIO)
        throw InputError(file.string() + ": is a pipe that nobody reads");
    if (descriptor < 0) fail_to_open(file, errno);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    int const failure = write_all(descriptor, content);
    ::close(descriptor);
    if (failure != 0) fail_to_write(file.string(), failure);
}

/// Gives the file its place: at once, or errno.
int put_in_place(int descriptor, fs::path const& name, fs::path const& place)
{
    auto const fresh = name.empty() ? fresh_name(place) : name;
    auto const itself = "/proc/self/fd/" + std::to_string(descriptor);
    if (name.empty() &&
        ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, fresh.c_str(), AT_SYMLINK_FOLLOW) != 0)
        return errno;
    if (::rename(fresh.c_str(), place.c_str()) == 0) return 0;
    int const failure = errno;
    ::unlink(fresh.c_str());
    return failure;
}

[[noreturn]] void refuse(NamedFile const& output, std::string const& accepted)
{
    throw ConfigError("command line", output.option, output.file.string(), accepted);
}

bool same_file(fs::path const& one, fs::path const& other)
{
    std::error_code ignored;
    return fs::equivalent(one, other, ignored) || where_it_leads(one) == where_it_leads(other);
}

void check_against_kept(NamedFile const& output, std::vector<NamedFile> const& kept)
{
    auto const owner = owner_of(where_it_leads(output.file));
    for (auto const& other : kept) {
        if (other.file.empty()) continue;
        if (same_file(output.file, other.file))
            refuse(output, "another file than " + other.option + " (" + other.file.string() +
                               "), which would be overwritten");
        if (!owner.empty() && same_file(owner, other.file))
            refuse(output, "another file: this one is a part of the store " + other.file.string());
    }
    if (is_database(output.file))
        refuse(output, "another file: this one is an SQLite database, as crx's stores are, and "
                       "would be overwritten");
    if (!owner.empty() && is_database(owner))
        refuse(output, "another file: this one is a part of the SQLite database " + owner.string());
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
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        return write_directly(file, content);
    refuse_planted_link(file);
    // Through a link, the file it leads to is replaced, not the link.
    fs::path const target = fs::weakly_canonical(file, ignored);
    fs::path const place = target.empty() ? fs::absolute(file) : target;
    auto name = fresh_name(place);
    int const descriptor = make_file(name);
    if (descriptor < 0) fail_to_open(file, errno);
    int failure = write_all(descriptor, content);
    if (failure == 0)
        failure = put_in_place(descriptor, name, place);
    else if (!name.empty())
        ::unlink(name.c_str());
    ::close(descriptor);
    if (failure != 0) fail_to_write(file.string(), failure);
}

void write_stdout(std::string const& text)
{
    auto const content = ::isatty(STDOUT_FILENO) == 1 ? printable(text) : text;
    bool const written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size() &&
                         std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (!written)
        throw RunError(std::string("standard output: cannot be written: ") + std::strerror(errno));
}

void check_outputs(std::vector<NamedFile> const& outputs, std::vector<NamedFile> const& kept)
{
    std::vector<NamedFile> ordinary;
    for (auto const& output : outputs) {
        if (output.file.empty()) continue;
        check_place(output.file, output.option);
        std::error_code ignored;
        if (fs::exists(output.file, ignored) && !fs::is_regular_file(output.file, ignored))
            continue;
        check_against_kept(output, kept);
        for (auto const& other : ordinary)
            if (same_file(output.file, other.file))
                refuse(output, "another file than " + other.option + " (" + other.file.string() +
                                   "): one would overwrite the other");
        ordinary.push_back(output);
    }
}

} // namespace crx

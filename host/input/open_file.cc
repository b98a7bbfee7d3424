#include "host/input/open_file.hh"

#include "host/error.hh"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace crx {

namespace {

/// A pipe with a name in a folder: to open it waits for a writer, maybe for ever. Those of the
/// shell's <(..) and of standard input have their writer.
bool is_named_pipe(std::string const& file)
{
    constexpr std::uint32_t without_name = 0x50495045; // PIPEFS_MAGIC of linux/magic.h
    struct stat about = {};
    struct statfs system = {};
    return ::stat(file.c_str(), &about) == 0 && S_ISFIFO(about.st_mode) &&
           ::statfs(file.c_str(), &system) == 0 &&
           static_cast<std::uint32_t>(system.f_type) != without_name;
}

[[noreturn]] void refuse(std::filesystem::path const& file, std::string const& why)
{
    throw InputError(file.string() + ": cannot be read: " + why);
}

} // namespace

int open_to_read(std::filesystem::path const& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) refuse(file, "is a directory");
    if (is_named_pipe(file.string()))
        refuse(file, "is a named pipe, which may never be written to"
                     "\n  /dev/stdin reads from a pipe: crx .. /dev/stdin < " +
                         file.string());
    auto const descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) refuse(file, std::strerror(errno));
    return descriptor;
}

std::string read_whole_file(std::filesystem::path const& file, std::size_t most_bytes)
{
    struct Descriptor
    {
        int number;
        ~Descriptor() { ::close(number); }
    };
    Descriptor const descriptor{open_to_read(file)};
    std::string text;
    std::array<char, 1 << 16> block;
    for (;;) {
        auto const got = ::read(descriptor.number, block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(file, std::strerror(errno));
        if (got == 0) return text;
        text.append(block.data(), static_cast<std::size_t>(got));
        if (text.size() > most_bytes)
            throw InputError(file.string() + ": longer than " + std::to_string(most_bytes >> 20) +
                             " MiB");
    }
}

} // namespace crx

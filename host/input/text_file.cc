#include "host/input/text_file.hh"

#include "host/error.hh"

#include <array>
#include <cerrno>
#include <cstdint>
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

bool is_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        auto const first = static_cast<unsigned char>(text[at++]);
        if (first < 0x80) continue;
        int const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4) return false;
        std::uint32_t letter = first & (0x3fu >> more);
        for (int k = 0; k < more; ++k) {
            if (at == text.size()) return false;
            auto const next = static_cast<unsigned char>(text[at++]);
            if ((next & 0xc0) != 0x80) return false;
            letter = letter << 6 | (next & 0x3fu);
        }
        constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (letter < least[more] || letter > 0x10ffff) return false;
        if (letter >= 0xd800 && letter < 0xe000) return false;
    }
    return true;
}

LineReader::LineReader(std::filesystem::path const& file)
    : file_(file.string()), descriptor_(open_to_read(file)), buffer_(4 * longest_line)
{
}

LineReader::~LineReader() { ::close(descriptor_); }

void LineReader::fail(std::string const& why) const
{
    throw InputError(file_ + ":" + std::to_string(line_number_) + ": " + why);
}

bool LineReader::fill()
{
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    for (;;) {
        auto const got = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw InputError(file_ + ": cannot be read: " + std::strerror(errno));
        end_ += static_cast<std::size_t>(got);
        return got > 0;
    }
}

bool LineReader::next(std::string_view& line)
{
    std::size_t searched = 0;
    for (;;) {
        auto const* start = buffer_.data() + begin_;
        auto const size = end_ - begin_;
        auto const* newline =
            static_cast<char const*>(std::memchr(start + searched, '\n', size - searched));
        auto const length = newline == nullptr ? size : static_cast<std::size_t>(newline - start);
        if (length > longest_line) {
            ++line_number_;
            fail("the line is longer than " + std::to_string(longest_line) + " bytes");
        }
        if (newline == nullptr && !at_end_) {
            searched = size;
            at_end_ = !fill();
            continue;
        }
        if (newline == nullptr && size == 0) return false;
        line = {start, length};
        begin_ += length + (newline == nullptr ? 0 : 1);
        break;
    }
    ++line_number_;
    if (line_number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::memchr(line.data(), '\0', line.size()) != nullptr)
        fail("holds a NUL byte; this is not a text file");
    return true;
}

} // namespace crx

#include "host/input/line_reader.hh"

#include "host/error.hh"

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

} // namespace

LineReader::LineReader(std::filesystem::path const& file)
    : file_(file.string()), buffer_(4 * longest_line)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        throw InputError(file_ + ": cannot be read: is a directory");
    if (is_named_pipe(file_))
        throw InputError(file_ +
                         ": cannot be read: is a named pipe, which may never be written to" +
                         "\n  /dev/stdin reads from a pipe: crx .. /dev/stdin < " + file_);
    descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(file_ + ": cannot be read: " + std::strerror(errno));
}

LineReader::~LineReader()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

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

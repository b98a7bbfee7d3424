#include "host/input/line_reader.hh"

#include "host/error.hh"
#include "host/input/open_file.hh"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace crx {

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

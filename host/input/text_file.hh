#pragma once

#include "host/input/byte_stream.hh"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// All of a file. Throws InputError as open_to_read, and where it has more than `most_bytes`.
std::string read_whole_file(std::filesystem::path const& file, std::size_t most_bytes);

/// Whether the bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool is_utf8(std::string_view text);

/// Reads a text file line by line in bounded memory: a line longer than it may be is refused as
/// soon as that many bytes of it were read. Takes packed files (ByteStream), LF and CRLF ends and a
/// UTF-8 byte order mark.
class LineReader
{
  public:
    static constexpr std::size_t usual_longest = 64 * 1024;

    /// Throws InputError "FILE: why" if the file cannot be opened.
    explicit LineReader(std::filesystem::path const& file);

    /// The next line without its end, valid until the next call; false at the end of the file.
    /// Throws InputError "FILE:LINE: why" for a line too long, a NUL byte or a failed read.
    bool next(std::string_view& line);

    /// The byte that comes next; -1 at the end. A byte order mark is passed over.
    int peek()
    {
        while (begin_ == end_ && !at_end_) at_end_ = !fill();
        return begin_ == end_ ? -1 : static_cast<unsigned char>(buffer_[begin_]);
    }
    /// Passes over it. Contract: there is one.
    void skip()
    {
        if (buffer_[begin_] == '\n') ++line_number_;
        ++begin_;
    }

    void set_longest(std::size_t bytes) { longest_ = bytes; }
    std::int64_t line_number() const { return line_number_; } ///< of the last line, from 1
    std::string const& file() const { return bytes_.file(); }
    Packing packing() const { return bytes_.packing(); }

    /// Throws InputError "FILE:LINE: why" for the last line.
    [[noreturn]] void fail(std::string const& why) const;

  private:
    bool fill();

    ByteStream bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; ///< unread part of the buffer
    std::size_t longest_ = usual_longest;
    std::int64_t line_number_ = 0;
    bool at_end_ = false;
};

} // namespace crx

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// A descriptor to read a file, or a pipe of the shell, by; the caller closes it. Throws InputError
/// "FILE: cannot be read: why": it is not there, a folder, or a pipe with a name in a folder, which
/// may never be written to.
int open_to_read(std::filesystem::path const& file);

/// All of a file. Throws InputError as open_to_read, and where it has more than `most_bytes`.
std::string read_whole_file(std::filesystem::path const& file, std::size_t most_bytes);

/// Whether the bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
bool is_utf8(std::string_view text);

/// Reads a text file line by line in bounded memory: a line longer than `longest_line` is refused
/// as soon as that many bytes of it were read. Takes LF and CRLF ends and a UTF-8 byte order mark.
class LineReader
{
  public:
    static constexpr std::size_t longest_line = 64 * 1024;

    /// Throws InputError "FILE: why" if the file cannot be opened.
    explicit LineReader(std::filesystem::path const& file);
    ~LineReader();
    LineReader(LineReader const&) = delete;
    LineReader& operator=(LineReader const&) = delete;

    /// The next line without its end, valid until the next call; false at the end of the file.
    /// Throws InputError "FILE:LINE: why" for a line too long, a NUL byte or a failed read.
    bool next(std::string_view& line);

    std::int64_t line_number() const { return line_number_; } ///< of the last line, from 1
    std::string const& file() const { return file_; }

    /// Throws InputError "FILE:LINE: why" for the last line.
    [[noreturn]] void fail(std::string const& why) const;

  private:
    bool fill();

    std::string file_;
    int descriptor_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; ///< unread part of the buffer
    std::int64_t line_number_ = 0;
    bool at_end_ = false;
};

} // namespace crx

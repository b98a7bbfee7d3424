#include "host/input/text_file.hh"

#include "host/error.hh"

#include <array>
#include <cstdint>
#include <cstring>

namespace crx {

std::string read_whole_file(std::filesystem::path const& file, std::size_t most_bytes)
{
    ByteStream bytes(file);
    std::string text;
    std::array<char, 1 << 16> block;
    while (auto const got = bytes.read(block.data(), block.size())) {
        text.append(block.data(), got);
        if (text.size() > most_bytes)
            throw InputError(file.string() + ": longer than " + std::to_string(most_bytes >> 20) +
                             " MiB");
    }
    return text;
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

LineReader::LineReader(std::filesystem::path const& file) : bytes_(file), buffer_(4 * usual_longest)
{
    while (end_ < 3 && !at_end_) at_end_ = !fill();
    if (std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) begin_ = 3;
}

void LineReader::fail(std::string const& why) const
{
    throw InputError(file() + ":" + std::to_string(line_number_) + ": " + why);
}

bool LineReader::fill()
{
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    auto const got = bytes_.read(buffer_.data() + end_, buffer_.size() - end_);
    end_ += got;
    return got > 0;
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
        if (length > longest_) {
            ++line_number_;
            fail("the line is longer than " + std::to_string(longest_) + " bytes");
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
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::memchr(line.data(), '\0', line.size()) != nullptr)
        fail("holds a NUL byte; this is not a text file");
    return true;
}

} // namespace crx

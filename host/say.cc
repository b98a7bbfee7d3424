#include "host/say.hh"

#include "host/input/text_file.hh"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace crx {

namespace {

std::function<void(std::string const&)>& error_sink()
{
    static std::function<void(std::string const&)> sink;
    return sink;
}

} // namespace

void set_error_sink(std::function<void(std::string const&)> sink)
{
    error_sink() = std::move(sink);
}

void write_message(std::FILE* stream, std::string const& text)
{
    if (stream == stderr && error_sink()) return error_sink()(text);
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
    std::clearerr(stream);
}

std::string printable(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        auto const byte = static_cast<unsigned char>(text[at]);
        std::size_t length = 1;
        while (at + length < text.size() &&
               (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80)
            ++length;
        auto const letter = text.substr(at, length);
        // C1 controls are two bytes: C2 80 to C2 9F.
        bool const control =
            (byte < 0x20 && byte != '\n') || byte == 0x7f ||
            (byte == 0xc2 && length == 2 && static_cast<unsigned char>(letter[1]) < 0xa0);
        if (!control && is_utf8(letter)) {
            out += letter;
        } else {
            for (char const c : letter) {
                auto const value = static_cast<unsigned char>(c);
                constexpr char const* digits = "0123456789abcdef";
                out += {'\\', 'x', digits[value >> 4], digits[value & 15]};
            }
        }
        at += length;
    }
    return out;
}

std::string printable_line(std::string_view text)
{
    std::string out;
    for (char const c : printable(text))
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    return out;
}

void say(std::string const& line) { write_message(stderr, "crx: " + printable(line) + "\n"); }

void hold_standard_streams()
{
    for (int descriptor = 0; descriptor <= 2; ++descriptor)
        if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
            // The lowest number that is free is this one.
            (void)!::open("/dev/null", O_RDONLY);
}

} // namespace crx

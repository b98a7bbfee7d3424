#include "host/say.hh"

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

void say(std::string const& line) { write_message(stderr, "crx: " + line + "\n"); }

void hold_standard_streams()
{
    for (int descriptor = 0; descriptor <= 2; ++descriptor)
        if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
            // The lowest number that is free is this one.
            (void)!::open("/dev/null", O_RDONLY);
}

} // namespace crx

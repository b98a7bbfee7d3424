#include "host/say.hh"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace crx {

void write_message(std::FILE* stream, std::string const& text)
{
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

#include "host/sweep/interrupt.hh"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace crx {

namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free); // a signal handler may touch it

void restore_defaults()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

void on_signal(int)
{
    stop_asked = true;
    restore_defaults();
    constexpr char text[] =
        "\ncrx: stopping within seconds, what is finished is kept; again to kill\n";
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text, sizeof text - 1);
}

} // namespace

InterruptGuard::InterruptGuard()
{
    stop_asked = false;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

InterruptGuard::~InterruptGuard() { restore_defaults(); }

bool InterruptGuard::asked() { return stop_asked; }

} // namespace crx

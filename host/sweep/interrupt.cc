#include "host/sweep/interrupt.hh"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

namespace crx {

namespace {

std::atomic<int> asked_by = 0; ///< the signal
std::atomic<InterruptGuard::Voice> voice_used = InterruptGuard::Voice::spoken;
static_assert(std::atomic<int>::is_always_lock_free); // a signal handler may touch it

void restore_defaults()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

std::int64_t monotonic_ns()
{
    std::timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now); // a signal handler may call it
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::atomic<std::int64_t> first_at = 0;
/// `timeout` and launchers send one signal to the process and to its group: it comes twice at once.
constexpr std::int64_t one_signal_ns = 500'000'000;

void on_signal(int number)
{
    if (asked_by != 0) {
        if (monotonic_ns() - first_at < one_signal_ns) return;
        restore_defaults();
        std::raise(number);
        return;
    }
    first_at = monotonic_ns();
    asked_by = number;
    constexpr char kept[] =
        "\ncrx: stopping within seconds, all that is done is kept; a second signal kills\n";
    constexpr char brief[] = "\ncrx: stopping within seconds; a second signal kills\n";
    [[maybe_unused]] ::ssize_t written = 0;
    if (voice_used == InterruptGuard::Voice::spoken)
        written = ::write(STDERR_FILENO, kept, sizeof kept - 1);
    else if (voice_used == InterruptGuard::Voice::brief)
        written = ::write(STDERR_FILENO, brief, sizeof brief - 1);
}

} // namespace

InterruptGuard::InterruptGuard(Voice voice)
{
    asked_by = 0;
    voice_used = voice;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

InterruptGuard::~InterruptGuard() { restore_defaults(); }

void InterruptGuard::ask(int signal) { asked_by = signal; }
bool InterruptGuard::asked() { return asked_by != 0; }
int InterruptGuard::signal() { return asked_by; }
std::string InterruptGuard::stopped()
{
    if (asked_by == SIGINT) return "stopped by Ctrl-C (SIGINT)";
    return asked_by == SIGTERM ? "stopped by SIGTERM" : "stopped on request";
}

} // namespace crx

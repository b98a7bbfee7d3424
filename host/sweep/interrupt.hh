#pragma once

#include "host/error.hh"

#include <string>

namespace crx {

/// While it lives, the first SIGINT or SIGTERM only asks to stop and says so on stderr; the second
/// ends the program as usual. One at a time.
class InterruptGuard
{
  public:
    enum class Voice
    {
        spoken,
        brief, ///< where nothing is kept
        silent ///< of one process among several: another says it
    };
    explicit InterruptGuard(Voice voice = Voice::spoken);
    InterruptGuard(InterruptGuard const&) = delete;
    ~InterruptGuard();

    static bool asked();
    /// As if the signal had come to this process.
    static void ask(int signal);
    static int signal();          ///< the one that asked; 0: none
    static std::string stopped(); ///< "stopped by Ctrl-C (SIGINT)", the start of a message
};

/// A run that a signal stopped (host/sweep/interrupt.hh); all that was done is kept. Exit status:
/// exit_signalled and the signal's number, so 130 after Ctrl-C and 143 after SIGTERM.
class Stopped : public RunError
{
  public:
    using RunError::RunError;
};

inline constexpr int exit_signalled = 128;

} // namespace crx

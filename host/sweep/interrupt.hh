#pragma once

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

} // namespace crx

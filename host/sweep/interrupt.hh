#pragma once

namespace crx {

/// While it lives, the first SIGINT or SIGTERM only asks to stop and says so on stderr; the second
/// ends the program as usual. One at a time.
class InterruptGuard
{
  public:
    InterruptGuard();
    InterruptGuard(InterruptGuard const&) = delete;
    ~InterruptGuard();

    static bool asked();
};

} // namespace crx

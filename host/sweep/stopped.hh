#pragma once

#include "host/error.hh"

namespace crx {

/// A run that a signal stopped (host/sweep/interrupt.hh); all that was done is kept. Exit status:
/// exit_signalled and the signal's number, so 130 after Ctrl-C and 143 after SIGTERM.
class Stopped : public RunError
{
  public:
    using RunError::RunError;
};

inline constexpr int exit_signalled = 128;

} // namespace crx

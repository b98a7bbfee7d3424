#pragma once

namespace crx {

/// log n! for n = 0 .. size - 1, off by at most 2^-36. CPU only.
struct LogFactorials
{
    static constexpr int size = 4096;
    double of[size];

    LogFactorials();
};
extern LogFactorials const log_factorials;

} // namespace crx

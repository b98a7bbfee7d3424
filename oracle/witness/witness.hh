#pragma once

#include <cstdint>
#include <functional>
#include <string>

/// Checks the files of witnesses/ (docs/witnesses.md) by the plain rules alone.
namespace oracle {

/// What a check may cost.
struct CheckLimits
{
    std::int64_t states = 20'000'000; ///< of a search through all schedules of one instance
    int threads = 1;                  ///< of a certificate
    std::function<bool()> stop = {};  ///< true: end soon with std::runtime_error
    std::function<void(std::int64_t, std::int64_t)> progress = {}; ///< multisets done, of how many
};

struct Verdict
{
    bool holds = false;
    std::string text; ///< what was found, or why it fails
};

/// A witness or a certificate, as the text of its file.
Verdict check_file(std::string const& text, CheckLimits const& limits);

} // namespace oracle

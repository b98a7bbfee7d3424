#pragma once

#include <cstdint>
#include <string>

/// Checks witness files (docs/witnesses.md) by the plain rules alone.
namespace oracle {

struct Verdict
{
    bool holds = false;
    std::string text; ///< what was found, or why it fails
};

/// A witness, as the text of its file. A search through all schedules of its instance ends after
/// `most_states` states.
Verdict check_file(std::string const& text, std::int64_t most_states);

} // namespace oracle

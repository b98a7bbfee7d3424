#pragma once

#include <cstdint>

namespace crx {

/// How random choices are made from an instance's words (docs/random-choices.md). All engines of
/// one law give the same integers; the two laws give equal distributions.
enum class RandomLaw : std::uint8_t
{
    request, ///< request by request
    cohort,  ///< requests that no policy can tell apart are counted, and counts are drawn
};

} // namespace crx

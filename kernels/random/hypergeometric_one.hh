#pragma once

#include "kernels/random/buffered_words.hh"

// What HypergeometricLanes leaves to be done draw by draw, not inline: templates that are
// instantiated where code is made for wider vectors must not be shared with other files.

namespace crx {

std::int64_t hypergeometric_one(std::int64_t population, std::int64_t marked, std::int64_t draws,
                                BufferedWords& words);

} // namespace crx

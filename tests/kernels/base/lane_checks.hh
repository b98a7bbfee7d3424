#pragma once

#include "kernels/base/processor.hh"

#include <cstdint>

namespace crx {

/// How often an operation of lanes.hh and its parts says in a lane what plain C++ does not say of
/// that lane's numbers, for random numbers; 0 unless something is wrong.
CRX_FOR_EACH_LEVEL(int wrong_in_16_bits(std::uint64_t seed);
                   int wrong_in_32_bits(std::uint64_t seed);
                   int wrong_without_sign(std::uint64_t seed);
                   int wrong_in_floats(std::uint64_t seed);
                   int wrong_in_doubles(std::uint64_t seed);
                   int wrong_in_parts(std::uint64_t seed);)

} // namespace crx

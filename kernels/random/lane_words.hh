#pragma once

#include <cstdint>

namespace crx {

/// Instances whose words are made side by side.
inline constexpr int word_lanes = 32;

/// Words 2 first .. 2 (first + blocks) - 1 of one stream of the instances `instance` ..
/// `instance` + 31, with the machine's vector instructions: words[32 k + j] is word 2 first + k of
/// instance + j. Contract: first + blocks <= 2^32.
void philox_lane_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                       std::uint64_t first, int blocks, std::uint64_t* words);

} // namespace crx

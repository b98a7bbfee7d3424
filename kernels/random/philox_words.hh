#pragma once

#include "kernels/simd/processor.hh"

#include <cstdint>

namespace crx {

/// A stream of an instance's words.
struct PhiloxStream
{
    std::uint64_t seed, instance;
    std::uint32_t stream;
};

/// Writes words 2 first .. 2 (first + blocks) - 1 of a stream: philox_block for several draws at
/// once, with the machine's vector instructions. Contract: first + blocks <= 2^32.
void philox_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                  std::uint64_t first, int blocks, std::uint64_t* words);

/// Instances whose words are made side by side.
inline constexpr int word_lanes = 32;

/// Words 2 first .. 2 (first + blocks) - 1 of one stream of the instances `instance` ..
/// `instance` + 31: words[32 k + j] is word 2 first + k of instance + j. Contract: as above.
void philox_lane_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                       std::uint64_t first, int blocks, std::uint64_t* words);

// The same in vectors.
CRX_FOR_EACH_LEVEL(void fill_stream(PhiloxStream const& of, std::uint32_t first, int blocks,
                                    std::uint64_t* words);
                   void fill_instances(PhiloxStream const& from, std::uint32_t first, int blocks,
                                       std::uint64_t* words);)

} // namespace crx

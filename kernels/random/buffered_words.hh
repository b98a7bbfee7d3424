#pragma once

#include "kernels/base/processor.hh"
#include "kernels/random/word_stream.cuh"

#include <cstdint>
#include <cstring>

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

// philox_words and philox_lane_words in vectors.
CRX_FOR_EACH_LEVEL(void fill_stream(PhiloxStream const& of, std::uint32_t first, int blocks,
                                    std::uint64_t* words);
                   void fill_instances(PhiloxStream const& from, std::uint32_t first, int blocks,
                                       std::uint64_t* words);)

/// The words of a WordStream, made several at a time; for the CPU. `expected` words are likely to
/// be used: no more are made before they are.
class BufferedWords
{
  public:
    static constexpr int most_looked_at = 16;

    BufferedWords() : BufferedWords(0, 0, 0) {}
    BufferedWords(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                  std::int64_t expected = 0)
        : seed_(seed), instance_(instance), stream_(stream),
          blocks_(expected < 2 * most_blocks - 15
                      ? least_blocks * (static_cast<int>(expected) / 16 + 1)
                      : most_blocks)
    {
    }

    std::uint64_t next()
    {
        if (at_ == filled_) refill();
        return words_[at_++];
    }
    /// The next words, most_looked_at of them, to be looked at before they are used.
    std::uint64_t const* look()
    {
        if (filled_ - at_ < most_looked_at) look_further();
        return words_ + at_;
    }
    /// look() that makes more words where few more can be looked at.
    std::uint64_t const* look_ahead()
    {
        if (filled_ - at_ < 2 * most_looked_at) look_further();
        return words_ + at_;
    }
    /// Up to there most_looked_at words can be looked at.
    std::uint64_t const* last_look() const { return words_ + filled_ - most_looked_at; }
    /// Those before `word` are used, which look() gave or one of those after it.
    void use_until(std::uint64_t const* word) { at_ = static_cast<int>(word - words_); }
    /// Uniform on 0 .. k-1 by the same words as WordStream::bounded.
    std::uint64_t bounded(std::uint64_t k) { return bounded_draw(*this, k); }

    /// Writes down the next `count` words.
    void copy(std::uint64_t* to, int count)
    {
        while (count > 0) {
            if (at_ == filled_) {
                if (count >= 2 * most_blocks) { // no need to be written down here
                    philox_words(seed_, stream_, instance_, draw_, most_blocks, to);
                    draw_ += most_blocks;
                    to += 2 * most_blocks;
                    count -= 2 * most_blocks;
                    continue;
                }
                refill();
            }
            auto const here = count < filled_ - at_ ? count : filled_ - at_;
            std::memcpy(to, words_ + at_, static_cast<std::size_t>(here) * sizeof *to);
            to += here;
            at_ += here;
            count -= here;
        }
    }

  private:
    static constexpr int least_blocks = 8, most_blocks = 32;

    void refill();
    void look_further();

    std::uint64_t seed_, instance_, draw_ = 0;
    std::uint32_t stream_;
    int at_ = 0, filled_ = 0, blocks_;
    std::uint64_t words_[2 * most_blocks + 2 * most_looked_at];
};

inline void copy_words(BufferedWords& words, std::uint64_t* to, std::int64_t count)
{
    words.copy(to, static_cast<int>(count));
}

template <int most>
class NextWords<BufferedWords, most>
{
  public:
    NextWords(BufferedWords& words, int count) { words.copy(words_, count); }
    std::uint64_t next() { return words_[at_++]; }

  private:
    int at_ = 0;
    std::uint64_t words_[most];
};

} // namespace crx

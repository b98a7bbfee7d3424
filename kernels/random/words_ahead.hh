#pragma once

#include "kernels/random/buffered_words.hh"

namespace crx {

/// The words of a WordStream for the CPU, made many at a time, which can be looked at before they
/// are used.
class WordsAhead
{
  public:
    static constexpr std::uint64_t most_looked_at = 8;

    WordsAhead(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance)
        : seed_(seed), instance_(instance), stream_(stream)
    {
    }

    std::uint64_t next()
    {
        if (at_ == made_) [[unlikely]]
            make();
        return word_[at_++];
    }
    /// Uniform on 0 .. k-1; as WordStream::bounded.
    std::uint64_t bounded(std::uint64_t k) { return bounded_draw(*this, k); }

    /// The next words, most_looked_at of them, and before them the last that was used.
    std::uint64_t const* look()
    {
        if (at_ + most_looked_at > made_) [[unlikely]]
            make();
        return word_ + at_;
    }
    /// So many of those looked at are used.
    void use(std::uint64_t words) { at_ += words; }

    /// How many words were used.
    std::uint64_t used() const { return first_ + at_; }
    /// The stream that goes on from here.
    WordStream stream()
    {
        WordStream words(seed_, stream_, instance_);
        words.go_on(used(), *look());
        return words;
    }
    /// Goes on from where the stream is. Contract: it was used no less than this.
    void go_on(WordStream const& words)
    {
        at_ = words.used() - first_;
        if (at_ > made_) make();
    }

  private:
    static constexpr int blocks = 32;

    void make()
    {
        auto const used = first_ + at_;
        first_ = used == 0 ? 0 : (used - 1) & ~std::uint64_t{1};
        philox_words(seed_, stream_, instance_, first_ / 2, blocks, word_);
        made_ = 2 * blocks;
        at_ = used - first_;
    }

    std::uint64_t seed_, instance_;
    std::uint32_t stream_;
    std::uint64_t first_ = 0; ///< number of the first word here
    std::uint64_t at_ = 0;    ///< place of the next
    std::uint64_t made_ = 0;  ///< places before it hold words
    std::uint64_t word_[2 * blocks];
};

} // namespace crx

#pragma once

#include "kernels/random/buffered_words.hh"
#include "kernels/random/counted_rows.hh"
#include "kernels/random/sampling_without_replacement.cuh"

namespace crx {
namespace {

/// A SamplingWithoutReplacement that counts the marks of a block when it is made: the same answers
/// by the same words.
class CountedLine : public SamplingState
{
  public:
    CountedLine() : SamplingState(0) {}
    /// Contract: as of SamplingWithoutReplacement.
    CountedLine(CountedRows const& rows, std::int64_t block) : SamplingState(block), rows_(rows) {}

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    std::int64_t take(std::int64_t m, BufferedWords& words)
    {
        if (!holds(m)) return take_past_block(m, words);
        auto const found = rows_.count(place(), place() + m);
        go_to(place() + m);
        return found;
    }
    /// The same if opens_block(m) and so many of next_size(m) are marked.
    [[gnu::noinline]] std::int64_t take_opening(std::int64_t m, std::int64_t marked,
                                                BufferedWords& words)
    {
        return crx::take_opening(*this, rows_, m, marked, words);
    }
    /// Marked ones before a place of the open block.
    std::int64_t marks_before(std::int64_t place) const { return rows_.count(0, place); }

  private:
    [[gnu::noinline]] std::int64_t take_past_block(std::int64_t m, BufferedWords& words)
    {
        return take_marked(*this, rows_, m, words);
    }

    CountedRows rows_;
};

} // namespace
} // namespace crx

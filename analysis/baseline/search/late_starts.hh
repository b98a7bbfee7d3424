#pragma once

#include "analysis/baseline/time_limit.hh"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crx::baseline {

/// Which of many starts, a bit each, are in some round or later: rows of bits for the rounds from
/// the first start to the last. Where that many rows would take too much memory a row stands for
/// several rounds and has the starts of the first of them too.
class LateStarts
{
  public:
    using Mask = std::uint64_t;
    static constexpr std::size_t usual_words = std::size_t{1} << 24; ///< 128 MiB

    /// start[bit]: its round, or -1 for no start. Rows take up to about `most_words`. False, with
    /// nothing to use, if time was over before the end. Contract: a multiple of 64 bits.
    bool tabulate(std::vector<std::int32_t> const& start, TimeLimit const& time,
                  std::size_t most_words = usual_words);

    /// All starts in round t or later, and none before the first round that the row stands for.
    std::vector<Mask> const& row(std::int64_t t) const
    {
        auto const r = static_cast<std::size_t>(std::max<std::int64_t>(t - first_, 0)) >> shift_;
        return rows_[std::min(r, rows_.size() - 1)];
    }
    /// Rounds that share a row.
    std::int64_t stride() const { return std::int64_t{1} << shift_; }

  private:
    int shift_ = 0;
    std::int64_t first_ = 0; ///< round of the first start
    std::vector<std::vector<Mask>> rows_;
};

} // namespace crx::baseline

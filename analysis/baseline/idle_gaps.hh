#pragma once

#include "analysis/baseline/schedule.hh"

namespace crx::baseline {

/// An instance without the rounds in which nothing can be left to do: what is tabulated by rounds
/// then grows with the work and not with the date.
///
/// Rounds before the first arrival are left out, and long gaps between arrivals are shortened to
/// the sum of o of the requests since the last such gap. OPT stays as it is: where a request waits,
/// a round with nothing active only delays, so an optimal schedule of those before the gap is done
/// within that sum after the last of them arrived; then the two sides do not meet, and OPT is the
/// sum of theirs, with the gap or without. By the same argument no optimal schedule starts a
/// request of before the gap behind it, so optimal starts map to optimal starts.
class WithoutIdleGaps
{
  public:
    /// Rounds that a gap must have beyond the work before it. Common instances stay as they are.
    static constexpr Rounds least_gap = 1000;

    /// Contract: at least one request, o >= 1.
    explicit WithoutIdleGaps(OwnedInstance const& instance);

    OwnedInstance const& instance() const { return shortened_; }
    bool left_out() const { return !gaps_.empty(); }
    /// The round of the original instance.
    Rounds original(Rounds round) const;
    /// A schedule of instance() as one of the original: never infeasible, as starts on different
    /// sides of a gap only move apart, by no less than any o before it.
    Starts original(Starts starts) const;

  private:
    struct Gap
    {
        Rounds behind;   ///< first round behind it, in the shortened instance
        Rounds left_out; ///< until then, from round 0 on
    };

    OwnedInstance shortened_;
    std::vector<Gap> gaps_; // ascending
};

} // namespace crx::baseline

#pragma once

#include "kernels/model/requests.cuh"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crx {

/// The longest time between two new tokens of each request of one run
/// (docs/model.md#measures-of-requests). Tokens that a cancelled run has shown are not new when the
/// next run generates them again.
///
/// Told of stretches of rounds and of runs that end, in the order in which they happen. A run that
/// ends asks for the longest of the rounds since its first new token: the stretches that are longer
/// than all after them are kept apart, among which a binary search finds it.
class LongestGaps
{
  public:
    void begin(std::size_t requests, Clock const& clock);

    /// As ScheduleLog::on_stretch.
    void pass(Instant begin, Stretch const& stretch, Rounds rounds, std::int64_t time);
    /// A run of the request ended with its token of the last round; it generated so many.
    void end_run(std::size_t request, Rounds generated);

    /// -1: fewer than two tokens were shown.
    std::int64_t of(std::size_t request) const { return shown_[request].longest; }

  private:
    /// Rounds in which the same requests generated tokens.
    struct Piece
    {
        Rounds first; ///< rounds before it in which tokens were generated
        Instant begin;
        Stretch stretch;
        Rounds rounds;
        std::int64_t last; ///< what its last round lasts; 0 where it is its first
        std::int64_t most; ///< the longest time from a token to the next that ends in it
    };
    struct Shown
    {
        Rounds tokens = 0;
        Instant last = 0; ///< when the last of them was there
        std::int64_t longest = -1;
    };

    std::int64_t round_of(Stretch const& stretch, Rounds k) const;
    Instant end_of_first_new(Piece const& piece, Rounds token_round) const;

    Clock clock_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> peaks_; ///< pieces that are longer than all after them, in order
    std::vector<Shown> shown_;       ///< of each request
    Rounds rounds_ = 0;              ///< so far in which tokens were generated
    Instant last_end_ = 0;           ///< of the last of them
};

} // namespace crx

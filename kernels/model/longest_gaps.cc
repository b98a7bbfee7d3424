#include "kernels/model/longest_gaps.hh"

#include <algorithm>

namespace crx {

void LongestGaps::begin(std::size_t requests, Clock const& clock)
{
    clock_ = clock;
    pieces_.clear();
    peaks_.clear();
    shown_.assign(requests, {});
    rounds_ = 0;
    last_end_ = 0;
}

std::int64_t LongestGaps::round_of(Stretch const& s, Rounds k) const
{
    if (!clock_.affine()) return 1;
    return clock_.round(s.held + k * s.growth, k == 0 ? s.prompts : 0, s.growth);
}

Instant LongestGaps::end_of_first_new(Piece const& piece, Rounds token_round) const
{
    auto const rounds = token_round - piece.first + 1;
    return piece.begin + (clock_.affine() ? clock_.elapsed(piece.stretch, rounds) : rounds);
}

void LongestGaps::pass(Instant begin, Stretch const& stretch, Rounds rounds, std::int64_t time)
{
    if (stretch.growth == 0 || rounds == 0) return; // no token was generated
    auto const last = rounds > 1 ? round_of(stretch, rounds - 1) : 0;
    // From a token of the round before to one of the first round, whatever lies between.
    auto const first = begin + round_of(stretch, 0) - last_end_;
    pieces_.push_back({rounds_, begin, stretch, rounds, last, std::max(first, last)});
    while (!peaks_.empty() && pieces_[peaks_.back()].most <= pieces_.back().most) peaks_.pop_back();
    peaks_.push_back(pieces_.size() - 1);
    rounds_ += rounds;
    last_end_ = begin + time;
}

void LongestGaps::end_run(std::size_t request, Rounds generated)
{
    auto& shown = shown_[request];
    if (generated <= shown.tokens) return;
    auto const first_new = rounds_ - generated + shown.tokens;
    auto const piece = std::ranges::upper_bound(pieces_, first_new, {}, &Piece::first) - 1;
    if (shown.tokens > 0)
        shown.longest = std::max(shown.longest, end_of_first_new(*piece, first_new) - shown.last);
    if (first_new + 1 < rounds_) {
        if (first_new + 1 < piece->first + piece->rounds)
            shown.longest = std::max(shown.longest, piece->last);
        auto const next = static_cast<std::size_t>(piece - pieces_.begin()) + 1;
        auto const peak = std::ranges::lower_bound(peaks_, next);
        if (peak != peaks_.end()) shown.longest = std::max(shown.longest, pieces_[*peak].most);
    }
    shown.tokens = generated;
    shown.last = last_end_;
}

} // namespace crx

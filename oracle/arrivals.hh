#pragma once

#include <cstdint>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "oracle/words.hh"

/// Arrivals of a Poisson process as docs/random-choices.md words them, with whole numbers of any
/// size and nothing skipped.
namespace oracle {

using Whole = boost::multiprecision::cpp_int;

struct RateStep
{
    std::int64_t duration = 0, rate = 0; ///< rate: arrivals a second or round, in 10^-9
};

/// An exponential draw in units of 2^-64.
inline Whole exponential_draw(WordStream& words)
{
    for (Whole whole = 0;; ++whole) {
        std::vector<std::uint64_t> trial{words.next(), words.next()};
        while (trial.back() < trial[trial.size() - 2]) trial.push_back(words.next());
        if (trial.size() % 2 == 0) return (whole << 64) + trial.front();
    }
}

/// A gap from cells (docs/random-choices.md, Arrivals) in units of 2^-64: the word below the first
/// threshold that is above it says in which, another where in it.
struct GapCells
{
    std::vector<std::uint64_t> end, threshold;
};

inline Whole gap_draw(GapCells const& cells, WordStream& words)
{
    std::uint64_t const word = words.next(), place = words.next();
    std::size_t k = 0;
    while (k + 1 < cells.end.size() && word >= cells.threshold[k]) ++k;
    Whole const begin = k == 0 ? 0 : cells.end[k - 1];
    return ((begin << 64) + (Whole(cells.end[k]) - begin) * place) >> 48;
}

/// `unit`: how many rates times durations make one arrival (10^18 in nanoseconds, 10^9 in rounds).
inline std::vector<std::int64_t> poisson_arrivals(WordStream words, std::size_t n,
                                                  std::vector<RateStep> const& steps, bool repeat,
                                                  std::int64_t unit, GapCells const& cells = {})
{
    std::vector<std::int64_t> arrivals;
    Whole point = 0; // of the process of rate 1, times 2^64
    while (arrivals.size() < n) {
        point += cells.end.empty() ? exponential_draw(words) : gap_draw(cells, words);
        Whole left = point * unit; // of the integral of the rate, times 2^64
        Whole time = 0;
        for (std::size_t k = 0;; k = (k + 1) % steps.size()) {
            Whole const slope = Whole(steps[k].rate) << 64;
            bool const last = !repeat && k + 1 == steps.size();
            if (last || left <= slope * steps[k].duration) {
                if (left > 0) time += (left + slope - 1) / slope;
                break;
            }
            left -= slope * steps[k].duration;
            time += steps[k].duration;
        }
        arrivals.push_back(static_cast<std::int64_t>(time));
    }
    return arrivals;
}

} // namespace oracle

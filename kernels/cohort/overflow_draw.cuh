#pragma once

#include "kernels/random/half_words.cuh"
#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// Some cohorts of one working length, and how many of each are cancelled.
struct CancelGroup
{
    std::int32_t cohort;
    std::int64_t left;   ///< not cancelled so far
    std::int64_t before; ///< active before
    Tokens tokens;       ///< what each would hold at the end of the round
};

/// Cancels requests of `size` groups one after the other, each drawn uniformly from all that are
/// left, until they would have held `excess` tokens or nobody is left; returns what is still to be
/// freed, 0 or less if that is enough.
///
/// Law: while the largest holding times the number drawn does not reach the excess, the next is
/// drawn whoever they are. So that many are taken at once, by hypergeometric draws group by group
/// where they outnumber the groups, else by a bounded integer each; then the rest of the excess is
/// looked at again.
CRX_HD inline Tokens cancel_until_freed(CancelGroup* group, std::int64_t size, Tokens excess,
                                        WordStream& words)
{
    std::int64_t left = 0;
    Tokens most = 0;
    for (std::int64_t j = 0; j < size; ++j) {
        left += group[j].left;
        most = group[j].tokens > most ? group[j].tokens : most;
    }
    auto const take = [&](std::int64_t j, std::int64_t m) {
        group[j].left -= m;
        excess -= m * group[j].tokens;
    };
    HalfWords halves(words);
    while (excess > 0 && left > 0) {
        auto certain = (excess + most - 1) / most;
        if (certain >= left) certain = left;
        left -= certain;
        if (left == 0) {
            for (std::int64_t j = 0; j < size; ++j) take(j, group[j].left);
        } else if (size == 1) {
            take(0, certain);
        } else if (certain > 4 * size) {
            auto others = left + certain; // in this group and later ones
            for (std::int64_t j = 0; j < size && certain > 0; ++j) {
                auto const here = group[j].left;
                auto const m = hypergeometric(others, here, certain, words);
                others -= here;
                certain -= m;
                take(j, m);
            }
        } else {
            for (auto all = left + certain; certain > 0; --certain, --all) {
                auto place = std::int64_t{halves.bounded(static_cast<std::uint64_t>(all))};
                std::int64_t j = 0;
                for (; place >= group[j].left; ++j) place -= group[j].left;
                take(j, 1);
            }
        }
    }
    return excess;
}

} // namespace crx

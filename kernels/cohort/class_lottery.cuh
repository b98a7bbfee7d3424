#pragma once

#include "kernels/cohort/composition.cuh"
#include "kernels/random/hypergeometric.cuh"

namespace crx {

/// Which requests are of which class, decided only when it shows: the n requests stand in uniformly
/// random order, a policy that does not know lengths takes groups of them, and a group of whom
/// nobody has completed yet loses its members of class k when it is old enough.
///
/// Law: place the members of the shortest class uniformly among all n requests, those of the next
/// uniformly among the rest, and so on. If classes below k are placed, the members of class k in a
/// group with c requests left are c draws without replacement from all requests of class k or
/// longer in groups not yet asked about class k; how those of longer classes lie does not change
/// that. So one hypergeometric draw a group and class gives exactly the law of the composition in
/// random order, with memory for one number a group.
class ClassLottery
{
  public:
    CRX_HD ClassLottery(Composition const& composition, Arena& arena, std::int64_t most_classes)
        : left_(arena.take<std::int64_t>(most_classes)),
          asked_from_(arena.take<std::int64_t>(most_classes))
    {
        std::int64_t longer = composition.requests;
        for (std::int64_t k = 0; k < composition.classes; ++k) {
            left_[k] = composition.count[k];
            asked_from_[k] = longer;
            longer -= composition.count[k];
        }
    }

    /// How many of a group of m requests are of class k. Contract: none of them is of a class below
    /// k, and the group was not asked about k before.
    CRX_HD std::int64_t draw(std::int64_t k, std::int64_t m, WordStream& words)
    {
        auto const found = hypergeometric(asked_from_[k], left_[k], m, words);
        asked_from_[k] -= m;
        left_[k] -= found;
        return found;
    }

  protected:
    std::int64_t* left_;       ///< requests of class k not yet found
    std::int64_t* asked_from_; ///< requests of class k or longer not yet asked about k
};

} // namespace crx

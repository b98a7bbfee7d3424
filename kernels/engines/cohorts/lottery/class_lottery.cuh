#pragma once

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/random/sampling_without_replacement.cuh"

namespace crx {

/// Which requests are of which class, decided only when it shows: the n requests stand in uniformly
/// random order, a policy that does not know lengths takes groups of them, and a group of which
/// nobody has completed yet loses its members of class k when it is old enough.
///
/// Law: place the members of the shortest class uniformly among all n requests, those of the next
/// uniformly among the rest, and so on. If classes below k are placed, the members of class k in a
/// group with c requests left are c draws without replacement from all requests of class k or
/// longer in groups not yet asked about class k; how those of longer classes lie does not change
/// that. So the next c of a line in random order for each class give exactly the law of the
/// composition in random order.
class ClassLottery
{
  public:
    CRX_HD ClassLottery(Composition const& composition, Arena& arena, std::int64_t most_classes)
        : line_(arena.take<SamplingWithoutReplacement>(most_classes))
    {
        auto const block = sampling_block(most_classes);
        auto const rows = sampling_rows(composition.requests, block);
        auto* row = arena.take<std::uint64_t>(most_classes * rows);
        if (row == nullptr) return; // the arena only counts
        std::int64_t longer = composition.requests;
        for (std::int64_t k = 0; k < composition.classes; ++k, row += rows) {
            line_[k] = SamplingWithoutReplacement(SamplingWithoutReplacement::Rows(row), block);
            line_[k].open(longer, composition.count[k]);
            longer -= composition.count[k];
        }
    }

    /// How many of a group of m requests are of class k. Contract: none of them is of a class below
    /// k, and the group was not asked about k before.
    template <class Words>
    CRX_HD std::int64_t draw(std::int64_t k, std::int64_t m, Words& words)
    {
        return line_[k].take(m, words);
    }

  protected:
    SamplingWithoutReplacement* line_; ///< for each class, those of it or longer, the class marked
};

} // namespace crx

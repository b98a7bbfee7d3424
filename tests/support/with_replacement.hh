#pragma once

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/random/word_stream.cuh"

#include <algorithm>

namespace crx_test {

/// A planted fault in place of ClassSampler: members of a class are drawn with replacement, cut to
/// what there is.
class WithReplacement
{
  public:
    WithReplacement(crx::Composition const& composition, crx::Arena& arena,
                    std::int64_t most_classes)
        : left_(arena.take<std::int64_t>(most_classes)),
          asked_from_(arena.take<std::int64_t>(most_classes))
    {
        auto longer = composition.requests;
        for (std::int64_t k = 0; k < composition.classes; ++k) {
            left_[k] = composition.count[k];
            asked_from_[k] = longer;
            longer -= composition.count[k];
        }
    }
    std::int64_t draw(std::int64_t k, std::int64_t m, crx::WordStream& words)
    {
        std::int64_t found = 0;
        for (std::int64_t j = 0; j < m; ++j)
            found += words.bounded(static_cast<std::uint64_t>(asked_from_[k])) <
                     static_cast<std::uint64_t>(left_[k]);
        found = std::clamp(found, std::max<std::int64_t>(0, left_[k] - (asked_from_[k] - m)),
                           std::min(left_[k], m));
        asked_from_[k] -= m;
        left_[k] -= found;
        return found;
    }

  private:
    std::int64_t* left_;       ///< requests of class k not yet found
    std::int64_t* asked_from_; ///< requests of class k or longer not yet asked about k
};

} // namespace crx_test

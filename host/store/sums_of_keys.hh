#pragma once

#include "host/experiment/paths.hh"
#include "host/store/tables.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/tally.cuh"

#include <functional>
#include <unordered_map>

namespace crx {

/// Ranges of instances, disjoint and ascending, of which each sum of a cell is there: ranges[p][0]
/// of policy p's own, ranges[p][1 + b] of those over baseline b.
using RangesOfSums = std::vector<std::vector<std::vector<InstanceRange>>>;

/// Rows of sums by key, and what the keys of a cell make of them.
class SumsOfKeys
{
  public:
    /// `text_of` gives the sums of a row that was added without; null: none is.
    explicit SumsOfKeys(std::function<std::string(SumsRow const&)> text_of = nullptr)
        : text_of_(std::move(text_of))
    {
    }

    enum class Added
    {
        yes,
        no_covered, ///< all its instances are there
        no_meets    ///< some of them are
    };
    Added add(SumsRow row);
    /// Null: none of the key begins there.
    SumsRow* find(SumsKey const& key, std::int64_t first);
    RangesOfSums ranges(CellKeys const& keys) const;
    /// A cell's sums; `baselines` by their places in the keys, nothing: one that is not known.
    Tally tally(CellKeys const& keys,
                std::vector<std::optional<BaselineKind>> const& baselines) const;
    PathSums paths(CellKeys const& keys) const;

  private:
    template <class Use>
    void each(SumsKey const& key, Use use) const;

    std::function<std::string(SumsRow const&)> text_of_;
    std::unordered_map<SumsKey, std::vector<SumsRow>, HashOfKey> rows_; ///< ascending, disjoint
};

} // namespace crx

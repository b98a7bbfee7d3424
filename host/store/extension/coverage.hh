#pragma once

#include "host/store/extension/holdings.hh"
#include "kernels/model/requests.cuh"

#include <memory>

namespace crx {

/// Instances of which a store has some sums and not others.
struct PartialRange
{
    InstanceRange range;
    std::shared_ptr<Holdings const> missing;
};

/// Instances of a cell that are in the store. Ranges are disjoint and ascend, also between the two.
struct Coverage
{
    std::vector<InstanceRange> done;   ///< with everything
    std::vector<PartialRange> partial; ///< of a store that is being extended

    /// One past the last instance that anything is known of.
    std::int64_t end() const;
};

/// A chunk as far as coverage goes.
struct HeldRange
{
    InstanceRange range;
    Holdings const* holdings;
};

/// What chunks of one cell cover together. Contract: those that share instances share no sums.
Coverage coverage_of(std::vector<HeldRange> const& chunks);

} // namespace crx

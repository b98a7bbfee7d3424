#include "kernels/model/bin_counts.hh"

#include <algorithm>

namespace crx {

void BinCounts::add_to(Histogram& histogram) const
{
    auto few = few_;
    std::ranges::sort(few);
    Histogram own;
    for (auto const bin : few) ++own[bin];
    for (auto bin = lowest_; bin <= highest_; ++bin)
        if (counts_.get()[bin] > 0) own[bin] = counts_.get()[bin];
    for (auto const bin : full_) own[bin] += std::int64_t{1} << 32;
    histogram.add(own);
}

} // namespace crx

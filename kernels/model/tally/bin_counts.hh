#pragma once

#include "kernels/model/tally/tally.cuh"

#include <cstdlib>
#include <memory>
#include <new>

namespace crx {

/// A histogram being filled on the CPU: once opened it has a count for every bin that can be, so
/// that counting allocates nothing. Pages that no ratio falls into are never touched.
class BinCounts
{
  public:
    /// Half a megabyte: only for what is counted.
    void open()
    {
        counts_.reset(static_cast<std::int64_t*>(std::calloc(bins, sizeof(std::int64_t))));
        if (!counts_) throw std::bad_alloc();
    }

    /// Contract: opened.
    void count(std::uint32_t bin)
    {
        ++counts_.get()[bin];
        if (bin < lowest_) lowest_ = bin;
        if (bin > highest_) highest_ = bin;
    }
    void add_to(Histogram& histogram) const
    {
        for (auto bin = lowest_; bin <= highest_; ++bin)
            if (counts_.get()[bin] > 0) histogram[bin] += counts_.get()[bin];
    }

  private:
    /// One more than the bin of the largest FixedRatio.
    static constexpr std::size_t bins = (64 - histogram_mantissa_bits) << histogram_mantissa_bits;
    struct Free
    {
        void operator()(std::int64_t* counts) const { std::free(counts); }
    };

    std::unique_ptr<std::int64_t, Free> counts_;
    std::uint32_t lowest_ = bins, highest_ = 0; ///< bins counted in; none: lowest_ > highest_
};

} // namespace crx

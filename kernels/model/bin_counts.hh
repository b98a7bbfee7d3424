#pragma once

#include "kernels/model/histogram.cuh"

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace crx {

/// A histogram being filled on the CPU: once opened, counting allocates nothing but once. The first
/// values are written down one by one; more than that are counted in an array of all bins that can
/// be, of whose pages those that no value falls into are never touched.
class BinCounts
{
  public:
    void open() { few_.reserve(most_few); }

    /// Contract: opened.
    void count(std::uint32_t bin)
    {
        if (!counts_) {
            if (few_.size() < most_few) return few_.push_back(bin);
            counts_.reset(static_cast<std::uint32_t*>(std::calloc(bins, sizeof(std::uint32_t))));
            if (!counts_) throw std::bad_alloc();
            for (auto const one : few_) count(one);
            few_.clear();
        }
        if (++counts_.get()[bin] == 0) full_.push_back(bin);
        if (bin < lowest_) lowest_ = bin;
        if (bin > highest_) highest_ = bin;
    }
    void add_to(Histogram& histogram) const;

  private:
    /// One more than the bin of the largest FixedRatio.
    static constexpr std::size_t bins = (64 - histogram_mantissa_bits) << histogram_mantissa_bits;
    /// Sorting more takes longer than a quarter of a megabyte of bins, few of whose pages are used.
    static constexpr std::size_t most_few = 512;
    struct Free
    {
        void operator()(std::uint32_t* counts) const { std::free(counts); }
    };

    std::vector<std::uint32_t> few_;
    std::unique_ptr<std::uint32_t, Free> counts_; ///< modulo 2^32
    std::vector<std::uint32_t> full_;             ///< a bin for each 2^32 counted in it
    std::uint32_t lowest_ = bins, highest_ = 0;   ///< bins counted in; none: lowest_ > highest_
};

} // namespace crx

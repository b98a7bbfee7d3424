#pragma once

#include "kernels/engines/cell.hh"
#include "kernels/model/longest_gaps.hh"
#include "kernels/model/measures.hh"

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

/// One thread's measures of one policy: what an engine writes down of an instance, then what is
/// counted of it.
class RequestRecord
{
  public:
    /// Nothing is written or counted where `choice` keeps nothing. `most` requests an instance.
    RequestRecord(MeasureChoice const& choice, std::int64_t most);

    /// The log with this record's arrays, for one instance.
    ScheduleLog log_from(ScheduleLog const& log, Requests const& requests);
    /// Counts what was written down of the instance. `alone`: what each request takes alone on the
    /// clock, if slowdown is kept; null: it is computed here.
    void count(Requests const& requests, Outcome const& outcome, std::int64_t instance,
               std::int64_t const* alone = nullptr);
    void add_to(MeasureSums& sums) const;

  private:
    bool keeps(RequestMeasure measure) const
    {
        return choice_.kept[static_cast<std::size_t>(measure)];
    }
    void count_request(Requests const& requests, std::size_t i, std::int64_t alone, int g);

    MeasureChoice choice_;
    std::vector<Instant> start_, completion_, first_token_, first_shown_;
    MemoryUse use_;
    LongestGaps gaps_;
    Clock clock_;
    Tokens memory_ = 0;
    MeasureSums sums_;            ///< but for histograms
    std::vector<BinCounts> bins_; ///< by group, then by measure
};

} // namespace crx

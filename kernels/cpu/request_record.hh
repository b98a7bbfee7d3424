#pragma once

#include "kernels/engines/cell.hh"
#include "kernels/model/measures.hh"

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace crx {

/// A histogram being filled on the CPU: once opened it has a count for every bin that can be, so
/// that counting allocates nothing. Pages that no value falls into are never touched.
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

/// One thread's measures of one policy: what an engine writes down of an instance, then what is
/// counted of it.
class RequestRecord
{
  public:
    /// Nothing is written or counted where `choice` keeps nothing. `most` requests an instance.
    RequestRecord(MeasureChoice const& choice, std::int64_t most);

    /// The log with this record's arrays, for one instance.
    ScheduleLog log_from(ScheduleLog const& log, Requests const& requests);
    /// Counts what was written down of the instance.
    void count(Requests const& requests, Outcome const& outcome, std::int64_t instance);
    void add_to(MeasureSums& sums) const;

  private:
    void count_request(Requests const& requests, std::size_t i, MeasureGroup& group, int g);

    MeasureChoice choice_;
    std::vector<Instant> start_, completion_, first_token_, first_shown_;
    MemoryUse use_;
    Clock clock_;
    Tokens memory_ = 0;
    MeasureSums sums_;            ///< but for histograms
    std::vector<BinCounts> bins_; ///< by group, then by measure
};

} // namespace crx

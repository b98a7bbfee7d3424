#pragma once

#include "kernels/engines/cell.hh"
#include "kernels/model/bin_counts.hh"
#include "kernels/model/longest_gaps.hh"
#include "kernels/model/measures.hh"

#include <vector>

namespace crx {

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

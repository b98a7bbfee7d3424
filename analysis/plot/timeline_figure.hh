#pragma once

#include "analysis/plot/figure.hh"
#include "kernels/cpu/single.hh"

namespace crx::plot {

/// What a timeline figure says beside its lines; plain text.
struct TimelineTexts
{
    std::string title;         ///< e.g. "A_min, cell 3, instance 17"
    std::string caption;       ///< e.g. the instance's n, M and total latency
    bool nanoseconds = false;  ///< times are of the affine clock; the axis shows seconds
    std::size_t slices = 1000; ///< of the axis, of each of which the extremes are drawn
};

/// Memory held against the round with the limit M above it, and the active and waiting requests
/// below.
///
/// Between two points of a timeline memory is linear, a token a round for each active request, so
/// just after point i it is held(i+1) - active(i) (t(i+1) - t(i)): the drop at i is what
/// completions and cancellations gave back. Under the affine clock, whose rounds differ, points are
/// joined as they are. After the last point no line goes on. Long timelines
/// are thinned so that the highest and the lowest value of each slice of the axis stay.
Figure timeline_figure(std::vector<TimelinePoint> const& timeline, Tokens memory,
                       TimelineTexts const& texts);

} // namespace crx::plot

#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// Stages first .. last of a group, entered by `threshold` prompts at a time.
struct Segment
{
    std::int32_t first = 0, last = 1;
    std::int64_t threshold = 1;

    CRX_HD std::int32_t stages() const { return last - first + 1; }
};

/// Prompts that are served by Nested WAIT on their own: of one length, or of several where the
/// segments go by the stage alone.
///
/// WAIT is the case of one group a type with one segment: exactly `threshold` prompts leave stage 0
/// whenever the type joins, so every later stage holds a whole group of them or nothing.
struct SegmentGroup
{
    Tokens prompt = 1; ///< 0: its prompts have several lengths, and the policy must tell them apart
    std::int32_t first_segment = 0, segments = 1;
    bool one_output =
        false; ///< all outputs equal the last stage: nothing need be known of a prompt
};

/// Thresholds of `wait` or `nested-wait`, as arrays that the caller owns.
struct ThresholdPlan
{
    PromptType const* types = nullptr;
    std::int32_t const* group_of = nullptr; ///< per type
    SegmentGroup const* groups = nullptr;
    Segment const* segments = nullptr; ///< of all groups, group by group
    std::int32_t type_count = 0, group_count = 0, segment_count = 0;
};

} // namespace crx

#pragma once

#include "kernels/cpu/single.hh"

#include <vector>

namespace crx::baseline {

/// Requests with equal arrival, prompt and output: no schedule's latency depends on which of them
/// is which, so programs and searches count them.
struct RequestGroup
{
    Rounds arrival = 0;
    std::int32_t prompt = 0, output = 0;
    std::vector<std::size_t> members; ///< ascending

    std::int64_t count() const { return static_cast<std::int64_t>(members.size()); }
    /// Memory at the last token.
    Tokens peak() const { return Tokens{prompt} + output; }
};

/// The groups of an instance, by (output, prompt, arrival) ascending.
std::vector<RequestGroup> request_groups(OwnedInstance const& instance);

} // namespace crx::baseline

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/effort.hh"
#include "oracle/oracle.hh"

namespace oracle {

/// What looking through all schedules has found.
struct Exhaustion
{
    bool finished = true;              ///< false: there were more states than allowed
    std::optional<std::int64_t> below; ///< the least TEL below `limit`; nothing: there is none
    std::int64_t states = 0;
};

/// Looks for a schedule without cancellation whose TEL is below `limit`: round by round, from every
/// state that can be reached (what each request has generated) with the least latency until then.
/// A state is left only where what it has cost, and what the rest must still cost by their lengths
/// and by their volume, come to `limit`. Contract: every request fits by s + o; outputs below
/// 2^15.
Exhaustion exhaust(std::vector<Request> const& requests, std::int64_t memory, std::int64_t limit,
                   std::int64_t most_states, Effort* effort = nullptr);

} // namespace oracle

#pragma once

#include "analysis/baseline/relaxation/clique_cuts.hh"
#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/search/late_starts.hh"
#include "analysis/baseline/time_limit.hh"

namespace crx::baseline {

/// When a search gives up; only `nodes` repeats exactly.
struct SearchLimit
{
    TimeLimit time;
    std::int64_t nodes = INT64_MAX;
    std::size_t table_words = LateStarts::usual_words; ///< nothing but speed depends on it

    SearchLimit(TimeLimit limit, std::int64_t most_nodes = INT64_MAX)
        : time(std::move(limit)), nodes(most_nodes)
    {
    }
    SearchLimit(double seconds) : time(seconds) {}
};

struct SearchOutcome
{
    bool complete = false; ///< every start of the domain was searched or ruled out
    Starts best;           ///< a schedule with TEL < upper, if one was found; else empty
    Rounds total_latency = 0;
    std::int64_t nodes = 0;
};

/// Searches all schedules with TEL < upper that use starts of `bound.domain` only, in order of
/// time: at each round it decides which requests start, then goes to the next round. Idling on
/// purpose is a decision like any other. Four things cut the tree:
///
/// 1. The Lagrangian bound with the prices of the root, in exact integers: the cost of what
///    started, the least cost of a start still possible for the rest, and the price of memory left
///    unused in the rounds that are decided (Lagrangian says why).
/// 2. Starts that conflict with one already made (starts_conflict) are no longer possible.
/// 3. In an optimal schedule no request alone can start earlier while the others stay where they
///    are. So a request that could have started a round earlier beside those before it must be held
///    back by a later one: at some time before its last token memory must be exactly full.
/// 4. Equal requests start in the order of their index, and a round with the same requests started
///    and the same active ones at the same ages as before, at no less latency, is searched once.
///
/// The second and the last do not disturb the third: an optimal schedule cut by either has an equal
/// one that is kept, which is optimal too and so passes the third.
///
/// Tables are made under the time limit too; a domain without starts is not searched. Contract: at
/// most 64 requests.
SearchOutcome search_starts(OwnedInstance const& instance, std::vector<RequestGroup> const& groups,
                            CliqueBound const& bound, Rounds upper, SearchLimit const& limit);

} // namespace crx::baseline

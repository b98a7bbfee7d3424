#include "kernels/engines/list_schedule/short_list.hh"

#include "kernels/base/bits.cuh"
#include "kernels/simd/processor.hh"
#include "kernels/simd/vector_clones.hh"

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

constexpr int lanes = 8;
using Lanes = std::int32_t __attribute__((vector_size(4 * lanes), aligned(4 * lanes)));

Lanes larger(Lanes const& a, Lanes const& b) { return a > b ? a : b; }
Lanes smaller(Lanes const& a, Lanes const& b) { return a < b ? a : b; }

/// The largest lane, in every lane.
Lanes largest(Lanes const& all)
{
    auto v = larger(all, __builtin_shuffle(all, Lanes{4, 5, 6, 7, 0, 1, 2, 3}));
    v = larger(v, __builtin_shuffle(v, Lanes{2, 3, 0, 1, 6, 7, 4, 5}));
    return larger(v, __builtin_shuffle(v, Lanes{1, 0, 3, 2, 5, 4, 7, 6}));
}

/// Drops the first lane and puts `last` behind the others.
Lanes push(Lanes const& v, Lanes const& last)
{
    return __builtin_shuffle(v, last, Lanes{1, 2, 3, 4, 5, 6, 7, 8});
}

/// Rounds in which something starts or ends.
struct RoundSet
{
    void insert(std::int32_t t) { words[t / 64] |= std::uint64_t{1} << (t % 64); }
    std::uint64_t words[short_list_rounds / 64 + 1];
};

CRX_VECTOR_CLONES bool schedule(Requests const& r, RequestId const* order, Rounds* starts,
                                std::int64_t words, Outcome& outcome)
{
    RoundSet rounds;
    for (std::int64_t w = 0; w < words; ++w) rounds.words[w] = 0;
    // As in ListSchedule; the latest end is in the last lane, lanes not in use have ended at 0.
    Lanes end{}, load{}, t{}, peak{}, lost{};
    auto const memory = static_cast<std::int32_t>(r.memory);
    std::int64_t total = 0;
    std::int32_t last_end = 0;
    for (std::int64_t k = 0; k < r.n; ++k) {
        auto const id = order[k];
        auto const s = r.prompt[id], o = r.output[id];
        t = larger(t, largest(smaller(end, load + (s - memory))));
        load += end + s - t; // also of those past, where it does not matter
        auto const own_end = t + o;
        auto const there = __builtin_shuffle(end, Lanes{7, 7, 7, 7, 7, 7, 7, 7}) == own_end;
        lost |= (end > t) & ~there; // counts in the first lane, which is dropped
        auto const pushed_end = push(end, own_end), pushed_load = push(load, own_end + (s + o));
        end = there ? end : pushed_end;
        load = there ? load : pushed_load;
        peak = larger(peak, (load - end) & (end > t));
        auto const start = t[0];
        last_end = start + o;
        total += last_end;
        rounds.insert(start);
        rounds.insert(last_end);
        if (starts != nullptr) starts[id] = start;
    }
    if (lost[0] != 0) return false;
    outcome.total_latency = total;
    outcome.makespan = last_end;
    outcome.peak_memory = largest(peak)[0];
    for (std::int32_t w = 0; w <= last_end / 64; ++w) outcome.events += count_bits(rounds.words[w]);
    return true;
}

} // namespace

std::optional<Outcome> schedule_short_list(Requests const& r, RequestId const* order,
                                           Rounds* starts)
{
    Rounds last = 0; // no request completes later than if they ran one by one
    for (std::int64_t i = 0; i < r.n; ++i) last += r.output[i];
    if (last > short_list_rounds || r.memory > short_list_memory || lane_width() == LaneWidth::none)
        return std::nullopt;
    Outcome outcome;
    if (!schedule(r, order, starts, last / 64 + 1, outcome)) return std::nullopt;
    return outcome;
}

} // namespace crx

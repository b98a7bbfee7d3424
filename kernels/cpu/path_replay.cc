#include "kernels/cpu/path_replay.hh"

#include "kernels/engines/iterations/path_batches.hh"

#include <cstddef>
#include <memory>

namespace crx {

namespace {

/// Arrivals one by one, counted.
class CountedArrivals
{
  public:
    CountedArrivals(PoissonArrivals& arrivals, std::int64_t& count)
        : arrivals_(arrivals), count_(count)
    {
    }
    Nanoseconds time() const { return arrivals_.time(); }
    std::int32_t type() const { return arrivals_.type(); }
    std::int64_t prompts() const { return arrivals_.prompts(); }
    void advance()
    {
        count_ += prompts();
        arrivals_.advance();
    }
    ArrivalTotals totals(std::int32_t type, Nanoseconds until) const
    {
        return arrivals_.totals(type, until);
    }

  private:
    PoissonArrivals& arrivals_;
    std::int64_t& count_;
};

/// Adds a point an iteration; the number of waiting prompts is known after its instant.
struct TimelineLog
{
    std::vector<TimelinePoint>& timeline;

    void batch(Batch const& batch, Nanoseconds start, Nanoseconds) const
    {
        timeline.push_back({start, batch.memory, batch.prompts, 0});
    }
};

template <class Policy>
Policy make_policy(PathPlan const& plan, std::int64_t room, Arena& arena)
{
    if constexpr (std::is_same_v<Policy, ThresholdPolicy>)
        return Policy(plan.thresholds, room, arena);
    else if constexpr (std::is_same_v<Policy, PromptThresholdPolicy>)
        return Policy(plan.thresholds, plan.hard, room, arena);
    else
        return Policy(plan.fcfs, room, arena);
}

/// False: the policy's queues need more room.
template <class Policy, class Events>
bool try_replay(PathPlan const& plan, std::int64_t path, std::int64_t room, Events events,
                PathReplay& out)
{
    auto const bytes = path_arena_bytes<Policy>(plan, room);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    auto policy = make_policy<Policy>(plan, room, arena);
    PoissonArrivals source(plan.arrivals, plan.seed, static_cast<std::uint64_t>(path), plan.quorum,
                           plan.checkpoints, plan.checkpoint_count, arena);
    std::int64_t arrived = 0;
    CountedArrivals arrivals(source, arrived);
    IterationClock clock(plan.time, plan.types, plan.type_count, plan.capacity, policy, arrivals,
                         TimelineLog{out.timeline}, events);
    for (std::int32_t c = 0; c < plan.checkpoint_count; ++c) {
        for (std::int64_t steps = 0; steps == 0;) {
            steps = 1; // one instant
            auto const before = out.timeline.size();
            if (!clock.run_until(plan.checkpoints[c], steps)) return false;
            if (out.timeline.size() > before)
                out.timeline.back().waiting =
                    arrived - clock.state().tally.completed - out.timeline.back().active;
        }
        out.tallies.push_back(clock.tally());
        if constexpr (Events::names) events.reached(plan.checkpoints[c]);
    }
    return true;
}

} // namespace

namespace {

template <class Policy>
bool try_with_prompts(IterationCell const& cell, PathPlan const& plan, std::int64_t path,
                      std::int64_t room, PathReplay& out)
{
    std::vector<TypeTally> types(cell.types.size());
    RequestLog log(cell.measures, plan, &out.prompts);
    RequestEvents events;
    events.tally = types.data();
    events.log = &log;
    auto const done = try_replay<Policy>(plan, path, room, events, out);
    if (done) out.measures = log.groups();
    return done;
}

} // namespace

PathReplay replay_path(IterationCell const& cell, std::int64_t path, PathDetail detail)
{
    std::vector<std::int64_t> const one_by_one(cell.types.size(), 1);
    auto const plan = path_plan(cell, one_by_one);
    for (auto room = first_path_room;; room *= path_room_factor) {
        PathReplay out;
        auto const done = detail == PathDetail::iterations
                              ? with_path_policy(cell,
                                                 [&]<class Policy>() {
                                                     return try_replay<Policy>(plan, path, room,
                                                                               NoTypeEvents{}, out);
                                                 })
                          : has_thresholds(cell.policy.kind)
                              ? try_with_prompts<PromptThresholdPolicy>(cell, plan, path, room, out)
                              : try_with_prompts<FcfsPolicy>(cell, plan, path, room, out);
        if (done) return out;
    }
}

} // namespace crx

#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/iterations/iteration_model.cuh"
#include "kernels/engines/iterations/threshold_policy.cuh"

namespace crx {

/// A prompt that is told from the others, while it is in the system.
struct QueuedPrompt
{
    std::int32_t type = 0;
    std::int32_t older = -1, newer = -1; ///< its neighbours in the group, by arrival
    std::int32_t leaves_before = -1;     ///< the prompt before it among those of its exit
    std::int32_t segment = -1;           ///< it entered last; -1: none, it waits at stage 0
    bool seen = false;                   ///< its first token has been out once
    std::int64_t exit_run = 0;           ///< run of that segment in which it leaves it
    std::int64_t number = 0;             ///< how many prompts arrived before it
};

/// The prompts of one group in order of arrival. Those that have completed are not in it.
struct PromptOrder
{
    std::int32_t oldest = -1, newest = -1;
};

/// Places for prompts and the orders that are made of them. -1 stands for no prompt.
class PromptPool
{
  public:
    CRX_HD PromptPool(std::int64_t room, Arena& arena)
        : prompts_(arena.take<QueuedPrompt>(room)), room_(room)
    {
    }

    CRX_HD QueuedPrompt& operator[](std::int32_t id) { return prompts_[id]; }
    CRX_HD QueuedPrompt const& operator[](std::int32_t id) const { return prompts_[id]; }

    /// The number of the newest of the order, or -1 where no place is left.
    CRX_HD std::int32_t append(PromptOrder& order, std::int32_t type)
    {
        auto id = free_;
        if (id >= 0)
            free_ = prompts_[id].newer;
        else if (used_ < room_)
            id = static_cast<std::int32_t>(used_++);
        else
            return -1;
        auto& prompt = prompts_[id];
        prompt = QueuedPrompt{};
        prompt.type = type;
        prompt.older = order.newest;
        prompt.number = arrived_++;
        (order.newest >= 0 ? prompts_[order.newest].newer : order.oldest) = id;
        order.newest = id;
        return id;
    }

    CRX_HD void remove(PromptOrder& order, std::int32_t id)
    {
        auto& prompt = prompts_[id];
        (prompt.older >= 0 ? prompts_[prompt.older].newer : order.oldest) = prompt.newer;
        (prompt.newer >= 0 ? prompts_[prompt.newer].older : order.newest) = prompt.older;
        prompt.newer = free_;
        free_ = id;
    }

  private:
    QueuedPrompt* prompts_;
    std::int64_t room_;
    std::int64_t used_ = 0;    ///< places that were ever taken
    std::int64_t arrived_ = 0; ///< prompts so far
    std::int32_t free_ = -1;   ///< a place given back; its `newer` is the next one
};

/// WAIT and Nested WAIT where prompts are told apart: with hard memory, with prompt lengths that
/// differ inside a group, or with events by type. Else ThresholdPolicy does the same by counts.
///
/// Hard memory: while a batch would take more than C, the newest prompt past stage 0 restarts (it
/// loses its tokens and waits at stage 0 in its place by arrival) and the batch is formed again.
/// Source: docs/model.md#wait and #nested-wait.
///
/// In a group the started prompts are a prefix of the order of arrival, and an older one is never
/// at an earlier stage; so a segment takes the oldest at its first stage, and the one that restarts
/// is the newest of the started. A batch costs O(segments that run + prompts that enter or leave
/// one), a restart O(groups + segments of its group); with several prompt lengths in a group both
/// look at the prompts that would enter.
class PromptThresholdPolicy
{
  public:
    /// `memory`: C, hard; 0: no limit. Contract: `memory` is at least the prefills of a batch in
    /// which every group is at its threshold. `room`: prompts in the system, below 2^31.
    CRX_HD PromptThresholdPolicy(ThresholdPlan const& plan, Tokens memory, std::int64_t room,
                                 Arena& arena)
        : plan_(plan), memory_limit_(memory), pool_(room, arena), ready_(plan.group_count, arena)
    {
        groups_ = arena.take<GroupState>(plan.group_count);
        segments_ = arena.take<SegmentState>(plan.segment_count);
        bool const counts_only = groups_ == nullptr;
        for (std::int32_t g = 0; g < plan.group_count && !counts_only; ++g) groups_[g] = {};
        for (std::int32_t s = 0; s < plan.segment_count; ++s) {
            auto const stages = plan.segments[s].stages();
            SegmentState state;
            state.exits = arena.take<Exit>(stages);
            if (counts_only) continue;
            for (std::int32_t k = 0; k < stages; ++k) state.exits[k] = {};
            segments_[s] = state;
        }
    }

    CRX_HD bool has_room() const { return has_room_; }

    /// The prompt's slot, which is its own until it completes; -1: no room. Contract: n = 1.
    CRX_HD std::int32_t arrive(std::int32_t type, std::int64_t n = 1)
    {
        CRX_EXPECT(n == 1);
        auto const g = plan_.group_of[type];
        auto const id = pool_.append(groups_[g].order, type);
        has_room_ = has_room_ && id >= 0;
        if (id < 0) return id;
        wait_at(plan_.groups[g].first_segment, id, 1);
        update_ready(g);
        return id;
    }

    template <class Events>
    CRX_HD Batch begin_batch(Events& events)
    {
        batch_ = {};
        ready_.for_each([&](std::int32_t g) { add_group(g); });
        if (batch_.prompts == 0) return {}; // no batch, so nothing to make room for
        while (memory_limit_ > 0 && held_ + batch_.memory > memory_limit_) restart_newest(events);
        if constexpr (Events::names) tell_started(events);
        auto out = batch_;
        out.memory += held_;
        return out;
    }

    template <class Events>
    CRX_HD BatchEnd end_batch(Events& events)
    {
        BatchEnd end;
        held_ += batch_.memory;
        // A group that became ready since has no part in this batch.
        ready_.for_each([&](std::int32_t g) {
            for (auto i = groups_[g].depth - 1; i >= 0; --i) end_segment(g, i, end, events);
            groups_[g].part = {};
            groups_[g].depth = 0;
            update_ready(g);
        });
        return end;
    }

  private:
    struct GroupState
    {
        PromptOrder order;
        std::int64_t at_stage_1 = 0; ///< prompts whose next stage is 1
        std::int32_t depth = 0;      ///< how many of its segments are in the batch
        Batch part;                  ///< of the batch that is the group's
    };
    struct Exit ///< prompts that leave a segment in one of its next runs
    {
        std::int64_t leaving = 0, passing = 0; ///< complete, or reach the next segment
        Tokens leaving_tokens = 0;             ///< l + l' of those that complete
        Tokens passing_prompts = 0;            ///< l of those that pass
        std::int32_t last_leaving = -1;        ///< the newest of those that complete
        std::int32_t first_passing = -1;       ///< the oldest of those that pass
    };
    struct SegmentState
    {
        std::int64_t waiting = 0;        ///< prompts at its first stage
        std::int64_t inside = 0;         ///< prompts at its later stages
        std::int64_t runs = 0;           ///< batches it was in
        Tokens inside_tokens = 0;        ///< of those inside, l + next stage
        std::int32_t first_waiting = -1; ///< the oldest at its first stage
        Exit* exits = nullptr;           ///< exits[r % stages]: prompts that leave in run r
    };

    CRX_HD PromptType const& type_of(std::int32_t id) const { return plan_.types[pool_[id].type]; }
    CRX_HD void update_ready(std::int32_t g)
    {
        auto const s = plan_.groups[g].first_segment;
        ready_.set(g, segments_[s].waiting >= plan_.segments[s].threshold);
    }
    CRX_HD void wait_at(std::int32_t s, std::int32_t oldest, std::int64_t n)
    {
        if (segments_[s].waiting == 0) segments_[s].first_waiting = oldest;
        segments_[s].waiting += n;
    }

    /// Sum of l over the prompts that would enter the segment.
    CRX_HD Tokens entering_prompts(SegmentGroup const& group, std::int32_t s) const
    {
        auto const n = plan_.segments[s].threshold;
        if (group.prompt > 0) return n * group.prompt;
        Tokens sum = 0;
        auto id = segments_[s].first_waiting;
        for (std::int64_t k = 0; k < n; ++k, id = pool_[id].newer) sum += type_of(id).prompt;
        return sum;
    }

    /// What the group adds to the batch as it stands.
    CRX_HD void add_group(std::int32_t g)
    {
        auto const& group = plan_.groups[g];
        auto& state = groups_[g];
        state.depth = 0;
        state.part = {};
        for (std::int32_t i = 0; i < group.segments; ++i) {
            auto const s = group.first_segment + i;
            auto const n = plan_.segments[s].threshold;
            if (segments_[s].waiting < n) break;
            auto const prompts = entering_prompts(group, s);
            state.part.prompts += n + segments_[s].inside;
            state.part.tokens += prompts + n * plan_.segments[s].first + segments_[s].inside_tokens;
            // Inside the batch a prompt holds one token more; at stage 0 it held nothing.
            state.part.memory += (i == 0 ? prompts : n) + segments_[s].inside;
            ++state.depth;
        }
        batch_.prompts += state.part.prompts;
        batch_.tokens += state.part.tokens;
        batch_.memory += state.part.memory;
    }
    CRX_HD void take_group_out(std::int32_t g)
    {
        batch_.prompts -= groups_[g].part.prompts;
        batch_.tokens -= groups_[g].part.tokens;
        batch_.memory -= groups_[g].part.memory;
    }

    /// The newest prompt of a group that is past stage 0, or -1.
    CRX_HD std::int32_t newest_started(std::int32_t g) const
    {
        auto const& first = segments_[plan_.groups[g].first_segment];
        return first.waiting > 0 ? pool_[first.first_waiting].older : groups_[g].order.newest;
    }

    /// Those at stage 0 of a group in the batch.
    template <class Events>
    CRX_HD void tell_started(Events& events) const
    {
        for (std::int32_t g = 0; g < plan_.group_count; ++g) {
            if (groups_[g].depth == 0) continue;
            auto const s = plan_.groups[g].first_segment;
            auto id = segments_[s].first_waiting;
            for (auto k = plan_.segments[s].threshold; k > 0; --k, id = pool_[id].newer)
                events.started(id);
        }
    }

    template <class Events>
    CRX_HD void restart_newest(Events& events)
    {
        std::int32_t latest = -1, in_group = -1;
        for (std::int32_t g = 0; g < plan_.group_count; ++g) {
            auto const id = newest_started(g);
            if (id < 0 || (latest >= 0 && pool_[id].number < pool_[latest].number)) continue;
            latest = id;
            in_group = g;
        }
        CRX_EXPECT(latest >= 0); // prefills alone fit
        take_group_out(in_group);
        restart(in_group, latest, events);
        update_ready(in_group);
        add_group(in_group);
        ++batch_.cancelled;
    }

    /// Contract: `id` is the newest started prompt of its group.
    template <class Events>
    CRX_HD void restart(std::int32_t g, std::int32_t id, [[maybe_unused]] Events& events)
    {
        auto& prompt = pool_[id];
        auto const& type = type_of(id);
        auto& state = segments_[prompt.segment];
        auto const& segment = plan_.segments[prompt.segment];
        if (state.runs > prompt.exit_run) { // it waits for the next segment
            if constexpr (Events::names) events.cancelled(id, 0, segment.last);
            held_ -= type.prompt + segment.last;
            --segments_[prompt.segment + 1].waiting;
        } else {
            auto const passes = type.output > segment.last;
            auto const last = passes ? segment.last : type.output;
            auto const stage = last - (prompt.exit_run - state.runs);
            if constexpr (Events::names) events.cancelled(id, 0, stage - 1);
            held_ -= type.prompt + stage - 1;
            --state.inside;
            state.inside_tokens -= type.prompt + stage;
            if (stage == 1) --groups_[g].at_stage_1;
            auto& exit = state.exits[prompt.exit_run % segment.stages()];
            if (passes) {
                --exit.passing;
                exit.passing_prompts -= type.prompt;
            } else {
                --exit.leaving;
                exit.leaving_tokens -= type.prompt + type.output;
                exit.last_leaving = prompt.leaves_before;
            }
        }
        prompt.segment = -1;
        auto& first = segments_[plan_.groups[g].first_segment];
        ++first.waiting;
        first.first_waiting = id;
    }

    template <class Events>
    CRX_HD void end_segment(std::int32_t g, std::int32_t i, BatchEnd& end, Events& events)
    {
        auto const& group = plan_.groups[g];
        auto const s = group.first_segment + i;
        auto const& segment = plan_.segments[s];
        auto& state = segments_[s];
        if constexpr (Events::names) events.tick(s);
        if (i == 0) {
            end.first_tokens += first_tokens(g, events);
            groups_[g].at_stage_1 = segment.threshold;
        }
        auto const entered = enter(s, events);
        auto& slot = state.exits[state.runs % segment.stages()];
        auto const exit = slot;
        slot = {};
        state.inside += segment.threshold - exit.leaving - exit.passing;
        state.inside_tokens += entered - exit.leaving_tokens - exit.passing_prompts -
                               exit.passing * segment.last + state.inside;
        ++state.runs;
        if (exit.passing > 0) wait_at(s + 1, exit.first_passing, exit.passing);
        held_ -= exit.leaving_tokens;
        end.completed += exit.leaving;
        for (auto id = exit.last_leaving; id >= 0;) {
            auto const before = pool_[id].leaves_before;
            end.completed_tokens += type_of(id).output;
            events.completed(pool_[id].type, 1, id);
            pool_.remove(groups_[g].order, id);
            id = before;
        }
        if constexpr (Events::names) {
            auto id = exit.first_passing;
            for (auto k = exit.passing; k > 0; --k, id = pool_[id].newer) events.left(id);
        }
    }

    /// Those that were served at stage 1 are the newest that are started.
    template <class Events>
    CRX_HD std::int64_t first_tokens(std::int32_t g, Events& events)
    {
        std::int64_t out = 0;
        auto id = newest_started(g);
        for (auto k = groups_[g].at_stage_1; k > 0; --k) {
            auto& prompt = pool_[id];
            id = prompt.older;
            if (prompt.seen) continue;
            prompt.seen = true;
            ++out;
            events.first_token(prompt.type);
        }
        return out;
    }

    /// Finds in which of the next runs each of the prompts that enter the segment will leave it.
    /// Their l + first stage, summed.
    template <class Events>
    CRX_HD Tokens enter(std::int32_t s, [[maybe_unused]] Events& events)
    {
        auto const& segment = plan_.segments[s];
        auto& state = segments_[s];
        Tokens tokens = 0;
        auto id = state.first_waiting;
        for (std::int64_t k = 0; k < segment.threshold; ++k) {
            auto& prompt = pool_[id];
            auto const& type = type_of(id);
            auto const passes = type.output > segment.last;
            CRX_EXPECT(type.output >= segment.first);
            tokens += type.prompt + segment.first;
            prompt.segment = s;
            if constexpr (Events::names)
                events.entered(id, s, segment.first > 0 ? segment.first : 1, segment.first > 0);
            prompt.exit_run = state.runs + (passes ? segment.last : type.output) - segment.first;
            auto& exit = state.exits[prompt.exit_run % segment.stages()];
            if (passes) {
                if (exit.passing++ == 0) exit.first_passing = id;
                exit.passing_prompts += type.prompt;
            } else {
                ++exit.leaving;
                exit.leaving_tokens += type.prompt + type.output;
                prompt.leaves_before = exit.last_leaving;
                exit.last_leaving = id;
            }
            id = prompt.newer;
        }
        state.first_waiting = id; // of no meaning if no request waits
        state.waiting -= segment.threshold;
        return tokens;
    }

    ThresholdPlan plan_;
    Tokens memory_limit_;
    PromptPool pool_;
    ReadyGroups ready_;
    GroupState* groups_;
    SegmentState* segments_;
    Tokens held_ = 0; ///< memory of all prompts outside a batch
    Batch batch_;     ///< that is formed or runs; its memory is what it adds to held_
    bool has_room_ = true;
};

} // namespace crx

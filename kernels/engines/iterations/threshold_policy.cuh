#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// The groups that have their threshold at stage 0, a bit each.
class ReadyGroups
{
  public:
    /// None of them yet. With an arena that only counts nothing may be asked.
    CRX_HD ReadyGroups(std::int32_t groups, Arena& arena)
        : words_((groups + 63) / 64), word_(arena.take<std::uint64_t>(words_))
    {
        for (std::int32_t w = 0; w < words_ && word_ != nullptr; ++w) word_[w] = 0;
    }

    CRX_HD void set(std::int32_t g, bool ready)
    {
        auto const bit = std::uint64_t{1} << (g % 64);
        if (ready)
            word_[g / 64] |= bit;
        else
            word_[g / 64] &= ~bit;
    }

    /// Calls visit(g) for each, ascending; visit may set(g, ...) for its own g.
    template <class Visit>
    CRX_HD void for_each(Visit visit) const
    {
        for (std::int32_t w = 0; w < words_; ++w)
            for (auto bits = word_[w]; bits != 0; bits &= bits - 1)
                visit(64 * w + lowest_bit(bits));
    }

  private:
    std::int32_t words_;
    std::uint64_t* word_;
};

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

/// A queue of prompts' outputs with a fixed place for them.
class OutputQueue
{
  public:
    CRX_HD void take(Arena& arena, std::int64_t room)
    {
        items_ = arena.take<std::int32_t>(room);
        mask_ = room - 1;
    }
    CRX_HD bool push(std::int32_t output)
    {
        if (size_ > mask_) return false;
        items_[(head_ + size_++) & mask_] = output;
        return true;
    }
    CRX_HD std::int32_t pop()
    {
        --size_;
        return items_[head_++ & mask_];
    }

  private:
    std::int32_t* items_ = nullptr;
    std::int64_t mask_ = -1, head_ = 0, size_ = 0;
};

/// WAIT and Nested WAIT by cohorts (AO, Algorithms 1 and 2; docs/model.md#wait and #nested-wait).
///
/// A segment that runs takes exactly its threshold from its first stage, and each later stage holds
/// at most that many, so all inside it move together. What is kept of a segment are sums over the
/// prompts inside, how many leave it in each of its next runs, and the order of those that will
/// reach its first stage. An iteration costs O(segments that run + prompts that enter one),
/// whatever the number of stages, and with one output a group only O(groups that run).
class ThresholdPolicy
{
  public:
    /// `room`: prompts a queue can hold, a power of two. Contract: a group has one prompt length.
    CRX_HD ThresholdPolicy(ThresholdPlan const& plan, std::int64_t room, Arena& arena)
        : plan_(plan), ready_(plan.group_count, arena)
    {
        segments_ = arena.take<SegmentState>(plan.segment_count);
        running_ = arena.take<std::int32_t>(plan.group_count);
        depth_ = arena.take<std::int32_t>(plan.group_count);
        bool const counts_only = segments_ == nullptr;
        for (std::int32_t g = 0; g < plan.group_count; ++g) {
            auto const& group = plan.groups[g];
            CRX_EXPECT(group.prompt > 0);
            for (auto s = group.first_segment; s < group.first_segment + group.segments; ++s) {
                SegmentState state;
                if (!group.one_output) {
                    auto const stages = plan.segments[s].stages();
                    state.queue.take(arena, room);
                    state.exits = arena.take<Exits>(stages);
                    for (std::int32_t k = 0; k < stages && !counts_only; ++k) state.exits[k] = {};
                }
                if (!counts_only) segments_[s] = state;
            }
        }
    }

    CRX_HD bool has_room() const { return has_room_; }

    /// `n` prompts of a type; -1, as they have no slots. Contract: n = 1, or the group has one
    /// output.
    CRX_HD std::int32_t arrive(std::int32_t type, std::int64_t n = 1)
    {
        auto const g = plan_.group_of[type];
        auto const& group = plan_.groups[g];
        auto& first = segments_[group.first_segment];
        if (!group.one_output)
            has_room_ =
                has_room_ && first.queue.push(static_cast<std::int32_t>(plan_.types[type].output));
        first.waiting += n;
        if (first.waiting >= plan_.segments[group.first_segment].threshold) ready_.set(g, true);
        return -1;
    }

    template <class Events>
    CRX_HD Batch begin_batch(Events&)
    {
        Batch batch;
        running_count_ = 0;
        ready_.for_each([&](std::int32_t g) { begin_group(g, batch); });
        batch.memory += held_;
        memory_ = batch.memory;
        return batch;
    }

    /// Contract: events are wanted only of WAIT, where group j is type j.
    template <class Events>
    CRX_HD BatchEnd end_batch(Events& events)
    {
        BatchEnd end;
        held_ = memory_;
        for (std::int32_t r = 0; r < running_count_; ++r) {
            auto const g = running_[r];
            auto const& group = plan_.groups[g];
            [[maybe_unused]] auto const before = end;
            for (auto i = depth_[r] - 1; i >= 0; --i) end_segment(group, i, end);
            if constexpr (Events::wanted) {
                CRX_EXPECT(group.one_output);
                events.completed(g, end.completed - before.completed);
                events.first_token(g, end.first_tokens - before.first_tokens);
            }
            auto const first = group.first_segment;
            ready_.set(g, segments_[first].waiting >= plan_.segments[first].threshold);
        }
        running_count_ = 0;
        return end;
    }

    // What the coupled processes of AO are compared with; segments are numbered over all groups.

    /// Prompts at the first stage of segment `s`, those in the batch that runs among them.
    CRX_HD std::int64_t waiting(std::int32_t s) const { return segments_[s].waiting; }
    /// Prompts at the first stage of segment `s` in the batch that runs. Cost: O(groups in it).
    CRX_HD std::int64_t taken(std::int32_t s) const
    {
        for (std::int32_t r = 0; r < running_count_; ++r) {
            auto const first = plan_.groups[running_[r]].first_segment;
            if (s >= first && s < first + depth_[r]) return plan_.segments[s].threshold;
        }
        return 0;
    }

  private:
    struct Exits
    {
        std::int64_t leaving = 0;  ///< prompts that complete in this run
        Tokens leaving_tokens = 0; ///< their outputs
        std::int64_t passing = 0;  ///< prompts that reach the next segment
    };
    struct SegmentState
    {
        std::int64_t waiting = 0; ///< prompts at its first stage
        std::int64_t inside = 0;  ///< prompts at its later stages
        Tokens inside_tokens = 0; ///< their l + next stage
        std::int64_t runs = 0;    ///< batches it was in
        OutputQueue queue;        ///< those that wait, then those in the segment before that will
        Exits* exits = nullptr;   ///< exits[r % stages]: what run r ends with
    };

    CRX_HD void begin_group(std::int32_t g, Batch& batch)
    {
        auto const& group = plan_.groups[g];
        std::int32_t i = 0;
        for (; i < group.segments; ++i) {
            auto const& segment = plan_.segments[group.first_segment + i];
            auto const& state = segments_[group.first_segment + i];
            if (state.waiting < segment.threshold) break;
            auto const n = segment.threshold;
            batch.prompts += n + state.inside;
            batch.tokens += n * (group.prompt + segment.first) + state.inside_tokens;
            // Inside the batch a prompt holds one token more; at stage 0 it held nothing.
            batch.memory += n * (i == 0 ? group.prompt : 1) + state.inside;
        }
        running_[running_count_] = g;
        depth_[running_count_++] = i;
    }

    CRX_HD void end_segment(SegmentGroup const& group, std::int32_t i, BatchEnd& end)
    {
        auto const s = group.first_segment + i;
        auto const& segment = plan_.segments[s];
        auto& state = segments_[s];
        auto const n = segment.threshold;
        if (i == 0 && state.runs >= 1) end.first_tokens += n; // they entered one run ago
        Exits exits;
        if (group.one_output) {
            if (state.runs >= segment.stages() - 1) exits = {n, n * segment.last, 0};
        } else {
            enter(s, i + 1 == group.segments);
            auto& slot = state.exits[state.runs % segment.stages()];
            exits = slot;
            slot = {};
        }
        auto const tokens = n * (group.prompt + segment.first) + state.inside_tokens;
        auto const gone = exits.leaving + exits.passing;
        auto const leaving_memory = exits.leaving * group.prompt + exits.leaving_tokens;
        state.waiting -= n;
        state.inside += n - gone;
        state.inside_tokens =
            tokens - leaving_memory - exits.passing * (group.prompt + segment.last) + state.inside;
        ++state.runs;
        if (exits.passing > 0) segments_[s + 1].waiting += exits.passing;
        held_ -= leaving_memory;
        end.completed += exits.leaving;
        end.completed_tokens += exits.leaving_tokens;
    }

    /// Finds in which of the next runs each of the prompts that enter the segment will leave it.
    CRX_HD void enter(std::int32_t s, bool last_segment)
    {
        auto const& segment = plan_.segments[s];
        auto& state = segments_[s];
        for (std::int64_t k = 0; k < segment.threshold; ++k) {
            auto const output = state.queue.pop();
            auto const passes = output > segment.last;
            CRX_EXPECT(!(passes && last_segment) && output >= segment.first);
            auto const stage = passes ? segment.last : output;
            auto& exits = state.exits[(state.runs + stage - segment.first) % segment.stages()];
            if (passes) {
                ++exits.passing;
                has_room_ = segments_[s + 1].queue.push(output) && has_room_;
            } else {
                ++exits.leaving;
                exits.leaving_tokens += output;
            }
        }
    }

    ThresholdPlan plan_;
    ReadyGroups ready_;
    SegmentState* segments_;
    std::int32_t* running_; ///< groups in the batch
    std::int32_t* depth_;   ///< how many segments of running_[r] are in the batch
    std::int32_t running_count_ = 0;
    Tokens held_ = 0;   ///< memory of all prompts outside a batch
    Tokens memory_ = 0; ///< of the batch that runs
    bool has_room_ = true;
};

} // namespace crx

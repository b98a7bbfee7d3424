#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// How prompts that are first come are served first (docs/model.md#first-come-first-served).
enum class FcfsKind
{
    vllm,    ///< a batch of prefills alone if one is possible, else all decode
    sarathi, ///< decodes, then started chunks, then new ones, under a token budget
    safe     ///< decodes and prefills; starts a prompt only if no overflow can follow
};

struct FcfsPlan
{
    FcfsKind kind = FcfsKind::vllm;
    PromptType const* types = nullptr;
    Tokens memory = 0;        ///< C; every l + l' is at most C
    std::int64_t limit = 0;   ///< running prompts; 0: none
    Tokens budget = 0;        ///< of sarathi, tokens an iteration; 0: none
    bool keep_tokens = false; ///< a cancelled prompt prefills the tokens it had, too
    Tokens longest = 1;       ///< largest l'
};

/// The engines' first-come-first-served policies, prompt by prompt.
///
/// Started prompts are always older than waiting ones: admission takes a prefix of the queue and
/// cancellation the latest arrival, which goes back to the queue's head. All that decode do so in
/// every decode iteration, so a prompt's end is known when its prefill ends, and only sums change
/// with an iteration. Cost: O(prompts started, completed or cancelled); O(l') per start in `safe`.
class FcfsPolicy
{
  public:
    /// `room`: prompts between the oldest unfinished one and the last, a power of two.
    CRX_HD FcfsPolicy(FcfsPlan const& plan, std::int64_t room, Arena& arena)
        : plan_(plan), prompts_(arena.take<Prompt>(room)), mask_(room - 1), span_(plan.longest + 2),
          ends_(arena.take<Ends>(span_)),
          ahead_(arena.take<Tokens>(plan.kind == FcfsKind::safe ? span_ : 0))
    {
        if (prompts_ == nullptr) return;
        for (Tokens k = 0; k < span_; ++k) ends_[k] = {};
        for (Tokens k = 0; k < span_ && plan.kind == FcfsKind::safe; ++k) ahead_[k] = 0;
    }

    CRX_HD bool has_room() const { return has_room_; }

    /// The prompt's slot, which is its own until it completes; -1: no room. Contract: n = 1.
    CRX_HD std::int32_t arrive(std::int32_t type, std::int64_t n = 1)
    {
        CRX_EXPECT(n == 1);
        while (oldest_ < head_ && done(oldest_)) ++oldest_;
        if (tail_ - oldest_ > mask_) {
            has_room_ = false;
            return -1;
        }
        auto const slot = slot_of(tail_++);
        prompts_[slot] = {waiting, type};
        return slot;
    }

    template <class Events>
    CRX_HD Batch begin_batch(Events& events)
    {
        batch_ = {};
        prefill_begin_ = head_;
        decodes_ = false;
        if (plan_.kind == FcfsKind::vllm)
            begin_vllm(events);
        else if (plan_.kind == FcfsKind::sarathi)
            begin_sarathi(events);
        else
            begin_safe(events);
        return batch_;
    }

    template <class Events>
    CRX_HD BatchEnd end_batch(Events& events)
    {
        BatchEnd end;
        if (decodes_) end_decodes(end, events);
        // Prefills that end now: the chunk begun before, then the new ones but for a new chunk.
        if (chunk_begun_ >= 0) {
            begin_decoding(chunk_begun_, events);
            chunk_begun_ = -1;
        }
        for (auto id = prefill_begin_; id < head_; ++id)
            if (!done(id) && id != chunked_) begin_decoding(id, events);
        return end;
    }

  private:
    static constexpr std::int64_t waiting = -1, prefilling = INT64_MAX;

    struct Prompt
    {
        std::int64_t last_decode; ///< decode iteration that completes it, or one of the above
        std::int32_t type;
        std::int32_t kept = 0;       ///< tokens that its prefill makes again
        std::int32_t ends_after = 0; ///< place of the prompt before it among those that end with it
        std::int32_t due_after = 0;  ///< likewise, among those whose first token is due
        bool seen = false;           ///< its first token has been out once
    };
    struct Ends ///< of a decode iteration
    {
        std::int64_t completed = 0;
        Tokens prompt_tokens = 0, output_tokens = 0; ///< sums of l and of l' of the completed
        std::int32_t last = 0;                       ///< place of the latest of them
    };

    CRX_HD std::int32_t slot_of(std::int64_t id) const
    {
        return static_cast<std::int32_t>(id & mask_);
    }
    CRX_HD Prompt& at(std::int64_t id) { return prompts_[id & mask_]; }
    CRX_HD PromptType const& type_of(std::int64_t id) { return plan_.types[at(id).type]; }
    CRX_HD bool done(std::int64_t id)
    {
        auto const last = at(id).last_decode;
        return last != waiting && last <= decoded_;
    }
    CRX_HD Tokens prefill_tokens(std::int64_t id) { return type_of(id).prompt + at(id).kept; }
    CRX_HD bool room_for_one() const { return plan_.limit == 0 || started_ < plan_.limit; }

    /// The next waiting prompt, or tail_. Those between that are done were started once before.
    CRX_HD std::int64_t next_waiting()
    {
        while (head_ < tail_ && done(head_)) ++head_;
        return head_;
    }

    template <class Events>
    CRX_HD void start(std::int64_t id, Events& events)
    {
        if constexpr (Events::names) events.started(slot_of(id));
        at(id).last_decode = prefilling;
        ++started_;
        ++batch_.prompts;
        head_ = id + 1;
    }

    template <class Events>
    CRX_HD void cancel_latest(Events& events)
    {
        do --head_;
        while (done(head_));
        auto& prompt = at(head_);
        if (head_ == chunked_) {
            chunked_ = -1;
            if constexpr (Events::names) events.cancelled(slot_of(head_), prompt.kept, 0);
        } else {
            auto const& type = type_of(head_);
            auto const stage = type.output - (prompt.last_decode - decoded_) + 1;
            auto& ends = ends_[prompt.last_decode % span_];
            --ends.completed; // it began to decode after all others there
            ends.prompt_tokens -= type.prompt;
            ends.output_tokens -= type.output;
            ends.last = prompt.ends_after;
            --decoding_;
            decode_tokens_ -= type.prompt + stage;
            if (stage >= 2) {
                prompt.seen = true;
            } else if (!prompt.seen) {
                --first_due_;
                last_due_ = prompt.due_after;
            }
            if (plan_.keep_tokens) prompt.kept = static_cast<std::int32_t>(stage - 1);
            if constexpr (Events::names)
                events.cancelled(slot_of(head_), prompt.kept, stage - 1 - prompt.kept);
        }
        prompt.last_decode = waiting;
        --started_;
        ++batch_.cancelled;
    }

    template <class Events>
    CRX_HD void begin_vllm(Events& events)
    {
        auto held = decode_tokens_ - decoding_;
        for (auto id = next_waiting(); id < tail_ && room_for_one(); id = next_waiting()) {
            auto const tokens = prefill_tokens(id);
            if (held + tokens > plan_.memory) break;
            held += tokens;
            batch_.tokens += tokens;
            start(id, events);
        }
        batch_.memory = held;
        if (batch_.prompts == 0) begin_decodes(events);
    }

    template <class Events>
    CRX_HD void begin_decodes(Events& events)
    {
        auto const reserved = chunked_ >= 0 ? prefill_tokens(chunked_) : 0;
        batch_.memory = decode_tokens_ + reserved;
        while (batch_.memory > plan_.memory) {
            cancel_latest(events);
            batch_.memory = decode_tokens_ + (chunked_ >= 0 ? reserved : 0);
        }
        prefill_begin_ = head_;
        batch_.prompts = decoding_;
        batch_.tokens = decode_tokens_;
        decodes_ = true;
    }

    /// Prefills as much of the prompt as the budget allows.
    CRX_HD void prefill(std::int64_t id, Tokens& left)
    {
        auto const rest = prefill_tokens(id) - chunk_done_;
        auto const part = plan_.budget == 0 || rest < left ? rest : left;
        chunk_done_ += part;
        left -= part;
        batch_.tokens += chunk_done_;
        chunked_ = part < rest ? id : -1;
        if (part == rest) chunk_done_ = 0;
    }

    template <class Events>
    CRX_HD void begin_sarathi(Events& events)
    {
        begin_decodes(events);
        auto left = plan_.budget > decoding_ ? plan_.budget - decoding_ : 0;
        if (chunked_ < 0) chunk_done_ = 0; // it may have been cancelled
        if (chunked_ >= 0 && (left > 0 || plan_.budget == 0)) {
            auto const id = chunked_;
            ++batch_.prompts;
            prefill(id, left);
            if (chunked_ < 0) chunk_begun_ = id;
        }
        for (auto id = next_waiting(); id < tail_ && room_for_one(); id = next_waiting()) {
            auto const tokens = prefill_tokens(id);
            if (batch_.memory + tokens > plan_.memory || (plan_.budget != 0 && left == 0)) break;
            batch_.memory += tokens;
            start(id, events);
            prefill(id, left);
        }
    }

    template <class Events>
    CRX_HD void begin_safe(Events& events)
    {
        begin_decodes(events);
        for (auto id = next_waiting(); id < tail_ && room_for_one(); id = next_waiting()) {
            auto const& type = type_of(id);
            bool fits = true;
            for (Tokens k = 0; k <= type.output && fits; ++k)
                fits = ahead_[(decoded_ + k) % span_] + type.prompt + k <= plan_.memory;
            if (!fits) break;
            for (Tokens k = 0; k <= type.output; ++k)
                ahead_[(decoded_ + k) % span_] += type.prompt + k;
            batch_.memory += type.prompt;
            batch_.tokens += type.prompt;
            start(id, events);
        }
        if (batch_.prompts > 0) ahead_[decoded_ % span_] = 0; // this iteration's place is used up
    }

    template <class Events>
    CRX_HD void end_decodes(BatchEnd& end, Events& events)
    {
        ++decoded_;
        if constexpr (Events::names) events.tick(0);
        auto& ends = ends_[decoded_ % span_];
        if constexpr (Events::wanted) {
            auto place = last_due_;
            for (auto k = first_due_; k > 0; --k, place = prompts_[place].due_after)
                events.first_token(prompts_[place].type);
            place = ends.last;
            for (auto k = ends.completed; k > 0; --k, place = prompts_[place].ends_after)
                events.completed(prompts_[place].type, 1, place);
        }
        end.completed = ends.completed;
        end.completed_tokens = ends.output_tokens;
        end.first_tokens = first_due_;
        first_due_ = 0;
        decoding_ -= ends.completed;
        started_ -= ends.completed;
        decode_tokens_ += decoding_ - ends.prompt_tokens - ends.output_tokens;
        ends = {};
    }

    template <class Events>
    CRX_HD void begin_decoding(std::int64_t id, [[maybe_unused]] Events& events)
    {
        auto& prompt = at(id);
        auto const& type = type_of(id);
        prompt.last_decode = decoded_ + type.output - prompt.kept;
        auto& ends = ends_[prompt.last_decode % span_];
        ++ends.completed;
        ends.prompt_tokens += type.prompt;
        ends.output_tokens += type.output;
        auto const place = slot_of(id);
        if constexpr (Events::names) events.entered(place, 0, prompt.kept + 1, false);
        prompt.ends_after = ends.last;
        ends.last = place;
        ++decoding_;
        decode_tokens_ += type.prompt + prompt.kept + 1;
        if (prompt.seen) return;
        ++first_due_; // it has kept nothing
        prompt.due_after = last_due_;
        last_due_ = place;
    }

    FcfsPlan plan_;
    Prompt* prompts_;
    std::int64_t mask_;
    Tokens span_;
    Ends* ends_;    ///< ends_[q % span]: prompts that complete in iteration q
    Tokens* ahead_; ///< ahead_[q % span]: memory of the started in the iteration after q decodes
    std::int64_t oldest_ = 0, head_ = 0, tail_ = 0; ///< prompts: unfinished from, waiting from, end
    std::int64_t decoded_ = 0;                      ///< decode iterations that have ended
    std::int64_t started_ = 0;                      ///< prompts that hold memory
    std::int64_t decoding_ = 0;                     ///< of them, past their prefill
    Tokens decode_tokens_ = 0;                      ///< their l + next stage
    std::int64_t first_due_ = 0; ///< prompts whose first token is made by the next decode
    std::int32_t last_due_ = 0;  ///< place of the latest of them
    std::int64_t chunked_ = -1;  ///< the prompt whose prefill is part done, after the batch; or -1
    std::int64_t chunk_begun_ = -1; ///< the one whose prefill began earlier and ends in this batch
    Tokens chunk_done_ = 0;
    std::int64_t prefill_begin_ = 0; ///< prompts from here to head_ begin in this batch
    Batch batch_;
    bool decodes_ = false;
    bool has_room_ = true;
};

} // namespace crx

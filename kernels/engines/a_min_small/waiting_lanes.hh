#pragma once

#include "kernels/engines/a_min_small/batch_words.hh"
#include "kernels/engines/a_min_small/slot_lanes.hh"
#include "kernels/engines/a_min_small/waiting_queue_by_length.cuh"

namespace crx {
namespace {

template <class Work>
[[gnu::always_inline]] inline void for_each_lane(unsigned set, Work work)
{
    for (auto rest = set; rest != 0; rest &= rest - 1) work(lowest_bit(rest));
}

/// What waits in each of several instances, a lane of V each, and which of those with the least
/// length is drawn. One that comes back with a shorter length than all others is kept apart until
/// it is drawn, the next step in most cases, and the others are as they were.
template <class V>
class WaitingLanes
{
  public:
    using Number = typename V::Number;
    using Mask = typename V::Mask;
    using Row = typename SlotLanes<V>::Row;
    static constexpr int lanes = V::count;
    static constexpr Number nobody = SlotLanes<V>::far; ///< least prompt where nobody waits

    WaitingLanes(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, Arena& arena)
        : alone_(arena.take<std::uint32_t>(lanes)), words_(seed, stream, first)
    {
        std::ranges::fill(length_.of, 1);
        std::ranges::fill(least_.of, nobody);
        std::ranges::fill(count_.of, 1);
        std::ranges::fill(members_, 0); // may be read where there is no instance
        std::fill_n(alone_, lanes, 0);
    }
    /// A function of its own: beside all the rest its counters would find no registers.
    [[gnu::noinline]] void fill(int lane, Requests const& requests, Arena& arena)
    {
        front_[lane] = Front(arena, requests.n);
        front_[lane].fill(requests.lower, requests.prompt);
        output_[lane] = requests.output;
        look(lane);
    }

    V length() const { return length_.load(); }
    V least_prompt() const { return least_.load(); }
    Number length(int lane) const { return length_.of[lane]; }
    Number least_prompt(int lane) const { return least_.of[lane]; }

    /// Who is drawn next in each lane, if anybody is: asked for early, as it takes a while.
    struct Candidates
    {
        Wide place[V::parts], member[V::parts];
        Mask again; ///< where a word may not be enough
    };
    Candidates candidates()
    {
        Candidates c;
        auto const wait = less(least_.load(), V::all(nobody));
        c.again = words_.propose(wait, count_.load(), c.place);
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            auto const at = Wide::load(members_ + p() * Wide::count) + c.place[p];
            c.member[p] = same_bits<std::int32_t>(gather(alone_, or_zero(part_of<p()>(wait), at)));
        });
        return c;
    }

    /// Draws in these lanes; returns the prompts.
    V draw(Mask mask, Candidates const& c)
    {
        auto const again = c.again & mask;
        words_.use(without(mask, again), count_.load());
        place_.store(joined(c.place));
        for_each_part<V>(
            [&](auto p) CRX_LAMBDA_IN_LANES { store(member_ + p() * Wide::count, c.member[p]); });
        if (bits_of(again) == 0) [[likely]]
            return prompts_of(c.member);
        for_each_lane(bits_of(again), [&](int k) {
            auto const r = bounded(k, static_cast<std::uint64_t>(count_.of[k]));
            place_.of[k] = static_cast<Number>(r);
            member_[k] = alone_[members_[k] + static_cast<std::int64_t>(r)];
        });
        Wide drawn[V::parts];
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            drawn[p] = Wide::load(member_ + p() * Wide::count);
        });
        return prompts_of(drawn);
    }
    /// The next word of one lane, as WordStream::bounded.
    std::uint64_t bounded(int lane, std::uint64_t count) { return words_.bounded(lane, count); }

    /// Output tokens of one of the lane's requests.
    std::int32_t output(int lane, RequestId id) const { return output_[lane][id]; }
    /// Who was drawn last.
    RequestId drawn(int lane) const { return WaitingMember::id_of(member_[lane]); }

    /// Removes what was drawn last in these lanes, with these prompts; `work` is called for each
    /// lane before. Those that need more than most do are done apart: within one lane it is hard to
    /// foresee.
    template <class Work>
    [[gnu::always_inline]] void take_drawn(Mask mask, V prompt, Work work)
    {
        auto const near = V::all(Front::near), one = V::all(1);
        auto const count = count_.load();
        auto const stays = more(mask, count, one); // the class in front
        auto const far = at_least(stays, place_.load(), near);
        auto const had_least = equal(far | more(stays, count, near + one), prompt, least_.load());
        count_.store(count - or_zero(mask, one));
        for_each_lane(bits_of(far), [&](int k) {
            work(k);
            front_[k].take_far(static_cast<std::uint32_t>(place_.of[k]));
            ++members_[k];
        });
        for_each_lane(bits_of(without(stays, far)), [&](int k) {
            work(k);
            front_[k].take_near(static_cast<std::uint32_t>(place_.of[k]));
            least_.of[k] = static_cast<Number>(front_[k].least_prompt());
            ++members_[k];
        });
        auto const last = bits_of(without(mask, stays)), alone = last & is_alone_;
        is_alone_ &= ~alone;
        for_each_lane(alone, [&](int k) {
            work(k);
            look(k);
        });
        for_each_lane(last & ~alone, [&](int k) {
            work(k);
            front_[k].take_last();
            look(k);
        });
        for_each_lane(bits_of(had_least), [&](int k) {
            front_[k].find_least_again();
            least_.of[k] = static_cast<Number>(front_[k].least_prompt());
        });
    }
    /// One that has left waits again with this length.
    void push(int lane, RequestId id, std::int32_t prompt, std::int32_t length)
    {
        auto const bit = 1u << lane;
        if (length < length_.of[lane] && (is_alone_ & bit) == 0) {
            is_alone_ |= bit;
            alone_[lane] = WaitingMember::of(id, prompt);
            length_.of[lane] = static_cast<Number>(length);
            least_.of[lane] = static_cast<Number>(prompt);
            count_.of[lane] = 1;
            members_[lane] = lane;
            return;
        }
        if ((is_alone_ & bit) != 0) [[unlikely]] {
            auto const own = length_.of[lane];
            if (length > own) return front_[lane].push(id, prompt, length);
            is_alone_ &= ~bit;
            auto const one = alone_[lane];
            front_[lane].push(WaitingMember::id_of(one), WaitingMember::prompt_of(one), own);
        }
        front_[lane].push(id, prompt, length);
        look(lane);
    }
    /// Nobody waits any more.
    void clear(int lane)
    {
        least_.of[lane] = nobody;
        is_alone_ &= ~(1u << lane);
    }

  private:
    using Front = BasicWaitingQueueByLength<V>;

    static V prompts_of(Wide const (&members)[V::parts])
    {
        Wide prompts[V::parts];
        for_each_part<V>(
            [&](auto p) { prompts[p] = members[p] & Wide::all(Front::prompt_limit - 1); });
        return joined(prompts);
    }
    /// What is kept of the class in front.
    void look(int lane)
    {
        auto const& front = front_[lane];
        constexpr std::int32_t limit = nobody;
        length_.of[lane] = static_cast<Number>(std::min(front.length(), limit));
        least_.of[lane] = static_cast<Number>(std::min(front.least_prompt(), limit));
        count_.of[lane] = static_cast<Number>(front.count());
        members_[lane] = static_cast<std::int32_t>(front.members() - alone_);
    }

    Row length_, least_, count_;              ///< of those with the least length
    alignas(64) std::int32_t members_[lanes]; ///< where they lie, from alone_ on
    std::uint32_t* alone_;                    ///< the one kept apart, a lane each
    unsigned is_alone_ = 0;                   ///< lanes where somebody is
    std::int32_t const* output_[lanes] = {};  ///< of all requests
    Row place_;                               ///< drawn last
    alignas(64) std::uint32_t member_[lanes];
    BatchWords<V> words_;
    Front front_[lanes];
};

} // namespace
} // namespace crx

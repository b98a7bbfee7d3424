#pragma once

#include "kernels/engine/front_class.cuh"
#include "kernels/engine/group_words.hh"
#include "kernels/engine/slot_lanes.hh"

// CPU only, with the vectors of lane_vectors.cuh.
namespace crx {
namespace {

template <class Work>
[[gnu::always_inline]] inline void for_each_lane(LaneSet set, Work work)
{
    for (auto rest = bits_of(set); rest != 0; rest &= rest - 1) work(lowest_bit(rest));
}

/// Who waits in each of several instances, a lane each, and who of the class in front is drawn.
class WaitingLanes
{
  public:
    static constexpr int lanes = Lanes::count;
    static constexpr std::int32_t nobody = INT32_MAX; ///< least prompt where nobody waits
    using Row = SlotLanes::Row;

    WaitingLanes(std::uint64_t seed, std::uint32_t stream, std::uint64_t first)
        : words_(seed, stream, first)
    {
        std::ranges::fill(length_.of, 1);
        std::ranges::fill(least_.of, nobody);
        std::ranges::fill(count_.of, 1);
        std::ranges::fill(members_, &no_member);
    }
    /// A function of its own: beside all the rest its counters would find no registers.
    [[gnu::noinline]] void fill(int lane, Requests const& requests, Arena& arena)
    {
        front_[lane] = FrontClass(arena, requests.n);
        front_[lane].fill(requests.lower, requests.prompt);
        output_[lane] = requests.output;
        look(lane);
    }

    Lanes length() const { return length_.load(); }
    Lanes least_prompt() const { return least_.load(); }
    std::int32_t length(int lane) const { return length_.of[lane]; }
    std::int32_t least_prompt(int lane) const { return least_.of[lane]; }

    /// Who is drawn next in each lane, if anybody is: asked for early, as it takes a while.
    struct Candidates
    {
        Lanes place, member;
        LaneSet again; ///< where a word may not be enough
    };
    Candidates candidates()
    {
        Candidates c;
        auto const wait = less(least_.load(), Lanes::all(nobody));
        c.place = words_.propose(wait, count_.load(), c.again);
        c.member = gather(wait, members_, c.place);
        return c;
    }

    /// Draws in these lanes; returns the prompts.
    Lanes draw(LaneSet set, Candidates const& c)
    {
        auto const again = c.again & set;
        words_.use(without(set, again), count_.load());
        place_.store(c.place);
        member_.store(c.member);
        if (auto rest = bits_of(again); rest != 0) [[unlikely]] {
            for (; rest != 0; rest &= rest - 1) {
                auto const k = lowest_bit(rest);
                auto const r = bounded(k, static_cast<std::uint64_t>(count_.of[k]));
                place_.of[k] = static_cast<std::int32_t>(r);
                member_.of[k] = static_cast<std::int32_t>(members_[k][r]);
            }
        }
        return prompts(member_.load());
    }
    /// The next word of one lane, as WordStream::bounded.
    std::uint64_t bounded(int lane, std::uint64_t count) { return words_.bounded(lane, count); }

    /// Output tokens of one of the lane's requests.
    std::int32_t output(int lane, RequestId id) const { return output_[lane][id]; }
    /// Who was drawn last.
    std::uint32_t drawn(int lane) const { return static_cast<std::uint32_t>(member_.of[lane]); }

    /// Removes who was drawn last in these lanes; `work` is called for each lane before. Those that
    /// need more than most do are done apart: within one lane it is hard to foresee.
    template <class Work>
    [[gnu::always_inline]] void take_drawn(LaneSet set, Work work)
    {
        auto const near = Lanes::all(FrontClass::near), one = Lanes::all(1);
        auto const count = count_.load(), place = place_.load();
        auto const stays = more(set, count, one); // the class in front
        auto const had_least =
            equal(more(stays, count, near + one), prompts(member_.load()), least_.load());
        count_.store(count - or_zero(set, one));
        for_each_lane(at_least(stays, place, near), [&](int k) {
            auto const r = static_cast<std::uint32_t>(place_.of[k]);
            place_.of[k] = static_cast<std::int32_t>(front_[k].move_far(r));
        });
        for_each_lane(stays, [&](int k) {
            work(k);
            front_[k].take_one(static_cast<std::uint32_t>(place_.of[k]));
            least_.of[k] = front_[k].least_prompt();
            ++members_[k];
        });
        for_each_lane(without(set, stays), [&](int k) {
            work(k);
            front_[k].take_last();
            look(k);
        });
        for_each_lane(had_least, [&](int k) {
            front_[k].find_least_again();
            least_.of[k] = front_[k].least_prompt();
        });
    }
    /// One that has left waits again with this length.
    void push(int lane, RequestId id, std::int32_t prompt, std::int32_t length)
    {
        front_[lane].push(id, prompt, length);
        look(lane);
    }
    /// Nobody waits any more.
    void clear(int lane) { least_.of[lane] = nobody; }

  private:
    static constexpr std::uint32_t no_member = 0; ///< may be read where there is no instance

    static Lanes prompts(Lanes members)
    {
        return members & Lanes::all(FrontClass::prompt_limit - 1);
    }
    /// What is kept of the class in front.
    void look(int lane)
    {
        auto const& front = front_[lane];
        length_.of[lane] = front.length();
        least_.of[lane] = front.least_prompt();
        count_.of[lane] = front.count();
        members_[lane] = front.members();
    }

    Row length_, least_, count_;                      ///< of the class in front
    alignas(64) std::uint32_t const* members_[lanes]; ///< where it lies
    std::int32_t const* output_[lanes] = {};          ///< of all requests
    Row place_, member_;                              ///< who was drawn last
    GroupWords words_;
    FrontClass front_[lanes];
};

} // namespace
} // namespace crx

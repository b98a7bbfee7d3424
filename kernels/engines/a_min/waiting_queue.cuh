#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/engines/a_min/waiting_order.cuh"
#include "kernels/model/requests.cuh"

#include <algorithm>
#include <limits>

// By a warp where warp_lanes.cuh was included before, else with the vectors of a source *_simd.cc.
#ifdef CRX_WARP_LANES
#include "kernels/base/warp_moves.cuh"
#else
#include "kernels/base/lane_moves.hh"
#endif

namespace crx {
namespace {

#ifdef CRX_WARP_LANES
using MemberLanes = Lanes; ///< of 32 bits
using MemberMask = LaneSet;
inline constexpr bool lanes_are_threads = true;
#else
using MemberLanes = Lanes<std::int32_t>;
using MemberMask = LaneMask<std::int32_t>;
inline constexpr bool lanes_are_threads = false;
#endif

/// Waiting requests by working length, of which the class with the least is asked for its r-th
/// member by index; for some thousand requests. They lie in one array by (first working length,
/// index), and the class in front is a part of it. One whose length has become the least, or is
/// raised to that of the class in front, takes a place before it, where others were that have
/// started; where a shorter class comes in front so, it keeps the other behind it. Those raised
/// above it are apart, in no order. A member is one word, its index above its prompt: a vector
/// of them is compared, moved and searched at a time. Working lengths of those raised are kept as
/// the numbers of V, 16 bits or 32, and the longest that V has is above them all.
template <class V>
class BasicWaitingQueueByLength
{
  public:
    static constexpr std::int32_t prompt_limit = WaitingMember::prompt_limit;
    /// Members at the front that are looked at unasked.
    static constexpr int near = MemberLanes::count > 16 ? MemberLanes::count : 16;

    BasicWaitingQueueByLength() = default;
    CRX_HD BasicWaitingQueueByLength(Arena& arena, std::int64_t n)
        : n_(static_cast<std::int32_t>(n)),
          member_(aligned<std::uint32_t>(
              arena.take<std::uint32_t>(margin + n + near + aligned_to / 4))),
          class_(arena.take<Class>(n + 1)), layer_(arena.take<WaitingLayer>(n + 2)),
          raised_length_(
              aligned<Number>(arena.take<std::int32_t>(n + raised_block + aligned_to / 4))),
          raised_(arena.take<std::uint32_t>(n + width))
    {
        if (member_ != nullptr) member_ += margin; // whole vectors are read and written at the ends
    }

    static std::size_t arena_bytes(std::int64_t n)
    {
        return arena_bytes_of([n](Arena& arena) { BasicWaitingQueueByLength(arena, n); });
    }

    /// All wait, each with the length length[id].
    CRX_HD void fill(std::int32_t const* length, std::int32_t const* prompt)
    {
        // Nobody is raised yet.
        auto* const scratch = reinterpret_cast<std::uint32_t*>(raised_length_);
        WaitingOrder({member_, class_, {raised_, scratch}}, n_, length, prompt);
#ifndef CRX_WARP_LANES
        std::fill_n(raised_length_, raised_block, longest);
#endif
        equal_prompts_ = WaitingOrder::all_equal(prompt, n_);
        if (n_ > 0) bring();
    }

    /// Longer than any length that is raised.
    static constexpr auto longest = std::numeric_limits<typename V::Number>::max();

    CRX_HD bool empty() const { return least_prompt_ == INT32_MAX; }
    /// The class with the least length; 0 members, and a length and a prompt that nothing reaches,
    /// if no request waits.
    CRX_HD std::int32_t length() const { return front_.length; }
    CRX_HD std::int32_t count() const { return front_.end - head_; }
    CRX_HD std::int32_t least_prompt() const { return least_prompt_; }
    /// Its members, in ascending index.
    CRX_HD std::uint32_t const* members() const { return member_ + head_; }
    CRX_HD static std::int32_t prompt_of(std::uint32_t member)
    {
        return WaitingMember::prompt_of(member);
    }
    CRX_HD static RequestId id_of(std::uint32_t member) { return WaitingMember::id_of(member); }

    /// Removes member number r.
    CRX_HD void take(std::uint32_t r)
    {
#ifdef CRX_WARP_LANES
        auto* const front = member_ + head_;
        auto const prompt = prompt_of(front[r]);
        move_up(front, static_cast<std::int32_t>(r)); // those in front of it
        ++head_;
        if (count() == 0)
            open_next();
        else if (prompt == least_prompt_ && !equal_prompts_)
            find_least_prompt();
#else
        if (count() == 1) return take_last();
        auto const had_least = prompt_of(members()[r]) == least_prompt_;
        if (r < near)
            take_near(r);
        else
            take_far(r);
        if (had_least && (r >= near || count() > near)) find_least_again();
#endif
    }
#ifndef CRX_WARP_LANES
    /// take() in parts, for what foresees which of them it needs: of member number r of more than
    /// one take_near(r) below `near`, else take_far(r). If it had the least prompt,
    /// find_least_again() follows take_far(), and take_near() where more than `near` are left.
    void take_far(std::uint32_t r)
    {
        // It and those in front of it take the number before theirs, whole vectors from multiples
        // of their size, and so many at a time, as how many there are is hard to foresee. What lies
        // before them in the array may move too.
        auto* const front = member_ + head_;
        auto const at = reinterpret_cast<std::uintptr_t>(front + r) % sizeof(MemberLanes);
        auto* to = front + r - at / sizeof(*front);
        auto upper = MemberLanes::load(to), lower = MemberLanes::load(to - width);
        auto const up_to_it = MemberMask::below(static_cast<std::int32_t>(at / sizeof(*front)) + 1);
        store(to, choose(up_to_it, shifted_in(lower, upper), upper));
        while (to > front) {
            for (int b = 0; b < moved_at_once; b += width) {
                to -= width;
                upper = lower;
                lower = MemberLanes::load(to - width);
                store(to, shifted_in(lower, upper));
            }
        }
        ++head_;
    }
    void take_near(std::uint32_t r)
    {
        auto* const front = member_ + head_;
        MemberLanes moved[near / width]; // as many whatever r
        for (int b = 0; b < near; b += width)
            moved[b / width] = choose(MemberMask::below(static_cast<std::int32_t>(r) - b),
                                      MemberLanes::load_anywhere(front + b),
                                      MemberLanes::load_anywhere(front + b + 1));
        for (int b = 0; b < near; b += width) store_anywhere(front + b + 1, moved[b / width]);
        ++head_;
        // It costs less than not to foresee whether the one taken had it, or how many are left.
        auto const left = count();
        auto least = prompts_of(moved[0], left);
        for (int b = width; b < near; b += width)
            least = smaller(least, prompts_of(moved[b / width], left - b));
        auto const found = least_prompt_of(least);
        least_prompt_ = left > near ? least_prompt_ : found;
    }
    void find_least_again()
    {
        if (!equal_prompts_) find_least_prompt();
    }
    /// Removes the only member.
    void take_last()
    {
        ++head_;
        open_next();
    }
#endif

    /// One of the members there were, with a new length.
    CRX_HD void push(RequestId id, std::int32_t prompt, std::int32_t length)
    {
        auto const member = WaitingMember::of(id, prompt);
        if (length > front_.length) {
            write_one(raised_length_ + raised_count_, static_cast<Number>(length));
            write_one(raised_ + raised_count_++, member);
            least_raised_ = std::min(least_raised_, length);
#ifndef CRX_WARP_LANES
            if (raised_count_ % raised_block == 0) [[unlikely]]
                std::fill_n(raised_length_ + raised_count_, raised_block, longest);
#endif
            return;
        }
        if (length < front_.length) {
            cover({length, head_});
            write_one(member_ + --head_, member);
            least_prompt_ = prompt;
            return;
        }
        insert(member);
        least_prompt_ = std::min(least_prompt_, prompt);
    }

  private:
    using Class = WaitingClass;
    using Number = typename V::Number;

    static constexpr int width = MemberLanes::count; ///< members in a vector
    static constexpr int moved_at_once = 128;        ///< members; by a CPU
    static constexpr int raised_block = 64; ///< of those raised, looked at together; by a CPU
    static constexpr int aligned_to = 64;   ///< bytes
    /// What is read and written in front of all members.
    static constexpr int margin = lanes_are_threads ? width : moved_at_once + width;

    /// From a multiple of the size of a vector.
    template <class T>
    CRX_HD static T* aligned(void* array)
    {
        auto const at = reinterpret_cast<std::uintptr_t>(array);
        return reinterpret_cast<T*>((at + aligned_to - 1) / aligned_to * aligned_to);
    }

    /// Puts one among the members of the class in front: those below it move down.
    CRX_HD void insert(std::uint32_t member)
    {
        auto* to = member_ + head_ - 1;
#ifdef CRX_WARP_LANES
        auto const below = count_below(to + 1, count(), member);
        move_down(to + 1, below);
        to += below;
#else
        for (auto rest = count();; rest -= width) {
            auto const found = MemberLanes::load_anywhere(to + 1);
            auto const below = same_lanes<std::int32_t>(less(LaneMask<std::uint32_t>::below(rest),
                                                             without_sign(found),
                                                             Lanes<std::uint32_t>::all(member)));
            store_where(below, to, found);
            // Where the next vector lies must not wait for how many there are in this one.
            if (bits_of(below) != bits_of(MemberMask::below(width))) {
                to += count_bits(bits_of(below));
                break;
            }
            to += width;
        }
#endif
        write_one(to, member);
        --head_;
    }

    /// Puts a class in front of the one that is there.
    CRX_HD void cover(Class const& shorter)
    {
        write_one(layer_ + covered_++, WaitingLayer{front_, least_prompt_});
        front_ = shorter;
    }
    /// The class in front has no members left.
    CRX_HD void open_next()
    {
        auto const layer = layer_[--covered_];
        front_ = layer.of;
        least_prompt_ = layer.least_prompt;
        auto const elsewhere = std::min(least_raised_, class_[opened_].length);
        if (elsewhere <= front_.length && elsewhere < INT32_MAX) bring();
    }
    /// Brings those with the least length elsewhere in front.
    CRX_HD void bring()
    {
        auto const length = std::min(least_raised_, class_[opened_].length);
        if (class_[opened_].length == length) // longer than any that lies before it
            cover(class_[opened_++]);
        else if (length < front_.length)
            cover({length, head_});
        if (least_raised_ == length) bring_raised(length);
        find_least_prompt();
    }
#ifndef CRX_WARP_LANES
    /// As many vectors at a time, however many are raised; the last one takes the place of each
    /// that goes.
    void bring_raised(std::int32_t length)
    {
        auto const wanted = V::all(length), none = V::all(longest);
        auto least = none;
        for (auto first = (raised_count_ - 1) & -raised_block; first >= 0; first -= raised_block) {
            std::uint64_t go = 0;
            for (int b = 0; b < raised_block; b += V::count) {
                auto const lengths = V::load(raised_length_ + first + b);
                auto const goes = equal(lengths, wanted);
                least = smaller(least, choose(goes, none, lengths));
                go |= std::uint64_t{bits_of(goes)} << b;
            }
            while (go != 0) {
                auto const k = bit_length(go) - 1;
                go ^= std::uint64_t{1} << k;
                insert(raised_[first + k]);
                auto const last = --raised_count_;
                raised_[first + k] = raised_[last];
                raised_length_[first + k] = raised_length_[last];
                raised_length_[last] = longest;
            }
        }
        auto const found = least_of(least);
        least_raised_ = found == longest ? INT32_MAX : found;
    }
    static std::int32_t least_prompt_of(MemberLanes prompts)
    {
        if constexpr (sizeof(Number) == 2)
            return least_below_64k(prompts);
        else
            return least_of(prompts);
    }
#else
    CRX_HD void bring_raised(std::int32_t length)
    {
        auto const wanted = MemberLanes::all(length);
        auto least = MemberLanes::all(INT32_MAX);
        std::int32_t kept = 0;
        for (std::int32_t k = 0; k < raised_count_; k += width) {
            auto const lengths = MemberLanes::load_anywhere(raised_length_ + k),
                       members = MemberLanes::load_anywhere(raised_ + k);
            auto const all = MemberMask::below(raised_count_ - k);
            auto const stay = differ(all, lengths, wanted);
            for (auto go = bits_of(without(all, stay)); go != 0; go &= go - 1)
                insert(raised_[k + lowest_bit(go)]);
            least = smaller_where(stay, least, lengths);
            // At or before where they were.
            auto const staying = bits_of(stay);
            store_packed(staying, raised_length_ + kept, lengths);
            store_packed(staying, raised_ + kept, members);
            kept += count_bits(staying);
        }
        raised_count_ = kept;
        least_raised_ = least_of(least);
    }
    CRX_HD static std::int32_t least_prompt_of(MemberLanes prompts) { return least_of(prompts); }
#endif

    /// The prompts of the first `count` of a vector of members; prompt_limit in other lanes.
    CRX_HD static MemberLanes prompts_of(MemberLanes members, std::int32_t count)
    {
        return and_where(MemberMask::below(count), members, MemberLanes::all(prompt_limit - 1),
                         MemberLanes::all(prompt_limit));
    }
    CRX_HD void find_least_prompt()
    {
        auto least = MemberLanes::all(prompt_limit);
        for (int b = 0; b < near; b += width)
            least = smaller(least, prompts_of(MemberLanes::load_anywhere(member_ + head_ + b),
                                              front_.end - head_ - b));
        for (auto k = head_ + near; k < front_.end; k += width)
            least =
                smaller(least, prompts_of(MemberLanes::load_anywhere(member_ + k), front_.end - k));
        least_prompt_ = least_prompt_of(least);
    }

    std::int32_t n_ = 0;
    bool equal_prompts_ = false;      ///< of all: then the least is known
    std::uint32_t* member_ = nullptr; ///< index and prompt; wait from head_ on
    Class* class_ = nullptr; ///< those with the first lengths; from opened_ on not in front
    WaitingLayer* layer_ =
        nullptr; ///< behind the one in front, the longest first; layer_[0] has no members
    /// Of those raised above the front, in no order; by a CPU what follows the last in its block is
    /// `longest`.
    Number* raised_length_ = nullptr;
    std::uint32_t* raised_ = nullptr; ///< the members
    std::int32_t head_ = 0, covered_ = 0, opened_ = 0, raised_count_ = 0;
    Class front_{INT32_MAX, 0};             ///< in front
    std::int32_t least_prompt_ = INT32_MAX; ///< of the class in front
    std::int32_t least_raised_ = INT32_MAX; ///< length
};
using WaitingQueueByLength = BasicWaitingQueueByLength<MemberLanes>;

#ifdef CRX_WARP_LANES
CRX_HD inline bool all_at_0(Requests const& r)
{
    auto later = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count)
        later = later | lanes_of(LaneSet::below(static_cast<std::int32_t>(r.n - k)),
                                 [&](int lane) { return r.arrival[k + lane] != 0; });
    return any_bits_of(later) == 0;
}
#else
inline bool all_at_0(Requests const& r)
{
    Instant any = 0;
    for (std::int64_t i = 0; i < r.n; ++i) any |= r.arrival[i];
    return any == 0;
}
#endif

/// Outputs below it: 32 bits are enough for 64 times what is computed of working lengths.
inline constexpr std::uint32_t lanes_output_limit = 1 << 23;

/// Whether outputs are below a power of two, and prompts fit the words of WaitingQueueByLength.
CRX_HD inline bool fits_lanes(Requests const& r, std::uint32_t output_limit = lanes_output_limit)
{
    constexpr std::uint32_t prompt_limit = WaitingMember::prompt_limit;
    std::uint32_t outputs = 0, prompts = 0; // limits are powers of two, so all bits together do
#ifdef CRX_WARP_LANES
    auto all_outputs = Lanes::zero(), all_prompts = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        all_outputs = all_outputs | gather(some, r.output + k, Lanes::numbers());
        all_prompts = all_prompts | gather(some, r.prompt + k, Lanes::numbers());
    }
    outputs = any_bits_of(all_outputs);
    prompts = any_bits_of(all_prompts);
#else
    for (std::int64_t i = 0; i < r.n; ++i) {
        outputs |= static_cast<std::uint32_t>(r.output[i]);
        prompts |= static_cast<std::uint32_t>(r.prompt[i]);
    }
#endif
    return outputs < output_limit && prompts < prompt_limit;
}

} // namespace
} // namespace crx

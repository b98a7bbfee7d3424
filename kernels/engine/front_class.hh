#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/bits.cuh"
#include "kernels/engine/lane_vectors.hh"

#include <algorithm>

// CPU only, as lane_vectors.hh.
namespace crx {
namespace {

/// Waiting requests by working length, of which the class with the least is asked for its r-th
/// member by index; for some thousand requests. They lie in one array by (first working length,
/// index), and the class in front is a part of it. One whose length has become the least, or is
/// raised to that of the class in front, takes a place before it, where others were that have
/// started; where a shorter class comes in front so, it keeps the other behind it. Those raised
/// above it are apart, in no order. A member is one word, its index above its prompt: a vector
/// of them is compared, moved and searched at a time.
class FrontClass
{
  public:
    /// The most requests, and what prompts are below.
    static constexpr std::int64_t most_requests = 4096;
    static constexpr std::int32_t prompt_limit = 1 << 20;

    FrontClass() = default;
    FrontClass(Arena& arena, std::int64_t n)
        : n_(static_cast<std::int32_t>(n)), member_(arena.take<std::uint32_t>(n + width + near)),
          class_(arena.take<Class>(n + 1)), layer_(arena.take<Class>(n + 2)),
          raised_length_(arena.take<std::int32_t>(n + width)),
          raised_(arena.take<std::uint32_t>(n + width))
    {
        if (member_ != nullptr) member_ += width; // whole vectors are read and written at the ends
    }

    static std::size_t arena_bytes(std::int64_t n)
    {
        Arena counter(nullptr, 0);
        FrontClass const counted(counter, n);
        (void)counted;
        return counter.bytes_used();
    }

    /// All wait, each with the length length[id].
    void fill(std::int32_t const* length, std::int32_t const* prompt)
    {
        std::int32_t least = INT32_MAX, most = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            least = std::min(least, length[i]);
            most = std::max(most, length[i]);
        }
        // Few requests do not pay for many digits.
        if (most - least < std::min(2 * n_, most_counted))
            count_lengths(length, prompt, least, most - least + 1);
        else
            find_classes(n_ < 1024 ? order_by_length<6>(length) : order_by_length<11>(length),
                         length, prompt);
        if (n_ > 0) bring();
    }

    bool empty() const { return least_prompt_ == INT32_MAX; }
    /// The class with the least length; 0 members, and a length and a prompt that nothing reaches,
    /// if nobody waits.
    std::int32_t length() const { return front_.length; }
    std::int32_t count() const { return front_.end - head_; }
    std::int32_t least_prompt() const { return least_prompt_; }
    /// Its members, in ascending index.
    std::uint32_t const* members() const { return member_ + head_; }
    static std::int32_t prompt_of(std::uint32_t member)
    {
        return static_cast<std::int32_t>(member % prompt_limit);
    }
    static RequestId id_of(std::uint32_t member) { return member / prompt_limit; }

    /// Removes member number r.
    void take(std::uint32_t r)
    {
        auto* const front = member_ + head_;
        auto const prompt = prompt_of(front[r]);
        auto k = static_cast<std::int64_t>(r);
        for (; k >= near; k -= width) // those in front of it move up, the last ones first
            store_anywhere(front + k - width + 1, Lanes::load_anywhere(front + k - width));
        Lanes moved[near / width]; // as many whatever k: it is hard to foresee
        for (int b = 0; b < near; b += width)
            moved[b / width] =
                choose(LaneSet::below(static_cast<std::int32_t>(k) - b),
                       Lanes::load_anywhere(front + b), Lanes::load_anywhere(front + b + 1));
        for (int b = 0; b < near; b += width) store_anywhere(front + b + 1, moved[b / width]);
        ++head_;
        auto const left = count();
        if (left == 0)
            open_next();
        else if (left <= near) { // a few cost less than not to foresee whether it had the least
            auto least = prompts_of(moved[0], left);
            for (int b = width; b < near; b += width)
                least = smaller(least, prompts_of(moved[b / width], left - b));
            least_prompt_ = least_of(least);
        } else if (prompt == least_prompt_)
            find_least_prompt();
    }

    /// One of the members there were, with a new length.
    void push(RequestId id, std::int32_t prompt, std::int32_t length)
    {
        auto const member = as_member(id, prompt);
        if (length > front_.length) {
            raised_length_[raised_count_] = length;
            raised_[raised_count_++] = member;
            least_raised_ = std::min(least_raised_, length);
            return;
        }
        if (length < front_.length) {
            cover({length, head_});
            least_prompt_ = prompt_limit;
        }
        insert(member);
        least_prompt_ = std::min(least_prompt_, prompt);
    }

  private:
    static constexpr int width = Lanes::count;         ///< members in a vector
    static constexpr int near = 16;                    ///< at the front: looked at unasked
    static constexpr std::int32_t most_counted = 4096; ///< lengths
    static_assert(most_requests * prompt_limit == std::int64_t{1} << 32);

    /// A class in the array, up to `end`: from the end of the one before it, or head_.
    struct Class
    {
        std::int32_t length, end;
    };

    static std::uint32_t as_member(RequestId id, std::int32_t prompt)
    {
        return id * static_cast<std::uint32_t>(prompt_limit) | static_cast<std::uint32_t>(prompt);
    }
    /// Puts all in the order of (length, index), and finds the classes, by the number of requests
    /// with each of so many lengths from `least` on.
    void count_lengths(std::int32_t const* length, std::int32_t const* prompt, std::int32_t least,
                       std::int32_t lengths)
    {
        std::int32_t place[most_counted];
        std::fill_n(place, lengths, 0);
        for (std::int32_t i = 0; i < n_; ++i) ++place[length[i] - least];
        std::int32_t end = 0, classes = 0;
        for (std::int32_t l = 0; l < lengths; ++l) {
            auto const start = end;
            end += place[l];
            place[l] = start;
            class_[classes] = {least + l, end};
            classes += end != start;
        }
        class_[classes] = {INT32_MAX, n_};
        for (std::int32_t i = 0; i < n_; ++i)
            member_[place[length[i] - least]++] = as_member(static_cast<RequestId>(i), prompt[i]);
    }
    /// Puts all in the order of (length, index), digit by digit, least significant first; returns
    /// where their indices lie.
    template <int digit_bits>
    RequestId const* order_by_length(std::int32_t const* length)
    {
        constexpr int digits = 1 << digit_bits;
        std::uint32_t any = 0;
        auto *id = raised_, *copy = reinterpret_cast<RequestId*>(raised_length_); // not in use yet
        for (std::int32_t i = 0; i < n_; ++i) {
            id[i] = static_cast<RequestId>(i);
            any |= static_cast<std::uint32_t>(length[i] ^ length[0]);
        }
        for (int shift = 0; shift < 32 && any >> shift != 0; shift += digit_bits) {
            std::int32_t place[digits + 1] = {};
            auto const digit = [&](RequestId of) { return length[of] >> shift & (digits - 1); };
            for (std::int32_t i = 0; i < n_; ++i) ++place[digit(id[i]) + 1];
            for (int d = 0; d < digits; ++d) place[d + 1] += place[d];
            for (std::int32_t i = 0; i < n_; ++i) copy[place[digit(id[i])]++] = id[i];
            std::swap(id, copy);
        }
        return id;
    }
    void find_classes(RequestId const* id, std::int32_t const* length, std::int32_t const* prompt)
    {
        std::int32_t classes = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            member_[i] = as_member(id[i], prompt[id[i]]);
            class_[classes] = {length[id[i]], i + 1};
            classes += i + 1 == n_ || length[id[i + 1]] != length[id[i]];
        }
        class_[classes] = {INT32_MAX, n_};
    }

    /// Puts one among the members of the class in front: those below it move down.
    void insert(std::uint32_t member)
    {
        auto* to = member_ + head_ - 1;
        for (auto rest = count();; rest -= width) {
            auto const found = Lanes::load_anywhere(to + 1);
            auto const below = less_unsigned(LaneSet::below(rest), found,
                                             Lanes::all(static_cast<std::int32_t>(member)));
            store_where(below, to, found);
            auto const count = count_bits(bits_of(below));
            to += count;
            if (count != width) break;
        }
        *to = member;
        --head_;
    }

    /// Puts a class in front of the one that is there.
    void cover(Class const& shorter)
    {
        layer_[covered_++] = front_;
        front_ = shorter;
    }
    /// The class in front has no members left.
    void open_next()
    {
        front_ = layer_[--covered_];
        auto const elsewhere = std::min(least_raised_, class_[opened_].length);
        if (elsewhere > front_.length)
            find_least_prompt();
        else if (elsewhere < INT32_MAX)
            bring();
        else
            least_prompt_ = INT32_MAX;
    }
    /// Brings those with the least length elsewhere in front.
    void bring()
    {
        auto const length = std::min(least_raised_, class_[opened_].length);
        if (class_[opened_].length == length) // longer than any that lies before it
            cover(class_[opened_++]);
        else if (length < front_.length)
            cover({length, head_});
        if (least_raised_ == length) bring_raised(length);
        find_least_prompt();
    }
    void bring_raised(std::int32_t length)
    {
        auto const wanted = Lanes::all(length);
        auto least = Lanes::all(INT32_MAX);
        std::int32_t kept = 0;
        for (std::int32_t k = 0; k < raised_count_; k += width) {
            auto const lengths = Lanes::load_anywhere(raised_length_ + k),
                       members = Lanes::load_anywhere(raised_ + k);
            auto const all = LaneSet::below(raised_count_ - k);
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

    /// The prompts of the first `count` of a vector of members; prompt_limit in other lanes.
    static Lanes prompts_of(Lanes members, std::int32_t count)
    {
        return and_where(LaneSet::below(count), members, Lanes::all(prompt_limit - 1),
                         Lanes::all(prompt_limit));
    }
    void find_least_prompt()
    {
        auto least = Lanes::all(prompt_limit);
        for (int b = 0; b < near; b += width)
            least = smaller(least, prompts_of(Lanes::load_anywhere(member_ + head_ + b),
                                              front_.end - head_ - b));
        for (auto k = head_ + near; k < front_.end; k += width)
            least = smaller(least, prompts_of(Lanes::load_anywhere(member_ + k), front_.end - k));
        least_prompt_ = least_of(least);
    }

    std::int32_t n_ = 0;
    std::uint32_t* member_ = nullptr; ///< index and prompt; wait from head_ on
    Class* class_ = nullptr; ///< those with the first lengths; from opened_ on not in front
    Class* layer_ =
        nullptr; ///< behind the one in front, the longest first; layer_[0] has no members
    std::int32_t* raised_length_ = nullptr; ///< of those raised above the front, in no order
    std::uint32_t* raised_ = nullptr;       ///< the members
    std::int32_t head_ = 0, covered_ = 0, opened_ = 0, raised_count_ = 0;
    Class front_{INT32_MAX, 0};             ///< in front
    std::int32_t least_prompt_ = INT32_MAX; ///< of the class in front
    std::int32_t least_raised_ = INT32_MAX; ///< length
};

} // namespace
} // namespace crx

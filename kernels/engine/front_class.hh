#pragma once

#include "kernels/base/arena.cuh"

#include <algorithm>
#include <functional>
#include <immintrin.h>

// CPU only. Included by few_active.cc alone, as few_lanes.hh.
namespace crx {
namespace {

/// Waiting requests by working length, of which the class with the least is asked for its r-th
/// member by index; for some thousand requests. They lie in one array by (first working length,
/// index), and the class in front is a part of it. One whose length has become the least, or is
/// raised to that of the class in front, takes a place before it, where others were that have
/// started; where a shorter class comes in front so, it keeps the other behind it. Those raised
/// above it are in a heap. A member is one word, its index above its prompt: sixteen are compared,
/// moved and searched at a time.
class FrontClass
{
  public:
    /// The most requests, and what prompts are below.
    static constexpr std::int64_t most_requests = 4096;
    static constexpr std::int32_t prompt_limit = 1 << 20;

    FrontClass() = default;
    FrontClass(Arena& arena, std::int64_t n)
        : n_(static_cast<std::int32_t>(n)), member_(arena.take<std::uint32_t>(n + 2 * width)),
          class_(arena.take<Class>(n + 1)), layer_(arena.take<Class>(n + 2)),
          raised_(arena.take<std::uint64_t>(n))
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
        order_by_length(length, prompt);
        total_ = n_;
        layer_[0] = {INT32_MAX, 0};
        if (n_ > 0) bring();
    }

    bool empty() const { return total_ == 0; }
    /// The class with the least length; 0 members, and a length and a prompt that nothing reaches,
    /// if nobody waits.
    std::int32_t length() const { return layer_[top_].length; }
    std::int32_t count() const { return layer_[top_].end - head_; }
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
        for (; k >= width; k -= width) // those in front of it move up, the last ones first
            _mm512_storeu_si512(front + k - width + 1, _mm512_loadu_si512(front + k - width));
        auto const moved = _mm512_mask_mov_epi32(_mm512_loadu_si512(front + 1),
                                                 lanes_below(static_cast<std::int32_t>(k)),
                                                 _mm512_loadu_si512(front));
        _mm512_storeu_si512(front + 1, moved);
        ++head_;
        --total_;
        auto const left = count();
        if (left == 0)
            open_next();
        else if (left <= width) // a few cost less than not to foresee whether it had the least
            least_prompt_ = _mm512_reduce_min_epi32(prompts_of(moved, left));
        else if (prompt == least_prompt_)
            find_least_prompt();
    }

    /// One of the members there were, with a new length.
    void push(RequestId id, std::int32_t prompt, std::int32_t length)
    {
        auto const member =
            id * static_cast<std::uint32_t>(prompt_limit) | static_cast<std::uint32_t>(prompt);
        ++total_;
        if (length > layer_[top_].length) {
            raised_[raised_count_++] =
                std::uint64_t{static_cast<std::uint32_t>(length)} << 32 | member;
            std::push_heap(raised_, raised_ + raised_count_, std::greater{});
            next_elsewhere_ = std::min(next_elsewhere_, length);
            return;
        }
        if (length < layer_[top_].length) {
            layer_[++top_] = {length, head_};
            least_prompt_ = prompt_limit;
        }
        insert(member);
        least_prompt_ = std::min(least_prompt_, prompt);
    }

  private:
    static constexpr int width = 16; ///< members in a vector
    static_assert(most_requests * prompt_limit == std::int64_t{1} << 32);

    /// A class in the array, up to `end`: from the end of the one before it, or head_.
    struct Class
    {
        std::int32_t length, end;
    };

    /// The first `count` lanes, at most all of them.
    static __mmask16 lanes_below(std::int32_t count)
    {
        return static_cast<__mmask16>(
            _bzhi_u32(0xffff, static_cast<unsigned>(std::min(count, width))));
    }

    /// All by (length, index): digit by digit, least significant first.
    void order_by_length(std::int32_t const* length, std::int32_t const* prompt)
    {
        constexpr int digit_bits = 11, digits = 1 << digit_bits;
        std::uint32_t any = 0;
        auto* id = reinterpret_cast<std::uint32_t*>(raised_); // room for two
        auto* copy = id + n_;
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
        classes_ = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            member_[i] = id[i] * static_cast<std::uint32_t>(prompt_limit) |
                         static_cast<std::uint32_t>(prompt[id[i]]);
            class_[classes_] = {length[id[i]], i + 1};
            classes_ += i + 1 == n_ || length[id[i + 1]] != length[id[i]];
        }
        class_[classes_] = {INT32_MAX, n_};
        next_elsewhere_ = class_[0].length;
    }

    /// Puts one among the members of the class in front: those below it move down.
    void insert(std::uint32_t member)
    {
        auto* to = member_ + head_ - 1;
        for (auto rest = count();; rest -= width) {
            auto const found = _mm512_loadu_si512(to + 1);
            auto const below = _mm512_mask_cmplt_epu32_mask(
                lanes_below(rest), found, _mm512_set1_epi32(static_cast<int>(member)));
            _mm512_mask_storeu_epi32(to, below, found);
            to += _mm_popcnt_u32(below);
            if (below != 0xffff) break;
        }
        *to = member;
        --head_;
    }

    /// The class in front has no members left.
    void open_next()
    {
        if (top_ > 0) --top_;
        if (total_ == 0)
            least_prompt_ = INT32_MAX;
        else if (next_elsewhere_ <= layer_[top_].length)
            bring();
        else
            find_least_prompt();
    }
    /// Brings those with the length next_elsewhere_ in front.
    void bring()
    {
        auto const length = next_elsewhere_;
        if (class_[opened_].length == length) // longer than any that lies before it
            layer_[++top_] = class_[opened_++];
        else if (length < layer_[top_].length)
            layer_[++top_] = {length, head_};
        for (; raised_count_ > 0 && raised_length() == length; --raised_count_) {
            insert(static_cast<std::uint32_t>(raised_[0]));
            std::pop_heap(raised_, raised_ + raised_count_, std::greater{});
        }
        next_elsewhere_ = class_[opened_].length;
        if (raised_count_ > 0) next_elsewhere_ = std::min(next_elsewhere_, raised_length());
        find_least_prompt();
    }
    std::int32_t raised_length() const { return static_cast<std::int32_t>(raised_[0] >> 32); }

    /// The prompts of the first `count` of sixteen members; prompt_limit in other lanes.
    static __m512i prompts_of(__m512i members, std::int32_t count)
    {
        return _mm512_mask_and_epi32(_mm512_set1_epi32(prompt_limit), lanes_below(count), members,
                                     _mm512_set1_epi32(prompt_limit - 1));
    }
    void find_least_prompt()
    {
        auto least = _mm512_set1_epi32(prompt_limit);
        for (auto k = head_; k < layer_[top_].end; k += width)
            least = _mm512_min_epi32(
                least, prompts_of(_mm512_loadu_si512(member_ + k), layer_[top_].end - k));
        least_prompt_ = _mm512_reduce_min_epi32(least);
    }

    std::int32_t n_ = 0;
    std::uint32_t* member_ = nullptr; ///< index and prompt; wait from head_ on
    Class* class_ = nullptr; ///< those with the first lengths; from opened_ on not in front
    Class* layer_ = nullptr; ///< layer_[top_] is in front; layer_[0] has no members
    std::uint64_t* raised_ = nullptr; ///< heap of length, member
    std::int32_t head_ = 0, total_ = 0, top_ = 0, classes_ = 0, opened_ = 0, raised_count_ = 0;
    std::int32_t least_prompt_ = INT32_MAX;   ///< of the class in front
    std::int32_t next_elsewhere_ = INT32_MAX; ///< least length of those not in layers
};

} // namespace
} // namespace crx

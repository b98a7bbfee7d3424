#pragma once

#include "kernels/base/arena.cuh"

#include <algorithm>
#include <functional>

// CPU only. Included by few_active.cc alone, as few_lanes.hh.
namespace crx {
namespace {

/// Waiting requests by working length, of which the class with the least is asked for its r-th
/// member by index; for some thousand requests. The class in front lies in an array by
/// index; when a shorter one comes in front, the array grows by that one and keeps the other
/// behind it. All others are in the order of their first working lengths or, where it was raised,
/// in a heap.
class FrontClass
{
  public:
    FrontClass(Arena& arena, std::int64_t n)
        : n_(static_cast<std::int32_t>(n)), first_(arena.take<RequestId>(n)),
          member_(arena.take<RequestId>(n)), layer_(arena.take<Layer>(n + 1)),
          raised_(arena.take<std::uint64_t>(n))
    {
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
        length_ = length;
        prompt_ = prompt;
        order_by_length();
        head_ = n_;
        total_ = n_;
        layer_[0] = {INT32_MAX, n_, INT32_MAX};
        next_elsewhere_ = n_ > 0 ? length[first_[0]] : INT32_MAX;
    }

    bool empty() const { return total_ == 0; }

    void push(RequestId id, std::int32_t length)
    {
        ++total_;
        if (length > layer_[top_].length) {
            raised_[raised_count_++] = std::uint64_t{static_cast<std::uint32_t>(length)} << 32 | id;
            std::push_heap(raised_, raised_ + raised_count_, std::greater{});
            next_elsewhere_ = std::min(next_elsewhere_, length);
            return;
        }
        if (length < layer_[top_].length) layer_[++top_] = {length, head_, INT32_MAX};
        insert(id);
    }

    /// Makes the class with the least length ready. Contract: not empty().
    void open()
    {
        while (layer_[top_].end == head_ && top_ > 0) --top_;
        if (next_elsewhere_ <= layer_[top_].length) bring(next_elsewhere_);
        auto& layer = layer_[top_];
        if (layer.least_prompt == unknown) find_least_prompt(layer);
    }
    std::int32_t length() const { return layer_[top_].length; }
    std::int32_t count() const { return layer_[top_].end - head_; }
    std::int32_t least_prompt() const { return layer_[top_].least_prompt; }
    /// Prompt of member number r.
    std::int32_t prompt(std::uint64_t r) const
    {
        return prompt_[member_[head_ + static_cast<std::int64_t>(r)]];
    }

    /// Removes member number r.
    RequestId take(std::uint64_t r)
    {
        auto const id = member_[head_ + static_cast<std::int64_t>(r)];
        std::copy_backward(member_ + head_, member_ + head_ + r, member_ + head_ + r + 1);
        ++head_;
        --total_;
        auto& layer = layer_[top_];
        if (prompt_[id] == layer.least_prompt) layer.least_prompt = unknown;
        return id;
    }

  private:
    static constexpr std::int32_t unknown = -1;

    /// A class in the array: [end of the layer above it, or head_; end).
    struct Layer
    {
        std::int32_t length, end;
        std::int32_t least_prompt; ///< of its members
    };

    /// first_: all by (length, index). Digit by digit, least significant first (raised_ is room).
    void order_by_length()
    {
        std::uint32_t any = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            first_[i] = static_cast<RequestId>(i);
            any |= static_cast<std::uint32_t>(length_[i] ^ length_[0]);
        }
        auto* const copy = reinterpret_cast<RequestId*>(raised_);
        for (int shift = 0; shift < 32 && any >> shift != 0; shift += 8) {
            std::int32_t place[257] = {};
            auto const digit = [&](RequestId id) { return length_[id] >> shift & 255; };
            for (std::int32_t i = 0; i < n_; ++i) ++place[digit(first_[i]) + 1];
            for (int d = 0; d < 256; ++d) place[d + 1] += place[d];
            for (std::int32_t i = 0; i < n_; ++i) copy[place[digit(first_[i])]++] = first_[i];
            std::copy(copy, copy + n_, first_);
        }
    }

    /// Puts one among the members of the class in front.
    void insert(RequestId id)
    {
        auto& layer = layer_[top_];
        auto at = head_;
        for (auto size = layer.end - head_; size > 0;) { // members below it
            auto const half = (size + 1) / 2;
            at += member_[at + half - 1] < id ? half : 0;
            size -= half;
        }
        std::copy(member_ + head_, member_ + at, member_ + head_ - 1);
        member_[at - 1] = id;
        --head_;
        layer.least_prompt = std::min(layer.least_prompt, prompt_[id]);
    }

    /// Brings those with this length in front that are elsewhere.
    void bring(std::int32_t length)
    {
        if (length < layer_[top_].length) layer_[++top_] = {length, head_, INT32_MAX};
        auto last = next_first_;
        while (last < n_ && length_[first_[last]] == length) ++last;
        if (count() == 0)
            for (auto k = last; k > next_first_; --k) member_[--head_] = first_[k - 1];
        else
            for (auto k = next_first_; k < last; ++k) insert(first_[k]);
        next_first_ = last;
        for (; raised_count_ > 0 && raised_length() == length; --raised_count_) {
            insert(static_cast<RequestId>(raised_[0]));
            std::pop_heap(raised_, raised_ + raised_count_, std::greater{});
        }
        find_least_prompt(layer_[top_]);
        next_elsewhere_ = next_first_ < n_ ? length_[first_[next_first_]] : INT32_MAX;
        if (raised_count_ > 0) next_elsewhere_ = std::min(next_elsewhere_, raised_length());
    }
    std::int32_t raised_length() const { return static_cast<std::int32_t>(raised_[0] >> 32); }

    void find_least_prompt(Layer& layer)
    {
        std::int32_t least = INT32_MAX;
        for (auto k = head_; k < layer.end; ++k) least = std::min(least, prompt_[member_[k]]);
        layer.least_prompt = least;
    }

    std::int32_t n_;
    RequestId* first_;      ///< by (first length, index); from next_first_ on not brought yet
    RequestId* member_;     ///< from head_ on
    Layer* layer_;          ///< layer_[top_] is in front; layer_[0] has no members
    std::uint64_t* raised_; ///< heap of length, index
    std::int32_t const *length_ = nullptr, *prompt_ = nullptr;
    std::int32_t next_first_ = 0, head_ = 0, top_ = 0, raised_count_ = 0, total_ = 0;
    std::int32_t next_elsewhere_ = INT32_MAX; ///< least length of those not in the array
};

} // namespace
} // namespace crx

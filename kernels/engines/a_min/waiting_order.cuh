#pragma once

#include "kernels/base/integers.cuh"
#ifdef CRX_WARP_LANES // by a warp where warp_lanes.cuh was included before
#include "kernels/base/warp_moves.cuh"
#endif

#include <algorithm>

namespace crx {

/// A waiting request as one word, its index above its prompt.
struct WaitingMember
{
    /// The most requests, and what prompts are below.
    static constexpr std::int64_t most_requests = 4096;
    static constexpr std::int32_t prompt_limit = 1 << 20;
    static_assert(most_requests * prompt_limit == std::int64_t{1} << 32);

    CRX_HD static std::uint32_t of(RequestId id, std::int32_t prompt)
    {
        return id * static_cast<std::uint32_t>(prompt_limit) | static_cast<std::uint32_t>(prompt);
    }
    CRX_HD static std::int32_t prompt_of(std::uint32_t member)
    {
        return static_cast<std::int32_t>(member % prompt_limit);
    }
    CRX_HD static RequestId id_of(std::uint32_t member) { return member / prompt_limit; }
};

/// Those with one working length in an array of waiting requests, up to `end`: from the end of the
/// class before it.
struct WaitingClass
{
    std::int32_t length, end;
};

/// A class that is covered by another one, and the least prompt in it; written and read as one.
struct alignas(16) WaitingLayer
{
    WaitingClass of;
    std::int32_t least_prompt;
};

/// Arrays for n waiting requests.
struct WaitingArrays
{
    std::uint32_t* member;     ///< n
    WaitingClass* classes;     ///< n + 1: the one behind the last has a length that nothing reaches
    std::uint32_t* scratch[2]; ///< n each
};

namespace {

#ifdef CRX_WARP_LANES
/// Puts all of n requests in the order of (length, index), and finds the classes; by a warp.
class WaitingOrder
{
  public:
    CRX_HD WaitingOrder(WaitingArrays const& to, std::int32_t n, std::int32_t const* length,
                        std::int32_t const* prompt)
    {
        for (std::int32_t k = 0; k < n; k += Lanes::count)
            store_where(LaneSet::below(n - k), to.scratch[0] + k, Lanes::all(k) + Lanes::numbers());
        auto const* const ids = sort_in_lanes([=](RequestId id) { return length[id]; }, n,
                                              to.scratch[0], to.scratch[1]);
        std::int32_t classes = 0;
        for (std::int32_t k = 0; k < n; k += Lanes::count) {
            auto const some = LaneSet::below(n - k), others = LaneSet::below(n - k - 1);
            auto const length_at = [=](std::int32_t at) { return length[ids[at]]; };
            auto const here = lanes_of(some, [=](int lane) { return length_at(k + lane); });
            auto const next = lanes_of(others, [=](int lane) { return length_at(k + lane + 1); });
            auto const last = without(some, others & equal(here, next)); // of a class
            store_where(some, to.member + k, lanes_of(some, [=](int lane) {
                            auto const id = ids[k + lane];
                            return static_cast<std::int32_t>(WaitingMember::of(id, prompt[id]));
                        }));
            auto const bits = bits_of(last);
            wait_for_lanes();
            in_each_lane([=](int lane) {
                if (last.has(lane))
                    to.classes[classes + count_bits(bits & ((1u << lane) - 1))] = {here.own(lane),
                                                                                   k + lane + 1};
            });
            wait_for_lanes();
            classes += count_bits(bits);
        }
        write_one(to.classes + classes, WaitingClass{INT32_MAX, n});
    }

    CRX_HD static bool all_equal(std::int32_t const* numbers, std::int32_t n)
    {
        auto any = Lanes::zero();
        for (std::int32_t k = 0; k < n; k += Lanes::count)
            any = any | lanes_of(LaneSet::below(n - k),
                                 [=](int lane) { return numbers[k + lane] ^ numbers[0]; });
        return any_bits_of(any) == 0;
    }
};

#else
/// Puts all of n requests in the order of (length, index), and finds the classes.
class WaitingOrder
{
  public:
    WaitingOrder(WaitingArrays const& to, std::int32_t n, std::int32_t const* length,
                 std::int32_t const* prompt)
        : to_(to), n_(n), length_(length), prompt_(prompt)
    {
        // Few requests do not pay for many digits.
        find_classes(n < 1024 ? order_by_length<6>() : order_by_length<11>());
    }

    static bool all_equal(std::int32_t const* numbers, std::int32_t n)
    {
        std::int32_t any = 0;
        for (std::int32_t i = 0; i < n; ++i) any |= numbers[i] ^ numbers[0];
        return any == 0;
    }

  private:
    /// Digit by digit, least significant first; returns where the indices lie.
    template <int digit_bits>
    RequestId const* order_by_length()
    {
        constexpr int digits = 1 << digit_bits;
        std::uint32_t any = 0;
        RequestId *id = to_.scratch[0], *copy = to_.scratch[1];
        for (std::int32_t i = 0; i < n_; ++i) {
            id[i] = static_cast<RequestId>(i);
            any |= static_cast<std::uint32_t>(length_[i] ^ length_[0]);
        }
        for (int shift = 0; shift < 32 && any >> shift != 0; shift += digit_bits) {
            std::int32_t place[digits + 1] = {};
            auto const digit = [&](RequestId of) { return length_[of] >> shift & (digits - 1); };
            for (std::int32_t i = 0; i < n_; ++i) ++place[digit(id[i]) + 1];
            for (int d = 0; d < digits; ++d) place[d + 1] += place[d];
            for (std::int32_t i = 0; i < n_; ++i) copy[place[digit(id[i])]++] = id[i];
            std::swap(id, copy);
        }
        return id;
    }
    void find_classes(RequestId const* id)
    {
        std::int32_t classes = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            to_.member[i] = WaitingMember::of(id[i], prompt_[id[i]]);
            to_.classes[classes] = {length_[id[i]], i + 1};
            classes += i + 1 == n_ || length_[id[i + 1]] != length_[id[i]];
        }
        to_.classes[classes] = {INT32_MAX, n_};
    }

    WaitingArrays to_;
    std::int32_t n_;
    std::int32_t const *length_, *prompt_;
};

#endif

} // namespace
} // namespace crx

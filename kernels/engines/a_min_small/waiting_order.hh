#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/engines/a_min_small/waiting_member.cuh"

#include <algorithm>

// Of a warp: waiting_order_warp.cuh.
namespace crx {
namespace {

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

} // namespace
} // namespace crx

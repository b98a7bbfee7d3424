#pragma once

#include "kernels/engines/a_min_small/waiting_member.cuh"
#include "kernels/simd/warp_sort.cuh"

namespace crx {
namespace {

/// WaitingOrder of waiting_order.hh by a warp.
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

} // namespace
} // namespace crx

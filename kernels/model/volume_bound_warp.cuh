#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/warp_moves.cuh"
#include "kernels/model/requests.cuh"

namespace crx {
namespace {

/// VolumeBound by a warp: the same integer. Rounds and volumes of single requests are below 2^31.
class WarpVolume
{
  public:
    static constexpr std::int64_t unknown = -1;

    CRX_HD WarpVolume(Arena& arena, std::int64_t n)
    {
        for (auto*& array : array_) array = arena.take<std::uint32_t>(n);
    }
    static std::size_t arena_bytes(std::int64_t n)
    {
        return arena_bytes_of([n](Arena& arena) { WarpVolume(arena, n); });
    }

    /// `unknown` where these numbers are not enough. Contract: every request fits alone.
    CRX_HD std::int64_t execute(Requests const& r) const
    {
        if (r.n > most_requests || r.memory > most_memory || !write(r)) return unknown;
        auto const n = static_cast<std::int32_t>(r.n);
        auto const same = [](std::uint32_t item) { return static_cast<std::int32_t>(item); };
        auto const* const length = sort_in_lanes(same, n, array_[0], array_[1]);
        auto const* const volume = sort_in_lanes(same, n, array_[2], array_[3]);
        auto const memory = static_cast<double>(r.memory);
        std::int64_t total = 0, before = 0;
        for (std::int32_t k = 0; k < n; k += Lanes::count) {
            auto const some = LaneSet::below(n - k);
            // Sums of halves stay below 2^31.
            auto const low = lanes_of(some, [=](int lane) { return volume[k + lane] & 0xffff; }),
                       high = lanes_of(some, [=](int lane) { return volume[k + lane] >> 16; });
            auto const low_sum = sums_below(low) + low, high_sum = sums_below(high) + high;
            auto const held = [=](int lane) {
                return before + low_sum.own(lane) + (std::int64_t{high_sum.own(lane)} << 16);
            };
            // As VolumeBound::total_of_small has it: sums are below 2^52.
            auto const rounds = lanes_of(some, [=](int lane) {
                auto const by_volume =
                    1 + static_cast<std::int32_t>(static_cast<double>(held(lane) - 1) / memory);
                auto const by_length = static_cast<std::int32_t>(length[k + lane]);
                return by_volume > by_length ? by_volume : by_length;
            });
            total += sum_of_any(rounds);
            before += number_at(low_sum, Lanes::count - 1) +
                      (std::int64_t{number_at(high_sum, Lanes::count - 1)} << 16);
        }
        return total;
    }

  private:
    static constexpr std::int64_t most_requests = 1 << 20, most_memory = std::int64_t{1} << 51;

    /// Writes lengths and volumes; whether they are small enough.
    CRX_HD bool write(Requests const& r) const
    {
        auto longest = Lanes::zero(), large = Lanes::zero();
        for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
            auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
            auto const length = gather(some, r.output + k, Lanes::numbers());
            longest = larger(longest, length);
            auto const volume = [&](int lane) {
                auto const o = std::int64_t{length.own(lane)};
                return r.prompt[k + lane] * o + o * (o + 1) / 2;
            };
            large = large | lanes_of(some, [&](int lane) { return volume(lane) > INT32_MAX; });
            store_where(some, array_[0] + k, length);
            store_where(some, array_[2] + k, lanes_of(some, volume));
        }
        // No sum of volumes takes M longer than the requests do one by one, so terms are below 2^31
        // and the bound below 2^51.
        return any_bits_of(large) == 0 && r.n * greatest_of(longest) <= INT32_MAX;
    }

    std::uint32_t* array_[4]; ///< lengths, room, volumes, room
};

} // namespace
} // namespace crx

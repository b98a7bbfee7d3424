#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/model/workload.cuh"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace crx::mc_sf_batch {

/// Largest memory, and largest sum of outputs, of an instance: numbers on the way reach their sum,
/// and on the CPU eight completion times are added before they leave 16 bits.
inline constexpr std::int32_t most_rounds = 8191;
/// Largest volume of a request, and largest sum of an instance's volumes, for the volume bound.
inline constexpr std::int32_t most_volume = 32767;
inline constexpr std::int32_t most_volume_sum = (1 << 24) - 1;

/// How a request lies in a key of 15 bits, so that keys ascend as MC-SF's order: its output, its
/// number, its prompt. Where all prompts are equal, requests of equal output are the same and have
/// no number.
struct KeyLayout
{
    std::int32_t least_output = 1, least_prompt = 0;
    int number_shift = 0, output_shift = 0; ///< bits below the number and below the output

    CRX_HD std::int32_t key(std::int32_t output, std::int32_t number, std::int32_t prompt) const
    {
        return (output - least_output) << output_shift |
               (output_shift > 0 ? number << number_shift : 0) | (prompt - least_prompt);
    }
};

/// Whether MC-SF of this workload's instances can be made side by side, and how: independent
/// lengths, all at 0 under the unit clock, at most 256 requests, whose numbers fit and which all
/// fit alone.
std::optional<KeyLayout> layout_serving(WorkloadView const& workload);
/// Whether volume bounds of such a workload fit too.
bool bounds_volume(WorkloadView const& workload);

/// Two places that a sorting network brings in order.
struct Exchange
{
    std::int16_t low, high;
};

/// Compare-exchanges that sort n <= 2^15 - 1 items, whatever they are. Source: Batcher's merge
/// exchange, Knuth, The Art of Computer Programming 3, 5.2.2, Algorithm M.
inline std::vector<Exchange> merge_exchange(int n)
{
    std::vector<Exchange> exchanges;
    if (n < 2) return exchanges;
    auto const top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2;
    for (auto p = top; p > 0; p /= 2) {
        auto q = top, r = 0, d = p;
        for (;;) {
            for (int i = 0; i < n - d; ++i)
                if ((i & p) == r)
                    exchanges.push_back(
                        {static_cast<std::int16_t>(i), static_cast<std::int16_t>(i + d)});
            if (q == p) break;
            d = q - p;
            q /= 2;
            r = p;
        }
    }
    return exchanges;
}

/// ListSchedule (kernels/engines/lists/list_schedule.hh) with outputs ascending and at
/// most eight different ends to come at a time: they lie in registers, and nothing is decided by a
/// branch. One body serves a vector (kernels/base/lanes.hh), with an instance in each lane, and
/// OneLane, with an instance in each thread of a GPU.
///
/// Contract: M + twice the sum of outputs is below the largest number of V.
template <class V>
class ShortSchedule
{
  public:
    CRX_IN_LANES ShortSchedule()
        : t_(V::zero()), peak_(V::zero()), lost_(V::zero()),
          events_(V::all(1)) // round 0, in which the first starts
    {
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) end_[i] = load_[i] = V::all(-1); // before time 0
    }

    /// Starts the next request, (s, o); excess = s - M. Returns its completion time.
    CRX_IN_LANES V start(V s, V o, V excess)
    {
        auto bound = t_;
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) bound = larger(bound, smaller(end_[i], load_[i] + excess));
        auto const later = less(t_, bound);
        t_ = bound;
        auto nearest = V::all(-1); // the most, without sign; 0: something ends in round t
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) {
            auto const past = t_ - end_[i];
            nearest = smaller_unsigned(nearest, past);
            load_[i] = add_where(less(t_, end_[i]), load_[i], s - past);
        }
        // A start in a round of its own.
        events_ = count_where(differ(later, nearest, V::zero()), events_);
        auto const own_end = t_ + o;
        auto const fresh = differ(end_[slots - 1], own_end); // an end of its own
        lost_ = choose(less(fresh, t_, end_[0]), V::all(1), lost_);
        peak_ = larger(peak_, load_[0] - end_[0]); // what is held at an end only grows
        CRX_UNROLL
        for (int i = 0; i + 1 < slots; ++i) {
            end_[i] = choose(fresh, end_[i + 1], end_[i]);
            load_[i] = choose(fresh, load_[i + 1], load_[i]);
        }
        end_[slots - 1] = own_end;
        load_[slots - 1] = choose(fresh, own_end + s + o, load_[slots - 1]);
        events_ = count_where(fresh, events_);
        return own_end;
    }

    CRX_IN_LANES V makespan() const { return end_[slots - 1]; }
    CRX_IN_LANES V peak_memory() const
    {
        auto most = peak_;
        CRX_UNROLL
        for (int i = 0; i < slots; ++i) most = larger(most, load_[i] - end_[i]);
        return most;
    }
    /// Rounds in which something starts or ends.
    CRX_IN_LANES V event_rounds() const { return events_; }
    /// Not 0: there were more ends at a time, and nothing is known of this instance.
    CRX_IN_LANES V lost_track() const { return lost_; }

  private:
    static constexpr int slots = 8;

    // As in ListSchedule: ends to come and what is held at each, plus its time; the latest is last.
    V end_[slots], load_[slots];
    V t_, peak_, lost_, events_;
};

} // namespace crx::mc_sf_batch

#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/sort.cuh"
#include "kernels/model/requests.cuh"

namespace crx {

/// Lower bound on the total latency of every schedule, all requests arriving at 0:
/// sum over k of max(o_(k), ceil((vol_(1) + .. + vol_(k)) / M)), lengths and volumes each sorted
/// ascending, vol = s o + o (o + 1) / 2 the memory-rounds a request occupies.
///
/// Why: the k-th completion is not before the k-th smallest length, and by then k requests have
/// held at least the k least volumes, at most M in each round; sorting the completions ascending
/// keeps both. Source: JAILLET (9), refined as in docs/model.md#volume-bound. Units: rounds; 0, no
/// value, where it is 2^62 or more.
class VolumeBound
{
  public:
    CRX_HD VolumeBound(Arena& arena, std::int64_t n)
        : length_(arena.take<std::int32_t>(n)), volume_(arena.take<std::int64_t>(n)),
          scratch_(arena.take<std::int64_t>(n))
    {
    }
    static std::size_t arena_bytes(std::int64_t n)
    {
        return arena_bytes_of([n](Arena& arena) { VolumeBound(arena, n); });
    }

    CRX_HD std::int64_t execute(Requests const& r) const
    {
        std::int64_t sum = 0;
        bool small = true; // the sum of all volumes is below 2^52
        for (std::int64_t i = 0; i < r.n; ++i) {
            auto const o = std::int64_t{r.output[i]};
            length_[i] = r.output[i];
            volume_[i] = r.prompt[i] * o + o * (o + 1) / 2;
            small = small && volume_[i] < (most_sum - sum);
            if (small) sum += volume_[i];
        }
        sort_integers(length_, r.n, static_cast<std::int32_t*>(scratch_));
        sort_integers(volume_, r.n, static_cast<std::int64_t*>(scratch_));
        return small && r.memory < most_sum && in_range(r.n, sum / r.memory) ? total_of_small(r)
                                                                             : total_of_any(r);
    }

  private:
    static constexpr std::int64_t most_sum = std::int64_t{1} << 52;

    /// Whether n terms are in range together: none is more than the rounds that all volumes take,
    /// or than a length.
    CRX_HD static bool in_range(std::int64_t n, std::int64_t rounds)
    {
        auto const most = rounds + 1 > INT32_MAX ? rounds + 1 : INT32_MAX;
        return n == 0 || most < time_limit / n;
    }

    /// In doubles, whose division is exact enough: for integers P and M with P + M <= 2^53, P / M
    /// is an integer or at least a part 2^-53 below the next one, so it does not round up to it.
    CRX_HD std::int64_t total_of_small(Requests const& r) const
    {
        auto const memory = static_cast<double>(r.memory);
        std::int64_t total = 0, sum = 0;
        for (std::int64_t k = 0; k < r.n; ++k) {
            sum += volume_[k];
            auto const by_volume =
                1 + static_cast<std::int64_t>(static_cast<double>(sum - 1) / memory);
            total += by_volume > length_[k] ? by_volume : std::int64_t{length_[k]};
        }
        return total;
    }

    /// The sum of volumes as whole rounds of M and a rest, so it never overflows: a request that
    /// fits alone takes no more rounds than it has tokens.
    CRX_HD std::int64_t total_of_any(Requests const& r) const
    {
        std::int64_t total = 0, rounds = 0, rest = 0;
        for (std::int64_t k = 0; k < r.n; ++k) {
            rounds += volume_[k] / r.memory;
            rest += volume_[k] % r.memory;
            if (rest >= r.memory) {
                rest -= r.memory;
                ++rounds;
            }
            auto const by_volume = rounds + (rest > 0 ? 1 : 0);
            total += by_volume > length_[k] ? by_volume : std::int64_t{length_[k]};
            if (total >= time_limit) return 0;
        }
        return total;
    }

  private:
    std::int32_t* length_;
    std::int64_t* volume_;
    void* scratch_;
};

} // namespace crx

#pragma once

#include "kernels/iteration/iteration_model.cuh"
#include "kernels/random/exponential.cuh"

namespace crx {

/// Arrivals given one by one, in order of time.
class ListedArrivals
{
  public:
    ListedArrivals(Nanoseconds const* time, std::int32_t const* type, std::int64_t n)
        : time_(time), type_(type), n_(n)
    {
    }
    static constexpr Nanoseconds never = INT64_MAX;
    CRX_HD Nanoseconds time() const { return at_ < n_ ? time_[at_] : never; }
    CRX_HD std::int32_t type() const { return type_[at_]; }
    CRX_HD void advance() { ++at_; }

  private:
    Nanoseconds const* time_;
    std::int32_t const* type_;
    std::int64_t n_, at_ = 0;
};

/// Poisson arrivals of all types as one process that is split and thinned by thresholds.
///
/// Candidates come at the largest total rate. A candidate in slice s of the period is of the least
/// type j with word < threshold[s * types + j], and of none if there is no such type: the
/// thresholds of a slice are 2^64 times the sums of its rates over the largest total (Lewis and
/// Shedler 1979, thinning). With constant rates there is one slice and no candidate is lost.
struct PoissonTable
{
    std::uint64_t mean_gap = 0; ///< between candidates, nanoseconds times 2^20
    std::int32_t types = 0, slices = 1;
    Nanoseconds slice_length = 1; ///< the slices repeat for ever
    std::uint64_t const* threshold = nullptr;
    bool thinned = false; ///< some slice has less than the largest total rate
};

/// One path of them. Gaps take words of stream arrivals, types (and thinning) one word each of
/// stream lengths; a single type that is not thinned takes none.
class PoissonArrivals
{
  public:
    CRX_HD PoissonArrivals(PoissonTable const& table, std::uint64_t seed, std::uint64_t instance)
        : table_(table), gaps_(seed, stream_arrivals, instance),
          types_(seed, stream_lengths, instance)
    {
        advance();
    }

    CRX_HD Nanoseconds time() const { return time_; }
    CRX_HD std::int32_t type() const { return type_; }
    CRX_HD void advance()
    {
        do {
            auto const sum = fraction_ + exponential(gaps_).scaled(table_.mean_gap);
            time_ += static_cast<Nanoseconds>(sum >> 20);
            fraction_ = sum & 0xfffff;
            type_ = draw_type();
        } while (type_ == table_.types);
    }

  private:
    CRX_HD std::int32_t draw_type()
    {
        if (table_.types == 1 && !table_.thinned) return 0;
        auto const* thresholds = table_.threshold;
        if (table_.slices > 1)
            thresholds += (time_ / table_.slice_length) % table_.slices * table_.types;
        auto const word = types_.next();
        std::int32_t low = 0, high = table_.thinned ? table_.types : table_.types - 1;
        while (low < high) { // the least with word < threshold, or high
            auto const middle = (low + high) / 2;
            if (word < thresholds[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    PoissonTable table_;
    WordStream gaps_, types_;
    Nanoseconds time_ = 0;
    std::uint64_t fraction_ = 0; ///< of a nanosecond, times 2^20
    std::int32_t type_ = 0;
};

} // namespace crx

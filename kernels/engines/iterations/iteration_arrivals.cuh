#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// Arrivals of one type up to an instant.
struct ArrivalTotals
{
    std::int64_t count = 0;
    Unsigned128 time = 0; ///< sum, nanoseconds
};

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
    /// How many prompts of the type are there now and were not at its last event.
    CRX_HD std::int64_t prompts() const { return 1; }
    CRX_HD void advance() { ++at_; }
    CRX_HD ArrivalTotals totals(std::int32_t type, Nanoseconds until) const
    {
        ArrivalTotals out;
        for (std::int64_t i = 0; i < n_ && time_[i] <= until; ++i) {
            if (type_[i] != type) continue;
            ++out.count;
            out.time += static_cast<Unsigned128>(time_[i]);
        }
        return out;
    }

  private:
    Nanoseconds const* time_;
    std::int32_t const* type_;
    std::int64_t n_, at_ = 0;
};

} // namespace crx

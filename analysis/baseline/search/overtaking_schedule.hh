#pragma once

#include "analysis/baseline/schedule.hh"

namespace crx::baseline {

/// Schedules an order of requests, each as early as it fits beside those before it in the order
/// (arrival and an optional later release kept), and again after a change of the order from the
/// first changed place only. Holds the memory in use as numbers of type Held, several checked
/// at once: std::int16_t up to M = 32,767, std::int32_t up to 2^30.
///
/// Unlike the prefix rule (docs/model.md#prefix-rule), a request may start before one that stands
/// ahead of it, where there is room. Contract: M as above, and every request fits.
template <class Held>
class OvertakingSchedule
{
  public:
    static constexpr Tokens most_memory = sizeof(Held) == 2 ? INT16_MAX : 1 << 30;

    /// Keeps the memory in use before every `stride`-th place of the order: bytes_needed().
    explicit OvertakingSchedule(OwnedInstance const& instance, std::size_t stride = 1);
    static double bytes_needed(OwnedInstance const& instance, std::size_t stride);

    using Order = std::vector<std::int32_t>;
    using Releases = std::vector<std::int32_t>; ///< least start of each request; past its arrival

    /// Schedules `order` from place `from` on, those before it as in the last call of `keep`.
    /// Returns TEL, or `stop_at` as soon as TEL cannot be below it.
    Rounds evaluate(Order const& order, Releases const& release, std::size_t from, Rounds stop_at);
    /// As evaluate, and remembers the result as the base of later calls.
    Rounds keep(Order const& order, Releases const& release, std::size_t from);
    /// The largest release that `Releases` may hold: the last arrival plus the sum of outputs.
    Rounds latest_release() const { return last_arrival_ + total_output_; }
    /// Starts of the schedule last kept.
    Starts starts() const;

  private:
    static constexpr std::size_t lanes = 16 / sizeof(Held);

    Rounds earliest(Held const* used, std::int32_t request, Rounds from) const;
    void place(Held* used, std::int32_t request, Rounds start) const;
    Rounds run(Order const& order, Releases const& release, std::size_t from, Rounds stop_at,
               bool keep);
    void restore(Order const& order, std::size_t from);
    void save(std::size_t place, Rounds busy);

    OwnedInstance const& instance_;
    std::size_t stride_;
    /// Used at times 0, 1, .. by those before every stride-th place, 0 past what is there.
    std::vector<std::vector<Held>> snapshots_;
    std::vector<Rounds> latency_, busy_until_; // [place]: of those before it
    std::vector<Held> work_;
    std::size_t work_end_ = 0; // work_ is 0 from there on
    std::vector<std::int32_t> start_;
    std::vector<std::vector<Held>> ramp_; // s + 1, s + 2, .. s + o, then 0 to a multiple of lanes
    Rounds total_output_ = 0, last_arrival_ = 0;
};

} // namespace crx::baseline

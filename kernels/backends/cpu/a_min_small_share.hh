#pragma once

#include "kernels/backends/cell.hh"
#include "kernels/engines/a_min_small/a_min_small.hh"

#include <cstddef>
#include <memory>
#include <vector>

namespace crx {

/// One thread's runs of a-min for several instances at a time (few_group.hh), and its memory for
/// them and their requests. The outcomes are those of execute_on_host.
class MinGroup
{
  public:
    /// Whether it is worth while for a cell: a-min is among the policies that are run request by
    /// request, and the instances are of a kind that it takes.
    static bool serves(Cell const& cell);

    /// For instances of up to n requests.
    MinGroup(std::int64_t n, Tokens memory, Clock const& clock);

    /// Where the k-th instance of the next group is to be written, k < a_min_small_batch_size.
    Requests& place(int k) { return requests_[k]; }
    /// Runs what was written there as instances first .. first + count - 1; `ask` says whether to
    /// give up. Contract: 1 <= count <= a_min_small_batch_size.
    void execute(std::uint64_t seed, std::int64_t first, int count, ScheduleLog const& ask);

    bool has(std::int64_t instance) const { return instance >= first_ && instance < end_; }
    Requests& requests(std::int64_t instance) { return requests_[instance - first_]; }
    /// Nothing: to be run by execute_on_host.
    std::optional<Outcome> const& outcome(std::int64_t instance) const
    {
        return outcomes_[instance - first_];
    }
    /// Whether so many were not taken that the rest had better run one by one.
    bool gains() const { return missed_ <= taken_ + a_min_small_batch_size; }

  private:
    std::size_t engine_bytes_;
    std::unique_ptr<std::byte[]> block_; ///< requests, then the engine's
    Requests requests_[a_min_small_batch_size];
    std::byte* engine_block_;
    std::optional<Outcome> outcomes_[a_min_small_batch_size];
    std::int64_t first_ = 0, end_ = 0, taken_ = 0, missed_ = 0;
};

} // namespace crx

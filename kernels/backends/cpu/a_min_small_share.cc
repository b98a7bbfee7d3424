#include "kernels/backends/cpu/a_min_small_share.hh"

#include "kernels/engines/requests/execute.cuh"

namespace crx {

bool MinGroup::serves(Cell const& cell)
{
    auto const& w = cell.workload;
    if (!has_few_active() || w.requests < 2 || a_min_small_batch_bytes(w.requests) == 0 ||
        w.clock.affine() || w.memory > a_min_small_memory)
        return false;
    if (cell.source != nullptr ? !cell.source->together() : w.arrival_kind != ArrivalKind::at_zero)
        return false;
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        if (cell.policies[k].kind == PolicyKind::a_min && engine_of(cell, k) == EngineKind::request)
            return true;
    return false;
}

MinGroup::MinGroup(std::int64_t n, Tokens memory, Clock const& clock)
    : engine_bytes_(a_min_small_batch_bytes(n))
{
    auto const size = request_bytes(n);
    block_ =
        std::make_unique_for_overwrite<std::byte[]>(a_min_small_batch_size * size + engine_bytes_);
    for (int k = 0; k < a_min_small_batch_size; ++k) {
        Arena arena(block_.get() + static_cast<std::size_t>(k) * size, size);
        requests_[k] = take_requests(arena, n, memory, clock);
    }
    engine_block_ = block_.get() + a_min_small_batch_size * size;
}

void MinGroup::execute(std::uint64_t seed, std::int64_t first, int count, ScheduleLog const& ask)
{
    first_ = first;
    end_ = first + count;
    Arena arena(engine_block_, engine_bytes_);
    execute_few_group(requests_, count, seed,
                      stream_policy + static_cast<std::uint32_t>(PolicyKind::a_min),
                      static_cast<std::uint64_t>(first), ask, nullptr, arena, outcomes_);
    for (int k = 0; k < count; ++k) ++(outcomes_[k] ? taken_ : missed_);
}

} // namespace crx

#include "kernels/engines/lazy_instances.hh"

#include "kernels/engines/requests/execute.cuh"
#include "kernels/model/draw_counts.cuh"

#include <algorithm>

namespace crx {

void LazyInstances::Capacity::add(Capacity const& other)
{
    requests = std::max(requests, other.requests);
    counts = std::max(counts, other.counts);
    scratch = std::max(scratch, other.scratch);
}

LazyInstances::LazyInstances(EngineCase const& c, HostGenerator const& generator,
                             Capacity const& room)
    : workload_(c.workload), source_(c.source), generator_(generator), counts_only_(c.counts_only),
      slots_(c.counts_only ? 0 : static_cast<std::size_t>(room.requests)),
      counts_room_(room.counts), scratch_bytes_(room.scratch)
{
    auto const n = workload_.requests;
    auto const slot_bytes = request_bytes(n);
    block_ = std::make_unique_for_overwrite<std::byte[]>(slots_.size() * slot_bytes + room.scratch);
    auto* at = block_.get();
    for (auto& slot : slots_) {
        Arena arena(at, slot_bytes);
        slot.requests = take_requests(arena, n, workload_.memory, workload_.clock);
        at += slot_bytes;
    }
    scratch_ = at;
    if (workload_.output_kind == OutputKind::trace) return;
    counts_.resize(workload_.output_value.size() * static_cast<std::size_t>(counts_room_));
    if (workload_.output_kind != OutputKind::composition) return;
    auto const& same = workload_.output_count; // in all instances
    CRX_EXPECT(same.size() == workload_.output_value.size());
    for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] = same[k % same.size()];
}

Requests const& LazyInstances::requests(std::int64_t instance)
{
    auto& slot = slots_[static_cast<std::size_t>(instance) % slots_.size()];
    if (slot.instance == instance) return slot.requests;
    slot.instance = instance;
    auto const number = static_cast<std::uint64_t>(instance);
    if (source_ != nullptr)
        source_->generate(workload_.seed, number, slot.requests);
    else
        generator_.generate(number, slot.requests);
    return slot.requests;
}

std::int64_t const* LazyInstances::counts(InstanceRange range)
{
    if (workload_.output_kind == OutputKind::composition) return counts_.data();
    auto const lengths = workload_.output_value.size();
    if (range.first < counted_.first ||
        range.first + range.count > counted_.first + counted_.count) {
        if (!counts_only_) {
            CRX_EXPECT(range.count == 1);
            count_requests(range.first);
            counted_ = range;
        } else {
            auto const left = expected_.first + expected_.count - range.first;
            auto const most = range.first < expected_.first ? 0 : std::min(left, counts_room_);
            counted_ = {range.first, std::max(range.count, most)};
            auto* to = counts_.data();
            for (std::int64_t k = 0; k < counted_.count; ++k, to += lengths)
                draw_counts(workload_, static_cast<std::uint64_t>(range.first + k), to);
        }
    }
    return counts_.data() + static_cast<std::size_t>(range.first - counted_.first) * lengths;
}

void LazyInstances::count_requests(std::int64_t instance)
{
    auto const& all = requests(instance);
    std::ranges::fill(counts_, 0);
    for (std::int64_t i = 0; i < all.n; ++i) {
        auto const at = std::ranges::lower_bound(workload_.output_value, all.output[i]);
        ++counts_[static_cast<std::size_t>(at - workload_.output_value.begin())];
    }
}

} // namespace crx

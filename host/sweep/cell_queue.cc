#include "host/sweep/cell_queue.hh"

#include "host/sweep/ranges.hh"

#include <algorithm>

namespace crx {

namespace {

/// Ranges cut where the store has some sums, with what is missing there.
std::vector<PartialRange> cut_by(std::vector<InstanceRange> const& ranges,
                                 std::vector<PartialRange> const& partial)
{
    std::vector<PartialRange> pieces;
    for (auto const& range : ranges) {
        auto at = range.first;
        auto const end = range.first + range.count;
        for (auto const& [known, missing] : partial) {
            auto const from = std::max(at, known.first);
            auto const to = std::min(end, known.first + known.count);
            if (from >= to) continue;
            if (at < from) pieces.push_back({{at, from - at}, nullptr});
            pieces.push_back({{from, to - from}, missing});
            at = to;
        }
        if (at < end) pieces.push_back({{at, end - at}, nullptr});
    }
    return pieces;
}

} // namespace

std::size_t CellQueue::add(PlannedCell const& planned, std::int64_t index, Coverage const& covered)
{
    Slot slot;
    slot.planned = planned;
    slot.planned.cell = {};
    slot.planned.paths = nullptr;
    slot.index = index;
    slot.done = covered.done;
    slot.partial = covered.partial;
    slots_.push_back(std::move(slot));
    return slots_.size() - 1;
}

bool CellQueue::want(std::size_t number, std::int64_t target)
{
    // New policies run on all that the others have, also past the target.
    auto const end = std::max(target, end_of_partial(slots_[number]));
    return want(number, {InstanceRange{0, end}});
}

bool CellQueue::want(std::size_t number, std::vector<InstanceRange> const& ranges)
{
    auto& slot = slots_[number];
    CRX_EXPECT(is_idle(number));
    auto const to_do = without(ranges, slot.done);
    slot.to_do = cut_by(to_do, slot.partial);
    left_ += total(to_do);
    if (slot.to_do.empty()) {
        slot.cell.reset();
        slot.paths.reset();
        slot.restricted_to.reset();
        slot.restricted = {};
        return false;
    }
    with_work_.insert(number);
    return true;
}

std::int64_t CellQueue::chunk_size(Slot const& slot) const
{
    // Growing sixteenfold at most keeps one lucky first instance from making an endless chunk.
    double const guess =
        slot.seconds_per_instance > 0 ? slot.seconds_per_instance : last_seconds_per_instance_;
    if (!(guess > 0)) return least_chunk_;
    double const wanted = std::min(chunk_seconds_ / guess, 1e15);
    auto const size = std::max(least_chunk_, static_cast<std::int64_t>(wanted));
    return slot.last_chunk > 0 ? std::min(size, 16 * slot.last_chunk) : size;
}

std::optional<Job> CellQueue::next()
{
    if (with_work_.empty()) return std::nullopt;
    auto const number = *with_work_.begin();
    auto& slot = slots_[number];
    if (!slot.cell) {
        auto made = plan_.make_cell(slot.planned.sweep, slot.planned.coordinates);
        slot.cell = std::make_shared<Cell const>(std::move(made.cell));
        slot.paths = std::move(made.paths);
    }
    auto& [range, missing] = slot.to_do.front();
    Job job{number, {range.first, std::min(range.count, chunk_size(slot))}, slot.cell, slot.paths};
    if (missing != nullptr) {
        if (slot.restricted_to != missing) {
            slot.restricted = restricted_cell(plan_, slot.cell, slot.paths, *missing);
            slot.restricted_to = missing;
        }
        job.cell = slot.restricted.cell;
        job.paths = slot.restricted.paths;
        job.policies = slot.restricted.policies;
        job.missing = missing;
    }
    range.first += job.range.count;
    range.count -= job.range.count;
    if (range.count == 0) slot.to_do.erase(slot.to_do.begin());
    if (slot.to_do.empty()) with_work_.erase(number);
    ++slot.in_flight;
    ++in_flight_;
    return job;
}

void CellQueue::finish(Job const& job, std::int64_t count, double seconds)
{
    CRX_EXPECT(0 <= count && count <= job.range.count);
    auto& slot = slots_[job.slot];
    --slot.in_flight;
    --in_flight_;
    left_ -= count;
    auto const follows = [&](InstanceRange r) { return r.first > job.range.first; };
    if (count < job.range.count) {
        auto const place = std::ranges::find_if(slot.to_do, follows, &PartialRange::range);
        slot.to_do.insert(place, {{job.range.first + count, job.range.count - count}, job.missing});
        with_work_.insert(job.slot);
    }
    if (count == 0) return;
    slot.last_chunk = count;
    slot.seconds_per_instance = std::max(seconds, 1e-9) / static_cast<double>(count);
    last_seconds_per_instance_ = slot.seconds_per_instance;
    auto const after = std::find_if(slot.done.begin(), slot.done.end(), follows);
    auto const place = slot.done.insert(after, {job.range.first, count});
    // Join with the neighbour before and after, so the list stays short.
    auto const joined = [](InstanceRange const& a, InstanceRange const& b) {
        return a.first + a.count == b.first;
    };
    if (place + 1 != slot.done.end() && joined(*place, *(place + 1))) {
        place->count += (place + 1)->count;
        slot.done.erase(place + 1);
    }
    if (place != slot.done.begin() && joined(*(place - 1), *place)) {
        (place - 1)->count += place->count;
        slot.done.erase(place);
    }
}

bool CellQueue::is_idle(std::size_t slot) const
{
    return slots_[slot].in_flight == 0 && slots_[slot].to_do.empty();
}

std::int64_t CellQueue::reached(std::size_t slot) const
{
    auto const& done = slots_[slot].done;
    auto const last = done.empty() ? 0 : done.back().first + done.back().count;
    return std::max(last, end_of_partial(slots_[slot]));
}

std::int64_t CellQueue::covered(std::size_t slot) const { return total(slots_[slot].done); }

} // namespace crx

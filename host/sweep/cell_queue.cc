#include "host/sweep/cell_queue.hh"

#include "host/experiment/iteration_setting.hh"

#include <algorithm>

namespace crx {

std::vector<InstanceRange> without(std::vector<InstanceRange> const& ranges,
                                   std::vector<InstanceRange> const& done)
{
    std::vector<InstanceRange> left;
    for (auto const& range : ranges) {
        auto next = range.first;
        auto const end = range.first + range.count;
        for (auto const& held : done) {
            auto const from = std::max(held.first, next);
            if (from >= end) break;
            if (held.first + held.count <= next) continue;
            if (next < from) left.push_back({next, from - next});
            next = held.first + held.count;
        }
        if (next < end) left.push_back({next, end - next});
    }
    return left;
}

std::vector<InstanceRange> uncovered(std::vector<InstanceRange> const& ranges, std::int64_t target)
{
    return without({{0, target}}, ranges);
}

std::int64_t total(std::vector<InstanceRange> const& ranges)
{
    std::int64_t sum = 0;
    for (auto const& range : ranges) sum += range.count;
    return sum;
}

namespace {

/// Policies that lack something. Where all of these count requests and others of the cell do not,
/// one of the others is added: with it requests are drawn one by one, as they were for the cell.
std::vector<std::size_t> policies_to_run(Cell const& cell, Holdings const& missing)
{
    std::vector<std::size_t> policies;
    for (std::size_t p = 0; p < missing.policies(); ++p)
        if (missing.any_of_policy(p)) policies.push_back(p);
    auto const by_request = [&](std::size_t p) { return law_of(cell, p) == RandomLaw::request; };
    if (!all_by_cohorts(cell) && std::ranges::none_of(policies, by_request))
        for (std::size_t p = 0; p < missing.policies(); ++p)
            if (by_request(p)) {
                policies.push_back(p);
                break;
            }
    return policies;
}

template <class Value>
std::vector<Value> chosen(std::vector<Value> const& all, std::vector<std::size_t> const& places)
{
    std::vector<Value> some;
    if (all.empty()) return some;
    for (auto const place : places) some.push_back(all[place]);
    return some;
}

} // namespace

RestrictedCell restricted_cell(Plan const& plan, std::shared_ptr<Cell const> const& cell,
                               std::shared_ptr<IterationSetting const> const& paths,
                               Holdings const& missing)
{
    RestrictedCell restricted;
    if (paths != nullptr) {
        for (std::size_t p = 0; p < missing.policies(); ++p)
            if (missing.sums(p)) restricted.policies.push_back(p);
        auto part = std::make_shared<IterationSetting>(*paths);
        part->policies = chosen(paths->policies, restricted.policies);
        restricted.paths = std::move(part);
        return restricted;
    }
    restricted.policies = policies_to_run(*cell, missing);
    auto part = std::make_shared<Cell>(*cell);
    part->policies = chosen(cell->policies, restricted.policies);
    part->laws = chosen(cell->laws, restricted.policies);
    part->orders = chosen(cell->orders, restricted.policies);
    std::vector<BaselineKind> of_host;
    for (std::size_t b = 0; b < plan.baselines.size(); ++b) {
        auto const kind = plan.baselines[b];
        bool const wanted = missing.any_over(b);
        part->baseline[static_cast<int>(kind)] = wanted;
        if (wanted && static_cast<int>(kind) >= engine_baselines) of_host.push_back(kind);
    }
    part->host_baselines = of_host.empty() ? nullptr : plan.host_baselines(of_host);
    restricted.cell = std::move(part);
    return restricted;
}

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
    if (slot.to_do.empty()) return false;
    with_work_.insert(number);
    return true;
}

std::shared_ptr<Cell const> CellQueue::cell(std::size_t number)
{
    auto& slot = slots_[number];
    if (!slot.cell) {
        auto made = plan_.make_cell(slot.planned.sweep, slot.planned.coordinates);
        slot.cell = std::make_shared<Cell const>(std::move(made.cell));
        slot.paths = std::move(made.paths);
    }
    return slot.cell;
}

void CellQueue::release(std::size_t number)
{
    CRX_EXPECT(is_idle(number));
    auto& slot = slots_[number];
    slot.cell.reset();
    slot.paths.reset();
    slot.restricted_to.reset();
    slot.restricted = {};
}

std::int64_t CellQueue::chunk_size(Slot const& slot) const
{
    // Growing sixteenfold at most keeps one lucky first instance from making an endless chunk.
    double const guess =
        slot.seconds_per_instance > 0 ? slot.seconds_per_instance : last_seconds_per_instance_;
    if (!(guess > 0)) return 1;
    double const wanted = std::min(chunk_seconds_ / guess, 1e15);
    auto const size = std::max(std::int64_t{1}, static_cast<std::int64_t>(wanted));
    return slot.last_chunk > 0 ? std::min(size, 16 * slot.last_chunk) : size;
}

std::optional<Job> CellQueue::next()
{
    if (with_work_.empty()) return std::nullopt;
    auto const number = *with_work_.begin();
    return take(number, chunk_size(slots_[number]));
}

std::optional<Job> CellQueue::next(std::int64_t instances,
                                   std::function<bool(Cell const&)> const& takes)
{
    for (auto const number : with_work_) {
        auto& slot = slots_[number];
        if (takes && !slot.taken_elsewhere) slot.taken_elsewhere = takes(*cell(number));
        if (!takes || *slot.taken_elsewhere) return take(number, instances);
    }
    return std::nullopt;
}

Job CellQueue::take(std::size_t number, std::int64_t instances)
{
    auto& slot = slots_[number];
    cell(number);
    auto& [range, missing] = slot.to_do.front();
    Job job{number, {range.first, std::min(range.count, instances)}, slot.cell, slot.paths};
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
    in_flight_ += job.range.count;
    return job;
}

void CellQueue::finish(Job const& job, std::int64_t count, double seconds)
{
    CRX_EXPECT(0 <= count && count <= job.range.count);
    auto& slot = slots_[job.slot];
    --slot.in_flight;
    in_flight_ -= job.range.count;
    left_ -= count;
    auto const follows = [&](InstanceRange r) { return r.first > job.range.first; };
    if (count < job.range.count) {
        auto const place = std::ranges::find_if(slot.to_do, follows, &PartialRange::range);
        slot.to_do.insert(place, {{job.range.first + count, job.range.count - count}, job.missing});
        with_work_.insert(job.slot);
    }
    if (count == 0) return;
    if (seconds >= 0) {
        slot.last_chunk = count;
        slot.seconds_per_instance = std::max(seconds, 1e-9) / static_cast<double>(count);
        last_seconds_per_instance_ = slot.seconds_per_instance;
    }
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

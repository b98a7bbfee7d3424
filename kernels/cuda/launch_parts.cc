#include "kernels/cuda/launch_parts.hh"

#include "kernels/base/seconds_since.hh"
#include "kernels/cuda/variant_times.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <map>
#include <mutex>

namespace crx {
namespace {

/// The sizes of the cells that this process has met.
class KnownSizes
{
  public:
    LaunchSize of(std::uint64_t cell) const
    {
        std::lock_guard const lock(mutex_);
        auto const found = sizes_.find(cell);
        return found != sizes_.end() ? found->second : LaunchSize();
    }
    void put(std::uint64_t cell, LaunchSize const& size)
    {
        std::lock_guard const lock(mutex_);
        sizes_[cell] = size;
    }

  private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, LaunchSize> sizes_;
};

KnownSizes& known_sizes()
{
    static KnownSizes known;
    return known;
}

std::uint64_t key_of(Cell const& cell)
{
    std::vector<std::string_view> policies;
    for (auto const& spec : cell.policies) policies.push_back(policy_info(spec.kind).id);
    return VariantTimes::key_of(view_of(cell.workload),
                                any_by_cohorts(cell) ? "launch by cohorts" : "launch", policies);
}

} // namespace

void LaunchSize::took(std::int64_t instances, double seconds)
{
    CRX_EXPECT(instances > 0 && seconds >= 0);
    if (before_ >= 2 * instances && seconds > 0.75 * before_seconds_) floor_ = before_;
    auto const too_long = seconds > 2 * seconds_;
    before_ = too_long ? instances : 0;
    before_seconds_ = seconds;
    auto const factor = std::clamp(seconds_ / std::max(seconds, 1e-9), 0.125, 8.0);
    // Of a last part that is small little is learnt.
    if (!too_long && instances < instances_ &&
        factor * static_cast<double>(instances) < static_cast<double>(instances_))
        return;
    constexpr double most = 1e15;
    auto const wanted = std::min(factor * static_cast<double>(instances), most);
    instances_ = std::max({static_cast<std::int64_t>(wanted), floor_, std::int64_t{1}});
}

Launched launch_in_parts(LaunchPart const& launch, Cell const& cell, InstanceRange range,
                         StopCondition const& stop_condition)
{
    auto const begin = std::chrono::steady_clock::now();
    auto const key = key_of(cell);
    auto size = known_sizes().of(key);
    Launched launched{Tally(cell.policies.size()), 0, {}};
    while (launched.count < range.count) {
        if (stop_condition.stop_asked && stop_condition.stop_asked()) break;
        if (launched.count > 0 && seconds_since(begin) >= stop_condition.seconds) break;
        auto const count = std::min(size.instances(), range.count - launched.count);
        auto const part_begin = std::chrono::steady_clock::now();
        auto const part = launch(cell, {range.first + launched.count, count}, stop_condition);
        if (part.count == 0) break;
        size.took(count, seconds_since(part_begin));
        known_sizes().put(key, size);
        for (std::size_t k = 0; k < part.tally.size(); ++k) launched.tally[k].add(part.tally[k]);
        launched.count += count;
    }
    return launched;
}

CohortMemory cohort_memory(Cell const& cell, CellEngines const& engines)
{
    CRX_EXPECT(any_by_cohorts(cell));
    CohortMemory memory{0, all_by_cohorts(cell)};
    for (auto const& run : engines.runs) {
        if (run.law != RandomLaw::cohort) continue;
        memory.bytes = std::max(memory.bytes, sliced_cohort_bytes(run.spec, run.where.workload));
        if (run.first().portable) memory.compared_only = false;
    }
    if (wants_bound(cell))
        memory.bytes = std::max(memory.bytes, volume_by_class_bytes(view_of(cell.workload)));
    return memory;
}

GpuSlots gpu_slots(std::size_t bytes, std::int64_t wanted, std::size_t slot, std::size_t engine,
                   std::int64_t most_engines)
{
    CRX_EXPECT(wanted > 0 && slot > 0 && most_engines > 0);
    auto const with_arrays = static_cast<std::int64_t>(bytes / (slot + engine));
    auto const all = std::min(wanted, with_arrays);
    if (all == 0 || most_engines >= wanted || engine == 0) return {all, all};
    auto const half = static_cast<std::int64_t>(bytes / 2 / engine);
    auto const engines =
        std::clamp<std::int64_t>(std::min(half, all), 1, std::min(most_engines, all));
    auto const rest = bytes - static_cast<std::size_t>(engines) * engine;
    return {std::min(wanted, static_cast<std::int64_t>(rest / slot)), engines};
}

} // namespace crx

#include "kernels/backends/cpu/thread_share.hh"

namespace crx {

ThreadShare::ThreadShare(Cell const& cell, CellEngines const& engines,
                         HostGenerator const& generator, LaunchWatch& watch)
    : cell_(cell), engines_(engines), watch_(watch),
      instances_(engine_case(cell, nullptr), generator, room_for(cell, engines)),
      denominators_(cell), outcomes_(engines.runs.size()), counts_(cell.policies.size())
{
    for (auto const& run : engines.runs) runs_.emplace_back(run);
    for (auto& policy : counts_)
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b]) policy.histogram[b].open();
    log_.abandon = [](void* self) {
        auto& share = *static_cast<ThreadShare*>(self);
        share.abandoned_ = share.abandoned_ || share.watch_.abandons();
        return share.abandoned_;
    };
    log_.abandon_context = this;
}

std::int64_t ThreadShare::execute(InstanceRange block)
{
    instances_.expect(block);
    auto const end = block.first + block.count;
    for (auto k = block.first; k < end; ++k)
        if (!execute(k, end)) return k - block.first;
    return block.count;
}

bool ThreadShare::execute(std::int64_t instance, std::int64_t end)
{
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        outcomes_[k] = &runs_[k].execute(instance, end, instances_, log_);
        if (abandoned_) return false;
    }
    std::int64_t baselines[baseline_kinds] = {};
    auto const schedule = engines_.shortest_first;
    denominators_.compute(instance, schedule ? outcomes_[*schedule] : nullptr,
                          schedule ? runs_[*schedule].volume(instance) : std::nullopt, instances_,
                          log_, baselines);
    if (abandoned_) return false;
    count(instance, baselines);
    return true;
}

void ThreadShare::count(std::int64_t instance, std::int64_t const* baselines)
{
    for (std::size_t k = 0; k < counts_.size(); ++k) {
        auto const& outcome = *outcomes_[k];
        counts_[k].sums.add(outcome, baselines, instance);
        if (outcome.finished == 0) continue;
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell_.baseline[b] && baselines[b] > 0)
                counts_[k].histogram[b].count(
                    histogram_bin(fixed_ratio(outcome.total_latency, baselines[b])));
    }
}

void ThreadShare::add_to(Tally& tally) const
{
    for (std::size_t k = 0; k < tally.size(); ++k) {
        tally[k].sums.add(counts_[k].sums);
        for (int b = 0; b < baseline_kinds; ++b)
            counts_[k].histogram[b].add_to(tally[k].histogram[b]);
    }
}

} // namespace crx

#include "kernels/cuda/batch_run.cuh"
#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_tally.cuh"
#include "kernels/cuda/launch_size.hh"
#include "kernels/cuda/slices.cuh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/model/requests.cuh"

#include <algorithm>
#include <map>
#include <memory>

namespace crx {

namespace {

/// A cell of a launch and what runs it.
struct GpuCell
{
    Cell const* cell;
    CellEngines engines;
};

/// Bytes of arrays of an engine or bound, the most that an instance takes at a time.
std::size_t most_engine_bytes(GpuCells const& cells)
{
    std::int64_t n = 0;
    std::size_t bytes = 0;
    for (auto const* const cell : cells.cells) {
        n = std::max(n, cell->workload.requests);
        if (any_by_cohorts(*cell))
            bytes = std::max(bytes, volume_by_class_bytes(view_of(cell->workload)));
    }
    if (!all_by_cohorts(cells.first()))
        bytes = std::max(bytes, 2 * (request_bytes(n) + VolumeBound::arena_bytes(n)));
    for (std::size_t k = 0; k < cells.engines.front()->runs.size(); ++k)
        bytes = std::max(bytes, cells.run(k).law == RandomLaw::cohort
                                    ? cells.most(k, sliced_cohort_bytes)
                                    : 2 * (request_bytes(n) + sliced_bytes(cells.run(k).spec, n)));
    return bytes;
}

/// A batch without instances: what each of them takes, and as many as there is memory for.
struct BatchRoom
{
    GpuBatch batch;
    std::int64_t most = 0; ///< instances
};

BatchRoom room_for(GpuCells const& cells)
{
    BatchRoom room;
    auto& batch = room.batch;
    int baselines = 0;
    for (int b = 0; b < engine_baselines; ++b) baselines += cells.first().baseline[b] ? 1 : 0;
    for (auto const* const cell : cells.cells) {
        auto const& w = cell->workload;
        batch.most_requests = std::max(batch.most_requests, w.requests);
        if (any_by_cohorts(*cell) && w.output_kind == OutputKind::table)
            batch.classes = std::max(batch.classes, std::ssize(w.output_value));
    }
    if (writes_requests(cells.first(), *cells.engines.front()))
        batch.request_bytes = request_bytes(batch.most_requests);
    batch.slice_events = cells.first().gpu_choice.slice_events;

    auto const slot = batch.request_bytes +
                      static_cast<std::size_t>(batch.classes) * sizeof(std::int64_t) +
                      2 * sizeof(Outcome) + sizeof(std::int32_t) +
                      static_cast<std::size_t>(baselines) * sizeof(std::int64_t) +
                      DeviceTally::bytes_of_instance(baselines);
    // Two batches are under way at a time (host/sweep/backend.cc), and each leaves the other as
    // much; half is for instances, half for arrays of engines.
    auto const usable = free_device_bytes() / 10 * 4;
    batch.engine_room = usable / 2;
    auto const engine = most_engine_bytes(cells);
    room.most = static_cast<std::int64_t>(usable / 2 / slot);
    if (room.most == 0 || engine > batch.engine_room)
        throw std::runtime_error("an instance needs " + std::to_string(slot + engine) +
                                 " bytes on the device, usable are " + std::to_string(usable));
    return room;
}

LaunchSizes& launch_sizes()
{
    static LaunchSizes sizes;
    return sizes;
}

/// Instances of a launch's cells that are still to be run, those of one kind.
class PendingParts
{
  public:
    void add(std::size_t part, InstanceRange range)
    {
        if (range.count > 0) left_.push_back({part, range});
        count_ += range.count;
    }
    std::int64_t count() const { return count_; }

    struct Taken
    {
        std::size_t part;
        InstanceRange range;
    };
    /// What is next: at most so many instances, and at most so many parts.
    std::vector<Taken> next(std::int64_t most, std::size_t most_parts) const
    {
        std::vector<Taken> next;
        for (auto k = begin_; k < left_.size() && most > 0 && next.size() < most_parts; ++k) {
            auto const& [part, range] = left_[k];
            next.push_back({part, {range.first, std::min(range.count, most)}});
            most -= next.back().range.count;
        }
        return next;
    }
    void drop(std::vector<Taken> const& taken)
    {
        for (auto const& [part, range] : taken) {
            auto& left = left_[begin_].range;
            left.first += range.count;
            left.count -= range.count;
            count_ -= range.count;
            if (left.count == 0) ++begin_;
        }
    }

  private:
    std::vector<Taken> left_;
    std::size_t begin_ = 0;
    std::int64_t count_ = 0;
};

constexpr std::size_t most_cells = 1 << 14; ///< of a batch: their tables are on the GPU together

/// One launch: parts in batches of a tenth of a second each, those of one kind together.
class DeviceLaunch
{
  public:
    DeviceLaunch(std::span<LaunchPart const> parts, LaunchedParts& done)
        : parts_(parts), launched_(done.parts)
    {
        for (std::size_t k = 0; k < parts.size(); ++k) {
            auto const& cell = *parts[k].cell;
            if (auto const refusal = gpu_refusal(cell); !refusal.empty())
                throw std::runtime_error(refusal);
            if (k > 0 && parts[k - 1].cell == &cell) {
                of_part_.push_back(of_part_.back());
            } else {
                cells_.push_back(
                    std::make_unique<GpuCell>(GpuCell{&cell, CellEngines(cell, Processor::gpu)}));
                of_part_.push_back(cells_.back().get());
            }
            launched_.push_back({Tally(cell.policies.size()), 0, {}});
            kinds_[kind_of(cell, of_part_[k]->engines)].add(k, parts[k].range);
        }
    }

    /// Until all is done or the watch is over.
    void run(LaunchMonitor& watch)
    {
        for (auto& [kind, pending] : kinds_)
            while (pending.count() > 0)
                if (!run_next(kind, pending, watch)) return;
    }

  private:
    bool run_next(std::string const& kind, PendingParts& pending, LaunchMonitor& watch)
    {
        auto const begin = std::chrono::steady_clock::now();
        auto const fixed = cells_of(pending.next(1, 1)).first().gpu_choice.batch_instances;
        auto const wanted =
            std::min(pending.count(), fixed > 0 ? fixed : launch_sizes().of(kind).instances());
        auto taken = pending.next(wanted, most_cells);
        auto const room = room_for(cells_of(taken));
        taken = pending.next(std::min(wanted, room.most), most_cells);
        auto batch = room.batch;
        for (auto const& each : taken) batch.count += each.range.count;
        if (watch.next(batch.count).count == 0) return false;

        auto const cells = cells_of(taken);
        std::vector<InstanceRange> ranges;
        std::vector<Tally> tallies;
        std::vector<Tally*> to;
        for (auto const& each : taken) {
            ranges.push_back(each.range);
            tallies.emplace_back(parts_[each.part].cell->policies.size());
        }
        for (auto& tally : tallies) to.push_back(&tally);
        try {
            run_batch(cells, ranges, kind, batch, to);
        } catch (LaunchGivenUp const&) {
            return false;
        }
        for (std::size_t k = 0; k < taken.size(); ++k) {
            auto& launched = launched_[taken[k].part];
            for (std::size_t p = 0; p < tallies[k].size(); ++p)
                launched.tally[p].add(tallies[k][p]);
            launched.count += taken[k].range.count;
        }
        pending.drop(taken);
        launch_sizes().took(kind, batch.count, seconds_since(begin));
        return true;
    }

    GpuCells cells_of(std::vector<PendingParts::Taken> const& taken) const
    {
        GpuCells cells;
        for (auto const& each : taken) {
            cells.cells.push_back(of_part_[each.part]->cell);
            cells.engines.push_back(&of_part_[each.part]->engines);
        }
        return cells;
    }

    std::span<LaunchPart const> parts_;
    std::vector<Launched>& launched_;
    std::vector<std::unique_ptr<GpuCell>> cells_;
    std::vector<GpuCell const*> of_part_;
    std::map<std::string, PendingParts> kinds_;
};

} // namespace

LaunchedParts launch_device(std::span<LaunchPart const> parts, StopCondition const& stop_condition)
{
    LaunchedParts done;
    std::int64_t instances = 0;
    for (auto const& part : parts) instances += part.range.count;
    LaunchMonitor watch({0, instances}, stop_condition);
    MonitoredSlices const slices(watch);
    try {
        use_device();
        DeviceLaunch(parts, done).run(watch);
    } catch (std::exception const&) {
        done.error = std::current_exception();
    }
    return done;
}

} // namespace crx

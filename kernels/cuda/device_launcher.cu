#include "kernels/cuda/autotune.cuh"
#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_cells.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/device_tally.cuh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/cuda/launch_size.hh"
#include "kernels/cuda/slices.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace crx {

/// A cell of a launch and what runs it.
struct GpuCell
{
    Cell const* cell;
    CellEngines engines;
};

/// The cells of a batch. They are of one kind (kind_of): their runs are the same policies by the
/// same engines.
struct GpuCells
{
    std::vector<Cell const*> cells;
    std::vector<CellEngines const*> engines;

    Cell const& first() const { return *cells.front(); }
    PolicyEngines const& run(std::size_t k) const { return engines.front()->runs[k]; }
    /// The most that any cell needs: bytes(spec, workload) of the run.
    template <class Bytes>
    std::size_t most(std::size_t k, Bytes bytes) const
    {
        std::size_t most = 0;
        for (auto const* const of : engines)
            most = std::max(most, bytes(of->runs[k].spec, of->runs[k].where.workload));
        return most;
    }
};

/// How one row of the registry is launched on a GPU.
struct GpuLaunch
{
    std::string_view engine;
    int threads; ///< an instance
    /// Puts kernels into the stream that write outcome[slot]. What the engine does not take a
    /// thread or a warp runs afterwards (GpuChoice::repair).
    std::function<void(GpuBatch const&, Outcome*)> (*of)(std::size_t run, GpuCells const&);
};

namespace {

using Run = std::function<void(GpuBatch const&, Outcome*)>;

Run policy_by_threads(std::size_t run, GpuCells const& cells)
{
    return [spec = cells.run(run).spec](GpuBatch const& batch, Outcome* outcome) {
        launch_policy(spec, batch, outcome);
    };
}

Run policy_by_warps(std::size_t run, GpuCells const& cells)
{
    return [spec = cells.run(run).spec,
            repair = cells.first().gpu_choice.repair](GpuBatch const& batch, Outcome* outcome) {
        launch_by_warps(spec, batch, outcome);
        if (!repair) return;
        TimedGpuTask const timed(GpuTask::repairs);
        run_unknown(batch, outcome,
                    [&](GpuBatch const& unknown) { launch_policy(spec, unknown, outcome); });
    };
}

/// By a thread an instance, with the volume bound where `bound` is not null; what has too many ends
/// to come by a warp.
void run_small_mc_sf(DeviceMcSfBatch const& plan, GpuBatch const& batch, bool repair,
                     Outcome* outcome, std::int64_t* bound)
{
    plan.execute(batch, outcome, bound);
    if (!repair) return;
    TimedGpuTask const timed(GpuTask::repairs);
    auto const lost = run_unknown(batch, outcome, [&](GpuBatch const& unknown) {
        launch_by_warps({ShortestFirst::kind, {}}, unknown, outcome);
    });
    if (measures_gpu_times()) count_lost(batch.count, lost);
}

std::shared_ptr<DeviceMcSfBatch const> mc_sf_plan(GpuCells const& cells)
{
    std::vector<WorkloadView> workloads;
    for (auto const* const cell : cells.cells) workloads.push_back(view_of(cell->workload));
    return std::make_shared<DeviceMcSfBatch const>(workloads);
}

Run small_mc_sf(std::size_t, GpuCells const& cells)
{
    return [plan = mc_sf_plan(cells),
            repair = cells.first().gpu_choice.repair](GpuBatch const& batch, Outcome* outcome) {
        run_small_mc_sf(*plan, batch, repair, outcome, nullptr);
    };
}

Run cohorts(std::size_t run, GpuCells const& cells)
{
    return [spec = cells.run(run).spec,
            bytes = cells.most(run, sliced_cohort_bytes)](GpuBatch const& batch, Outcome* outcome) {
        launch_cohorts(spec, batch, bytes, outcome);
    };
}

Run cohort_lanes(std::size_t run, GpuCells const& cells)
{
    return
        [spec = cells.run(run).spec, all = cells.cells](GpuBatch const& batch, Outcome* outcome) {
            launch_cohort_lanes(spec, all, batch, outcome);
        };
}

} // namespace

/// One line for every row of the registry that runs on a GPU.
constexpr GpuLaunch gpu_launches[] = {
    {"requests", 1, policy_by_threads},
    {"list-schedule-warp", 32, policy_by_warps},
    {"a-min-small-warp", 32, policy_by_warps},
    {"mc-sf-batch", 1, small_mc_sf},
    {"cohorts", 1, cohorts},
    {"fixed-length-batch", 1, cohort_lanes},
    {"a-max-batch", 1, cohort_lanes},
};

namespace {

/// Null for an engine that has no launch: an error of the program, which a test finds.
GpuLaunch const* gpu_launch(Engine const& engine)
{
    auto const* const found = std::ranges::find(gpu_launches, engine.name, &GpuLaunch::engine);
    return found == std::end(gpu_launches) ? nullptr : found;
}

/// The engines among which the fastest is measured, the plainest first. The portable one is not
/// among them where another reads nothing, beside which a trial would take it long.
std::vector<Engine const*> engines_used(PolicyEngines const& run, GpuChoice const& choice)
{
    std::vector<Engine const*> all(run.chain.rbegin(), run.chain.rend());
    if (choice.compare) return all;
    if (!choice.engine.empty()) {
        auto const named = std::ranges::find(all, choice.engine, &Engine::name);
        return {named != all.end() ? *named : all.front()};
    }
    if (all.back()->reads == Reads::nothing) all.erase(all.begin());
    return all;
}

/// Whether mc-sf is made together with the volume bound, by a thread an instance.
bool with_volume(Cell const& cell, CellEngines const& engines)
{
    auto const& choice = cell.gpu_choice;
    return engines.shortest_first && wants_bound(cell) && choice.engine.empty() &&
           !choice.compare &&
           engines.runs[*engines.shortest_first].first().reads == Reads::nothing &&
           mc_sf_batch::bounds_volume(view_of(cell.workload));
}

/// Whether every batch's requests are written before anything runs: somebody reads them for sure.
bool writes_requests(Cell const& cell, CellEngines const& engines)
{
    if (all_by_cohorts(cell)) return false;
    auto const reads = [](PolicyEngines const& run) {
        return run.first().reads == Reads::requests;
    };
    return any_by_cohorts(cell) || (wants_bound(cell) && !with_volume(cell, engines)) ||
           std::ranges::any_of(engines.runs, reads);
}

/// Cells of one kind run in one batch, and by the engines that were the fastest for others of it:
/// their policies, engines and baselines are the same, and they have about as many requests.
std::string kind_of(Cell const& cell, CellEngines const& engines)
{
    std::string kind;
    for (auto const& run : engines.runs) {
        kind += policy_info(run.spec.kind).id;
        kind += run.law == RandomLaw::cohort ? " by cohorts:" : ":";
        for (auto const* const engine : run.chain) kind += " " + std::string(engine->name);
        kind += ", ";
    }
    for (auto const wanted : cell.baseline) kind += wanted ? '1' : '0';
    auto const& choice = cell.gpu_choice;
    for (auto const number :
         {std::int64_t{bit_length(static_cast<std::uint64_t>(cell.workload.requests))},
          static_cast<std::int64_t>(cell.workload.output_kind), std::int64_t{choice.compare},
          std::int64_t{choice.repair}, choice.slice_events,
          std::int64_t{with_volume(cell, engines)}})
        kind += " " + std::to_string(number);
    return kind + choice.engine;
}

/// One batch of instances on the device.
class BatchRun
{
  public:
    BatchRun(GpuCells const& cells, std::vector<InstanceRange> const& ranges,
             std::string const& kind, GpuBatch const& room)
        : cells_(cells), engines_(*cells.engines.front()), kind_(kind),
          device_cells_(cells.cells, cells.engines, ranges), batch_(room),
          slots_(static_cast<std::size_t>(room.count)), outcome_(slots_),
          shortest_first_(engines_.shortest_first ? slots_ : 0),
          counts_(slots_ * static_cast<std::size_t>(room.classes)),
          requests_(slots_ * room.request_bytes)
    {
        batch_.cells = device_cells_.data();
        batch_.cell_count = device_cells_.size();
        batch_.counts = counts_.data();
        batch_.requests = requests_.data();
        std::vector<DeviceTally::CellSlots> slots;
        for (auto const& range : ranges) slots.push_back({range.first, range.count});
        tally_.emplace(slots);
        for (int b = 0; b < engine_baselines; ++b)
            if (cell().baseline[b]) bound_[b] = DeviceArray<std::int64_t>(slots_);
    }

    /// tallies[c]: of the c-th cell.
    void add_to(std::vector<Tally*> const& tallies)
    {
        make_instances();
        compute_shortest_first();
        compute_bounds();
        for (std::size_t k = 0; k < cell().policies.size(); ++k) {
            BatchResults results{run_policy(k), {}};
            for (int b = 0; b < engine_baselines; ++b)
                if (cell().baseline[b]) results.baseline[b] = bound_[b].data();
            TimedGpuTask const timed(GpuTask::sums);
            std::vector<PolicyTally*> of_policy;
            for (auto* const tally : tallies) of_policy.push_back(&(*tally)[k]);
            tally_->add(results, of_policy);
        }
    }

  private:
    Cell const& cell() const { return cells_.first(); }
    bool requests_written() const { return batch_.request_bytes > 0; }
    std::int64_t* baseline(BaselineKind kind) { return bound_[static_cast<int>(kind)].data(); }

    /// Requests of the batch's instances, counts of them, or both, as the cells' engines need.
    void make_instances()
    {
        TimedGpuTask const timed(GpuTask::instances);
        if (requests_written()) generate_requests_of(batch_);
        if (batch_.classes == 0) return;
        all_by_cohorts(cell()) ? draw_counts_of(batch_) : count_requests_of(batch_);
    }

    /// The variant, with requests of its own where they are not written.
    Run with_requests(Run variant) const
    {
        if (requests_written()) return variant;
        return [variant](GpuBatch const& batch, Outcome* outcome) {
            run_with_requests(batch, [&](GpuBatch const& part) { variant(part, outcome); });
        };
    }

    /// outcome[slot] of the k-th run: by the engine that is the fastest, or as the cells ask.
    void execute(std::size_t k, Outcome* outcome)
    {
        std::vector<EngineVariant<Outcome>> variants;
        for (auto const* const engine : engines_used(cells_.run(k), cell().gpu_choice)) {
            auto const* const launch = gpu_launch(*engine);
            CRX_ENSURE(launch != nullptr);
            auto const variant = launch->of(k, cells_);
            variants.push_back(
                {std::string(engine->name), launch->threads,
                 engine->reads == Reads::requests ? with_requests(variant) : variant});
        }
        auto batch = batch_;
        batch.run = static_cast<std::int32_t>(k);
        run_fastest(variants, {"", cell().gpu_choice.compare}, kind_,
                    policy_info(cells_.run(k).spec.kind).id, batch, outcome);
    }

    /// mc-sf and the volume bound by the way that is the fastest: both by a thread an instance, or
    /// each by a warp.
    void execute_with_volume(Outcome* outcome, std::int64_t* bound)
    {
        auto batch = batch_;
        batch.run = static_cast<std::int32_t>(*engines_.shortest_first);
        auto const by_warps = with_requests([&](GpuBatch const& part, Outcome* to) {
            policy_by_warps(*engines_.shortest_first, cells_)(part, to);
            volume_by_warps(part, bound, true);
        });
        auto const by_threads = [plan = mc_sf_plan(cells_), bound](GpuBatch const& part,
                                                                   Outcome* to) {
            run_small_mc_sf(*plan, part, true, to, bound);
        };
        run_fastest<Outcome>({{"list-schedule-warp", 32, by_warps}, {"mc-sf-batch", 1, by_threads}},
                             {}, kind_, "mc-sf with its volume bound", batch, outcome, bound);
    }

    static void volume_by_warps(GpuBatch const& batch, std::int64_t* bound, bool repair)
    {
        bound_volume_by_warps(batch, bound);
        if (!repair) return;
        TimedGpuTask const timed(GpuTask::repairs);
        run_unknown(batch, bound, [&](GpuBatch const& unknown) { bound_volume(unknown, bound); });
    }

    void compute_shortest_first()
    {
        if (!engines_.shortest_first) return;
        TimedGpuTask const timed(GpuTask::engines);
        auto* const outcomes = shortest_first_.data();
        if (with_volume(cell(), engines_))
            execute_with_volume(outcomes, baseline(cell().wants(BaselineKind::volume)
                                                       ? BaselineKind::volume
                                                       : BaselineKind::release));
        else
            execute(*engines_.shortest_first, outcomes);
        for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
            if (cell().wants(kind)) copy_denominators(outcomes, batch_.count, baseline(kind));
    }

    void compute_bounds()
    {
        TimedGpuTask const timed(GpuTask::engines);
        if (with_volume(cell(), engines_)) {
            // With all at 0, as there, the release bound is the volume bound.
            if (cell().wants(BaselineKind::volume) && cell().wants(BaselineKind::release))
                CRX_CUDA_CHECK(
                    cudaMemcpyAsync(baseline(BaselineKind::release), baseline(BaselineKind::volume),
                                    slots_ * sizeof(std::int64_t), cudaMemcpyDeviceToDevice));
            return;
        }
        for (auto const kind : {BaselineKind::volume, BaselineKind::release}) {
            if (!cell().wants(kind)) continue;
            if (any_by_cohorts(cell())) // all at 0 here too
                bound_by_class(batch_, class_bytes(), baseline(kind));
            else if (kind == BaselineKind::volume)
                compute_volume(baseline(kind));
            else
                bound_release(batch_, baseline(kind));
        }
    }
    std::size_t class_bytes() const
    {
        std::size_t most = 0;
        for (auto const* const cell : cells_.cells)
            most = std::max(most, volume_by_class_bytes(view_of(cell->workload)));
        return most;
    }

    /// The volume bound for the requests written, by a thread or a warp, likewise.
    void compute_volume(std::int64_t* bound)
    {
        auto const& choice = cell().gpu_choice;
        std::string const name = choice.engine.empty()              ? ""
                                 : choice.engine.ends_with("-warp") ? "warp"
                                                                    : "thread";
        run_fastest<std::int64_t>(
            {{"thread", 1, bound_volume},
             {"warp", 32,
              [repair = choice.repair](GpuBatch const& part, std::int64_t* to) {
                  volume_by_warps(part, to, repair);
              }}},
            {name, choice.compare}, kind_, "volume bound", batch_, bound);
    }

    /// The outcomes of the k-th policy.
    Outcome const* run_policy(std::size_t k)
    {
        if (engines_.shortest_first == k) return shortest_first_.data();
        TimedGpuTask const timed(GpuTask::engines);
        execute(k, outcome_.data());
        return outcome_.data();
    }

    GpuCells const& cells_;
    CellEngines const& engines_; ///< of the first cell: those of the others are the same
    std::string const& kind_;
    DeviceCells device_cells_;
    GpuBatch batch_;
    std::size_t slots_;
    DeviceArray<Outcome> outcome_, shortest_first_;
    DeviceArray<std::int64_t> counts_;
    DeviceArray<char> requests_;
    DeviceArray<std::int64_t> bound_[engine_baselines];
    std::optional<DeviceTally> tally_;
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
                if (!run_batch(kind, pending, watch)) return;
    }

  private:
    bool run_batch(std::string const& kind, PendingParts& pending, LaunchMonitor& watch)
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
            BatchRun(cells, ranges, kind, batch).add_to(to);
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
        CRX_CUDA_CHECK(cudaDeviceSynchronize());
    } catch (std::exception const&) {
        done.error = std::current_exception();
    }
    return done;
}

void forget_launch_sizes() { launch_sizes().forget(); }

std::vector<std::string_view> gpu_launch_names()
{
    std::vector<std::string_view> names;
    for (auto const& launch : gpu_launches) names.push_back(launch.engine);
    return names;
}

} // namespace crx

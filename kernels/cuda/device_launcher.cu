#include "kernels/cuda/autotune.cuh"
#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/device_tally.cuh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/cuda/launch_parts.hh"
#include "kernels/cuda/slices.cuh"
#include "kernels/engines/cell.hh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <memory>
#include <optional>

namespace crx {

/// What launches need to know of a cell. Must outlive them.
struct GpuCell
{
    Cell const& cell; ///< its tables are on the host
    WorkloadView on_device;
    bool requests_written; ///< before anything runs; else an engine that reads them writes them

    bool repair() const { return cell.gpu_choice.repair; }
};

/// How one row of the registry is launched on a GPU.
struct GpuLaunch
{
    std::string_view engine;
    int threads; ///< an instance
    /// Puts kernels into the stream that write outcome[slot], and does not wait. What the engine
    /// does not take a thread runs afterwards (GpuChoice::repair).
    std::function<void(Batch const&, Outcome*)> (*of)(PolicySpec const&, GpuCell const&);
};

namespace {

using Run = std::function<void(Batch const&, Outcome*)>;

Run policy_by_threads(PolicySpec const& spec, GpuCell const&)
{
    return [spec](Batch const& batch, Outcome* outcome) { launch_policy(spec, batch, outcome); };
}

Run policy_by_warps(PolicySpec const& spec, GpuCell const& c)
{
    return [spec, repair = c.repair()](Batch const& batch, Outcome* outcome) {
        launch_by_warps(spec, batch, outcome);
        if (!repair) return;
        TimedGpuTask const timed(GpuTask::repairs);
        launch_policy(spec, batch, outcome, Slots::unknown);
    };
}

/// Re-runs, one warp an instance, those that overflowed the eight-slot buffer of DeviceMcSfBatch
/// (device_warps.cu).
void repair_shortest_first(Batch const& batch, bool requests_written, Outcome* outcome)
{
    TimedGpuTask const timed(GpuTask::repairs);
    list_lost(batch, outcome);
    if (measures_gpu_times()) {
        unsigned long long lost = 0;
        CRX_CUDA_CHECK(cudaMemcpy(&lost, batch.lost_count, sizeof lost, cudaMemcpyDeviceToHost));
        count_lost(batch.count, static_cast<std::int64_t>(lost));
    }
    if (!requests_written) generate_lost_requests(batch);
    launch_by_warps({ShortestFirst::kind, {}}, batch, outcome, Slots::lost);
}

Run small_mc_sf(PolicySpec const&, GpuCell const& c)
{
    std::shared_ptr<DeviceMcSfBatch const> const plan =
        DeviceMcSfBatch::serving(c.cell.workload, c.on_device, false);
    CRX_EXPECT(plan != nullptr);
    return [plan, repair = c.repair(), written = c.requests_written](Batch const& batch,
                                                                     Outcome* outcome) {
        plan->execute(batch.first, batch.count, outcome, nullptr);
        if (repair) repair_shortest_first(batch, written, outcome);
    };
}

Run cohorts(PolicySpec const& spec, GpuCell const&)
{
    return [spec](Batch const& batch, Outcome* outcome) { launch_cohorts(spec, batch, outcome); };
}

Run cohort_lanes(PolicySpec const& spec, GpuCell const& c)
{
    std::shared_ptr<DeviceCohortLanes const> const lanes =
        DeviceCohortLanes::serving(spec, view_of(c.cell.workload));
    CRX_EXPECT(lanes != nullptr);
    return [lanes](Batch const& batch, Outcome* outcome) { lanes->execute(batch, outcome); };
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

/// Null for an engine that has no launch: an error of the program, which a test finds.
inline GpuLaunch const* gpu_launch(Engine const& engine)
{
    auto const* const found = std::ranges::find(gpu_launches, engine.name, &GpuLaunch::engine);
    return found == std::end(gpu_launches) ? nullptr : found;
}

inline char const* id_of(PolicySpec const& spec) { return policy_info(spec.kind).id; }

/// Whether every batch's requests are written before anything runs: somebody reads them for sure.
inline bool writes_requests(Cell const& cell, CellEngines const& engines, bool bound_with_mc_sf)
{
    if (all_by_cohorts(cell)) return false;
    auto const reads = [](PolicyEngines const& run) {
        return run.first().reads == Reads::requests;
    };
    return any_by_cohorts(cell) || (wants_bound(cell) && !bound_with_mc_sf) ||
           std::ranges::any_of(engines.runs, reads);
}

/// A policy of a cell as a GPU runs it.
class GpuRun
{
  public:
    GpuRun(PolicyEngines const& run, GpuCell const& c)
        : run_(run), cell_(c.cell), engines_(used(run, c.cell.gpu_choice))
    {
        for (auto const* const engine : engines_) {
            auto const* const launch = gpu_launch(*engine);
            CRX_ENSURE(launch != nullptr);
            auto variant = launch->of(run.spec, c);
            if (engine->reads == Reads::requests && !c.requests_written)
                variant = [variant](Batch const& batch, Outcome* outcome) {
                    generate_requests_of(batch);
                    variant(batch, outcome);
                };
            variants_.push_back({launch->engine.data(), launch->threads, variant});
        }
    }

    /// outcome[slot]: by the engine that is the fastest, or as the cell asks.
    void execute(Batch const& batch, Outcome* outcome) const
    {
        auto const what =
            std::string(id_of(run_.spec)) + (run_.law == RandomLaw::cohort ? " by cohorts" : "");
        run_fastest(variants_, {"", cell_.gpu_choice.compare}, view_of(cell_.workload), what, batch,
                    outcome);
    }

  private:
    /// The engines among which the fastest is measured, the plainest first. The portable one is
    /// not among them where another reads nothing, beside which a trial would take it long.
    static std::vector<Engine const*> used(PolicyEngines const& run, GpuChoice const& choice)
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

    PolicyEngines const& run_;
    Cell const& cell_;
    std::vector<Engine const*> engines_;
    std::vector<EngineVariant<Outcome>> variants_;
};

/// bound[slot]: the volume bound for the requests written, by a thread or a warp, likewise.
inline void run_volume(Cell const& cell, Batch const& batch, std::int64_t* bound)
{
    auto const& choice = cell.gpu_choice;
    std::vector<EngineVariant<std::int64_t>> variants{
        {"thread", 1, [](Batch const& part, std::int64_t* to) { bound_volume(part, to); }},
        {"warp", 32, [repair = choice.repair](Batch const& part, std::int64_t* to) {
             bound_volume_by_warps(part, to);
             if (repair) bound_volume(part, to, Slots::unknown);
         }}};
    std::string const name = choice.engine.empty()              ? ""
                             : choice.engine.ends_with("-warp") ? "warp"
                                                                : "thread";
    run_fastest(variants, {name, choice.compare}, view_of(cell.workload), "volume bound", batch,
                bound);
}

/// What a launch runs on every batch of a cell's instances.
struct GpuRuns
{
    GpuRuns(Cell const& cell, WorkloadView const& on_device, CellEngines const& engines)
        : shortest_first(engines.shortest_first)
    {
        auto const& choice = cell.gpu_choice;
        if (shortest_first && wants_bound(cell) && choice.engine.empty() && !choice.compare &&
            engines.runs[*shortest_first].first().reads == Reads::nothing)
            with_volume = DeviceMcSfBatch::serving(cell.workload, on_device, true);
        if (with_volume && !with_volume->has_volume()) with_volume.reset();
        requests_written = writes_requests(cell, engines, with_volume != nullptr);
        for (auto const& run : engines.runs)
            runs.emplace_back(run, GpuCell{cell, on_device, requests_written});
    }

    std::vector<GpuRun> runs; ///< those of CellEngines
    std::optional<std::size_t> shortest_first;
    /// Runs mc-sf for the denominators and the volume bound with it; null: nothing does.
    std::unique_ptr<DeviceMcSfBatch> with_volume;
    bool requests_written; ///< as in GpuCell
};

/// outcome[slot] of mc-sf and bound[slot], the volume bound, by the way that is the fastest: both
/// by a thread an instance (DeviceMcSfBatch), or each by a warp.
inline void run_mc_sf_with_volume(Cell const& cell, GpuRuns const& runs, Batch const& batch,
                                  Outcome* outcome, std::int64_t* bound)
{
    auto const by_warps = [&](Batch const& part, Outcome* to) {
        if (!runs.requests_written) generate_requests_of(part);
        policy_by_warps({ShortestFirst::kind, {}}, {cell, {}, true})(part, to);
        bound_volume_by_warps(part, bound + (to - outcome));
        TimedGpuTask const timed(GpuTask::repairs);
        bound_volume(part, bound + (to - outcome), Slots::unknown);
    };
    auto const by_threads = [&](Batch const& part, Outcome* to) {
        runs.with_volume->execute(part.first, part.count, to, bound + (to - outcome));
        repair_shortest_first(part, runs.requests_written, to);
    };
    run_fastest<Outcome>({{"list-schedule-warp", 32, by_warps}, {"mc-sf-batch", 1, by_threads}}, {},
                         view_of(cell.workload), "mc-sf with its volume bound", batch, outcome);
}

/// Not inside of BatchRun: kernels are made of it.
struct DenominatorSlot
{
    Outcome const* outcome;
    std::int64_t* denominator;
    CRX_HD void operator()(std::int64_t slot) const
    {
        denominator[slot] = denominator_of(outcome[slot]);
    }
};

/// One batch of a cell's instances on the device.
class BatchRun
{
  public:
    BatchRun(Cell const& cell, GpuRuns const& runs, Batch const& batch)
        : cell_(cell), runs_(runs), batch_(batch), slots_(static_cast<std::size_t>(batch.count)),
          outcome_(slots_), shortest_first_(runs.shortest_first ? slots_ : 0)
    {
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b]) bound_[b] = DeviceArray<std::int64_t>(slots_);
    }

    void add_to(Tally& tally)
    {
        make_instances();
        compute_shortest_first();
        compute_bounds();
        for (std::size_t k = 0; k < cell_.policies.size(); ++k) {
            auto const* const outcomes = run_policy(k);
            TimedGpuTask const timed(GpuTask::sums);
            BatchResults results{outcomes, {}, batch_.first, batch_.count};
            for (int b = 0; b < baseline_kinds; ++b) results.baseline[b] = baseline(b);
            tally[k].sums.add(sum_up(results));
            for (int b = 0; b < baseline_kinds; ++b) {
                if (baseline(b) == nullptr) continue;
                DeviceArray<std::uint32_t> bins(slots_);
                launch(batch_.count, BinSlot{outcomes, baseline(b), bins.data()});
                add_histogram(bins, tally[k].histogram[b]);
            }
        }
    }

  private:
    std::int64_t* baseline(int b) { return cell_.baseline[b] ? bound_[b].data() : nullptr; }
    std::int64_t* baseline(BaselineKind kind) { return baseline(static_cast<int>(kind)); }

    /// Requests of the batch's instances, counts of them, or both, as the cell's engines need.
    void make_instances()
    {
        TimedGpuTask const timed(GpuTask::instances);
        auto const drawn = cell_.workload.output_kind == OutputKind::table;
        if (all_by_cohorts(cell_)) {
            if (drawn) draw_counts_of(batch_);
            return;
        }
        if (runs_.requests_written) generate_requests_of(batch_);
        if (drawn && any_by_cohorts(cell_)) count_requests_of(batch_);
    }

    void compute_shortest_first()
    {
        if (!runs_.shortest_first) return;
        TimedGpuTask const timed(GpuTask::engines);
        auto* const outcomes = shortest_first_.data();
        if (runs_.with_volume != nullptr) {
            auto* const bound = baseline(cell_.wants(BaselineKind::volume) ? BaselineKind::volume
                                                                           : BaselineKind::release);
            run_mc_sf_with_volume(cell_, runs_, batch_, outcomes, bound);
        } else {
            runs_.runs[*runs_.shortest_first].execute(batch_, outcomes);
        }
        for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
            if (cell_.wants(kind)) launch(batch_.count, DenominatorSlot{outcomes, baseline(kind)});
    }

    void compute_bounds()
    {
        TimedGpuTask const timed(GpuTask::engines);
        if (runs_.with_volume != nullptr) {
            // With all at 0, as there, the release bound is the volume bound.
            if (cell_.wants(BaselineKind::volume) && cell_.wants(BaselineKind::release))
                CRX_CUDA_CHECK(
                    cudaMemcpyAsync(baseline(BaselineKind::release), baseline(BaselineKind::volume),
                                    slots_ * sizeof(std::int64_t), cudaMemcpyDeviceToDevice));
            return;
        }
        for (auto const kind : {BaselineKind::volume, BaselineKind::release}) {
            if (!cell_.wants(kind)) continue;
            if (any_by_cohorts(cell_)) // all at 0 here too
                bound_by_class(batch_, baseline(kind));
            else if (kind == BaselineKind::volume)
                run_volume(cell_, batch_, baseline(kind));
            else
                bound_release(batch_, baseline(kind));
        }
    }

    /// The outcomes of the k-th policy.
    Outcome const* run_policy(std::size_t k)
    {
        if (runs_.shortest_first == k) return shortest_first_.data();
        TimedGpuTask const timed(GpuTask::engines);
        auto* const outcomes = outcome_.data();
        runs_.runs[k].execute(batch_, outcomes);
        return outcomes;
    }

    Cell const& cell_;
    GpuRuns const& runs_;
    Batch batch_;
    std::size_t slots_;
    DeviceArray<Outcome> outcome_, shortest_first_;
    DeviceArray<std::int64_t> bound_[baseline_kinds];
};

namespace {

/// The memory that a launch may take.
std::size_t usable_bytes() { return free_device_bytes() / 10 * 8; }

/// Bytes of arrays that engines and bounds take of an instance that is run request by request.
std::size_t engine_bytes_by_requests(Cell const& cell)
{
    auto const n = cell.workload.requests;
    auto bytes = std::max({VolumeBound::arena_bytes(n), sliced_bytes({}, n), warp_bytes({}, n)});
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        if (law_of(cell, k) == RandomLaw::request)
            bytes = std::max(
                {bytes, sliced_bytes(cell.policies[k], n), warp_bytes(cell.policies[k], n)});
    return cell.wants(BaselineKind::release) ? std::max(bytes, release_bytes(n)) : bytes;
}

} // namespace

Tally launch_device(Cell const& cell, InstanceRange range)
{
    use_device();
    CellEngines const chosen(cell, Processor::gpu);
    if (auto const refusal = gpu_refusal(cell); !refusal.empty()) throw std::runtime_error(refusal);

    Tally tally(cell.policies.size());
    if (range.count == 0) return tally;

    DeviceWorkload const workload(cell.workload);
    Batch batch;
    batch.workload = workload.view();
    std::size_t classes = 0;
    CohortMemory cohorts;
    if (!all_by_cohorts(cell)) {
        batch.request_bytes = request_bytes(cell.workload.requests);
        batch.engine_bytes = engine_bytes_by_requests(cell);
    }
    if (any_by_cohorts(cell)) {
        classes = cell.workload.output_value.size();
        cohorts = cohort_memory(cell, chosen);
        batch.engine_bytes = std::max(batch.engine_bytes, cohorts.bytes);
    }

    auto const slot_bytes = batch.request_bytes + classes * sizeof(std::int64_t) + 640;
    auto const usable = usable_bytes();
    auto const held = gpu_slots(usable, range.count, slot_bytes, batch.engine_bytes,
                                cohorts.compared_only ? full_gpu() : range.count);
    if (held.engines == 0)
        throw std::runtime_error("an instance needs " +
                                 std::to_string(slot_bytes + batch.engine_bytes) +
                                 " bytes on the device, usable are " + std::to_string(usable));
    auto const slots = held.slots;
    batch.engine_slots = held.engines;
    DeviceArray<char> requests(static_cast<std::size_t>(slots) * batch.request_bytes);
    DeviceArray<char> engines(static_cast<std::size_t>(held.engines) * batch.engine_bytes);
    batch.requests = requests.data();
    batch.engines = engines.data();
    DeviceArray<std::int64_t> counts(cell.workload.output_kind == OutputKind::table
                                         ? static_cast<std::size_t>(slots) * classes
                                         : 0);
    batch.counts = counts.data();
    DeviceArray<unsigned long long> counters(3);
    batch.queue = counters.data();
    batch.lost_count = counters.data() + 1;
    batch.unfinished = counters.data() + 2;
    batch.slice_events = cell.gpu_choice.slice_events;
    GpuRuns const runs(cell, workload.view(), chosen);
    DeviceArray<std::int32_t> lost(static_cast<std::size_t>(slots));
    batch.lost = lost.data();
    for (std::int64_t done = 0; done < range.count; done += slots) {
        batch.first = range.first + done;
        batch.count = std::min(slots, range.count - done);
        BatchRun(cell, runs, batch).add_to(tally);
    }
    CRX_CUDA_CHECK(cudaDeviceSynchronize());
    return tally;
}

Launched launch_device(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    LaunchMonitor watch(range, stop_condition);
    MonitoredSlices const slices(watch);
    try {
        return {launch_device(cell, range), range.count, {}};
    } catch (LaunchGivenUp const&) {
        return {Tally(cell.policies.size()), 0, {}};
    }
}

std::vector<std::string_view> gpu_launch_names()
{
    std::vector<std::string_view> names;
    for (auto const& launch : gpu_launches) names.push_back(launch.engine);
    return names;
}

} // namespace crx

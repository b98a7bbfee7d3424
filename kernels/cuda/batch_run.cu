#include "kernels/cuda/batch_run.cuh"

#include "kernels/cuda/autotune.cuh"
#include "kernels/cuda/device_cells.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/device_tally.cuh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <memory>
#include <optional>

namespace crx {

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

} // namespace

bool writes_requests(Cell const& cell, CellEngines const& engines)
{
    if (all_by_cohorts(cell)) return false;
    auto const reads = [](PolicyEngines const& run) {
        return run.first().reads == Reads::requests;
    };
    return any_by_cohorts(cell) || (wants_bound(cell) && !with_volume(cell, engines)) ||
           std::ranges::any_of(engines.runs, reads);
}

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

namespace {

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

} // namespace

void run_batch(GpuCells const& cells, std::vector<InstanceRange> const& ranges,
               std::string const& kind, GpuBatch const& room, std::vector<Tally*> const& tallies)
{
    BatchRun(cells, ranges, kind, room).add_to(tallies);
}

std::vector<std::string_view> gpu_launch_names()
{
    std::vector<std::string_view> names;
    for (auto const& launch : gpu_launches) names.push_back(launch.engine);
    return names;
}

} // namespace crx

#pragma once

#include "kernels/backends/cuda/card_launches.cuh"
#include "kernels/backends/cuda/device_tally.cuh"
#include "kernels/model/outcome.cuh"

#include <optional>

namespace crx {

/// What a launch runs on every batch of a cell's instances.
struct CardRuns
{
    CardRuns(Cell const& cell, WorkloadView const& on_device, CellEngines const& engines)
        : shortest_first(engines.shortest_first)
    {
        auto const& choice = cell.card_choice;
        if (shortest_first && wants_bound(cell) && choice.engine.empty() && !choice.compare &&
            engines.runs[*shortest_first].first().reads == Reads::nothing)
            with_volume = DeviceMcSfBatch::serving(cell.workload, on_device, true);
        if (with_volume && !with_volume->has_volume()) with_volume.reset();
        requests_written = writes_requests(cell, engines, with_volume != nullptr);
        for (auto const& run : engines.runs)
            runs.emplace_back(run, CardCell{cell, on_device, requests_written});
    }

    std::vector<CardRun> runs; ///< those of CellEngines
    std::optional<std::size_t> shortest_first;
    /// Runs mc-sf for the denominators and the volume bound with it; null: nothing does.
    std::unique_ptr<DeviceMcSfBatch> with_volume;
    bool requests_written; ///< as in CardCell
};

/// outcome[slot] of mc-sf and bound[slot], the volume bound, by the way that is the fastest: both
/// by a thread an instance (DeviceMcSfBatch), or each by a warp.
inline void run_mc_sf_with_volume(Cell const& cell, CardRuns const& runs, Batch const& batch,
                                  Outcome* outcome, std::int64_t* bound)
{
    auto const by_warps = [&](Batch const& part, Outcome* to) {
        if (!runs.requests_written) generate_requests_of(part);
        card_launches_parts::by_warps({ShortestFirst::kind, {}}, {cell, {}, true})(part, to);
        bound_volume_by_warps(part, bound + (to - outcome));
        TimedCardTask const timed(CardTask::repairs);
        bound_volume(part, bound + (to - outcome), Slots::unknown);
    };
    auto const by_threads = [&](Batch const& part, Outcome* to) {
        runs.with_volume->execute(part.first, part.count, to, bound + (to - outcome));
        card_launches_parts::repair_shortest_first(part, runs.requests_written, to);
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
    BatchRun(Cell const& cell, CardRuns const& runs, Batch const& batch)
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
            TimedCardTask const timed(CardTask::sums);
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
        TimedCardTask const timed(CardTask::instances);
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
        TimedCardTask const timed(CardTask::engines);
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
        TimedCardTask const timed(CardTask::engines);
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
        TimedCardTask const timed(CardTask::engines);
        auto* const outcomes = outcome_.data();
        runs_.runs[k].execute(batch_, outcomes);
        return outcomes;
    }

    Cell const& cell_;
    CardRuns const& runs_;
    Batch batch_;
    std::size_t slots_;
    DeviceArray<Outcome> outcome_, shortest_first_;
    DeviceArray<std::int64_t> bound_[baseline_kinds];
};

} // namespace crx

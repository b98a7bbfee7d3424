#pragma once

#include "kernels/backends/cell_engines.hh"
#include "kernels/backends/cuda/autotune.cuh"
#include "kernels/backends/cuda/device_cohort_batches.cuh"
#include "kernels/backends/cuda/device_mc_sf_batch.cuh"
#include "kernels/backends/cuda/device_requests.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <memory>

namespace crx {

/// What launches need to know of a cell. Must outlive them.
struct CardCell
{
    Cell const& cell; ///< its tables are on the host
    WorkloadView on_device;
    bool requests_written; ///< before anything runs; else an engine that reads them writes them

    bool repair() const { return cell.card_choice.repair; }
};

/// How one row of the registry is launched on a GPU.
struct CardLaunch
{
    std::string_view engine;
    int threads; ///< an instance
    /// Puts kernels into the stream that write outcome[slot], and does not wait. What the engine
    /// does not take a thread runs afterwards (CardChoice::repair).
    std::function<void(Batch const&, Outcome*)> (*of)(PolicySpec const&, CardCell const&);
};

namespace card_launches_parts {

using Run = std::function<void(Batch const&, Outcome*)>;

inline Run by_threads(PolicySpec const& spec, CardCell const&)
{
    return [spec](Batch const& batch, Outcome* outcome) { launch_policy(spec, batch, outcome); };
}

inline Run by_warps(PolicySpec const& spec, CardCell const& c)
{
    return [spec, repair = c.repair()](Batch const& batch, Outcome* outcome) {
        launch_by_warps(spec, batch, outcome);
        if (!repair) return;
        TimedCardTask const timed(CardTask::repairs);
        launch_policy(spec, batch, outcome, Slots::unknown);
    };
}

/// Runs MC-SF where DeviceMcSfBatch lost track: those instances are put together and run by warps,
/// which take them all (device_warps.cu).
inline void repair_shortest_first(Batch const& batch, bool requests_written, Outcome* outcome)
{
    TimedCardTask const timed(CardTask::repairs);
    list_lost(batch, outcome);
    if (measures_card_times()) {
        unsigned long long lost = 0;
        CRX_CUDA_CHECK(cudaMemcpy(&lost, batch.lost_count, sizeof lost, cudaMemcpyDeviceToHost));
        count_lost(batch.count, static_cast<std::int64_t>(lost));
    }
    if (!requests_written) generate_lost_requests(batch);
    launch_by_warps({ShortestFirst::kind, {}}, batch, outcome, Slots::lost);
}

inline Run small_mc_sf(PolicySpec const&, CardCell const& c)
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

inline Run cohorts(PolicySpec const& spec, CardCell const&)
{
    return [spec](Batch const& batch, Outcome* outcome) { launch_cohorts(spec, batch, outcome); };
}

inline Run cohort_lanes(PolicySpec const& spec, CardCell const& c)
{
    std::shared_ptr<DeviceCohortLanes const> const lanes =
        DeviceCohortLanes::serving(spec, view_of(c.cell.workload));
    CRX_EXPECT(lanes != nullptr);
    return [lanes](Batch const& batch, Outcome* outcome) { lanes->execute(batch, outcome); };
}

} // namespace card_launches_parts

/// One line for every row of the registry that runs on a GPU.
inline constexpr CardLaunch card_launches[] = {
    {"requests", 1, card_launches_parts::by_threads},
    {"list-schedule-warp", 32, card_launches_parts::by_warps},
    {"a-min-small-warp", 32, card_launches_parts::by_warps},
    {"mc-sf-batch", 1, card_launches_parts::small_mc_sf},
    {"cohorts", 1, card_launches_parts::cohorts},
    {"fixed-length-batch", 1, card_launches_parts::cohort_lanes},
    {"a-max-batch", 1, card_launches_parts::cohort_lanes},
};

/// Null for an engine that has no launch: an error of the program, which a test finds.
inline CardLaunch const* card_launch(Engine const& engine)
{
    auto const* const found = std::ranges::find(card_launches, engine.name, &CardLaunch::engine);
    return found == std::end(card_launches) ? nullptr : found;
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
class CardRun
{
  public:
    CardRun(PolicyEngines const& run, CardCell const& c)
        : run_(run), cell_(c.cell), engines_(used(run, c.cell.card_choice))
    {
        for (auto const* const engine : engines_) {
            auto const* const launch = card_launch(*engine);
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
        run_fastest(variants_, {"", cell_.card_choice.compare}, view_of(cell_.workload), what,
                    batch, outcome);
    }

  private:
    /// The engines among which the fastest is measured, the plainest first. The portable one is
    /// not among them where another reads nothing, beside which a trial would take it long.
    static std::vector<Engine const*> used(PolicyEngines const& run, CardChoice const& choice)
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
    auto const& choice = cell.card_choice;
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

} // namespace crx

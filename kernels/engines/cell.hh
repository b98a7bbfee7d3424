#pragma once

#include "kernels/engines/registry.hh"
#include "kernels/model/launch_monitor.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/tally.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/host_policy.hh"
#include "kernels/policies/policy_spec.cuh"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// Baselines that need solvers or searches (BaselineKind from engine_baselines on). They cost far
/// more than a run and allocate as they go, so they are made on the host only.
class HostBaselines
{
  public:
    virtual ~HostBaselines() = default;

    /// Writes value[k] for those BaselineKind k that it was made for; 0 where this instance has
    /// none. A function of the requests alone unless `stop` says true: then it may return at once
    /// with anything. Called by several threads at once. Contract: unit clock, every request fits.
    virtual void evaluate(Requests const& requests, std::function<bool()> const& stop,
                          std::int64_t* value) const = 0;

    /// All that the values depend on beside the instance, as names and values.
    virtual std::vector<std::pair<std::string, std::string>> identity() const = 0;
};

/// Which engines run on a GPU: for tests, anything but the fastest
/// (kernels/cuda/autotune.cuh).
struct GpuChoice
{
    std::string engine = {}; ///< this one where it takes a policy, else the portable one
    bool compare = false;    ///< all run every instance, and what they say is compared
    /// What an engine does not take is run by the portable one; else it stays unknown.
    bool repair = true;
    /// Events of a slice (kernels/cuda/slices.cuh); 0: as many as take long enough.
    std::int64_t slice_events = 0;
    std::int64_t batch_instances = 0; ///< of a batch, at most; 0: as many as take long enough
};

/// One point of a sweep: a workload law, the policies that meet each of its instances, and what
/// their total latency is divided by.
struct Cell
{
    Workload workload;
    std::vector<PolicySpec> policies;
    bool baseline[baseline_kinds] = {true, true}; ///< by BaselineKind
    /// Of each policy; empty: request for all. Contract: where it is cohort, the engine `cohorts`
    /// does not refuse the policy.
    std::vector<RandomLaw> laws = {};
    /// Of each policy: what runs it on the CPU; null where the engines do, empty where they run
    /// all. Contract: where there is one, the policy is mc_benchmark, its law request; where it is
    /// an OfflineOrder, all requests arrive at 0.
    std::vector<std::shared_ptr<HostPolicy const>> orders = {};
    /// Who makes the baselines past engine_baselines; null: none is asked for. Contract: unit clock
    /// and every law request.
    std::shared_ptr<HostBaselines const> host_baselines = {};
    /// Who makes the instances in place of `workload`, which then says the most of n and M; null:
    /// `workload` does. Contract: unit clock, every law request.
    std::shared_ptr<InstanceSource const> source = {};
    GpuChoice gpu_choice = {};
    MeasureChoice measures = {}; ///< of requests, kept beside the sums

    bool wants(BaselineKind kind) const { return baseline[static_cast<int>(kind)]; }
};

inline RandomLaw law_of(Cell const& cell, std::size_t policy)
{
    return cell.laws.empty() ? RandomLaw::request : cell.laws[policy];
}

/// Null where engines run the policy.
inline HostPolicy const* order_of(Cell const& cell, std::size_t policy)
{
    return cell.orders.empty() ? nullptr : cell.orders[policy].get();
}

/// Whether the volume bound is a baseline, or the release bound.
inline bool wants_bound(Cell const& cell)
{
    return cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release);
}

inline bool any_by_cohorts(Cell const& cell)
{
    return std::ranges::find(cell.laws, RandomLaw::cohort) != cell.laws.end();
}

/// Whether every policy is run by cohorts: then requests are never written down, and the counts of
/// a tabulated law are drawn as such (docs/random-choices.md).
inline bool all_by_cohorts(Cell const& cell)
{
    return !cell.laws.empty() &&
           std::ranges::find(cell.laws, RandomLaw::request) == cell.laws.end();
}

/// Instances of a cell that a launch is to run. The cell must outlive it.
struct LaunchPart
{
    Cell const* cell;
    InstanceRange range;
};

/// What a launch did of a part.
struct Launched
{
    Tally tally;
    std::int64_t count = 0; ///< instances in it: the first ones of the range
    /// Name of the engine that runs each policy on this cell and processor (PolicyEngines::name).
    std::vector<std::string> engines = {};
};

/// Of all parts, in their order; where there is an error, those behind it may lack or have nothing.
/// What was done before it stays.
struct LaunchedParts
{
    std::vector<Launched> parts;
    std::exception_ptr error = nullptr;
};

/// Runs parts one after the other on the CPU, for as long as stop_condition lasts. Parallel inside
/// (oneTBB) and safe to call from several threads; the sums do not depend on either. Where several
/// threads ran and one gave up its instance, what the others finished behind it is lost, and a
/// count may be 0.
LaunchedParts launch_host(std::span<LaunchPart const> parts, StopCondition const& stop_condition);

/// Runs parts on the chosen CUDA device, those of many cells together: the same integers as
/// launch_host. stop_condition is asked between launches of a tenth of a second and between slices
/// of long instances. `engines` is left empty. The error is a std::runtime_error where there is no
/// device, the program was built without CUDA, or no GPU takes one of a cell's policies
/// (Engine::refusal).
LaunchedParts launch_device(std::span<LaunchPart const> parts, StopCondition const& stop_condition);

/// One part alone; throws the error.
Launched launch_host(Cell const& cell, InstanceRange range, StopCondition const& stop_condition);
Tally launch_host(Cell const& cell, InstanceRange range);
Launched launch_device(Cell const& cell, InstanceRange range, StopCondition const& stop_condition);
Tally launch_device(Cell const& cell, InstanceRange range);

/// Which of the machine's CUDA devices all launches of this process use, counted from 0, which is
/// the choice at first.
void choose_device(int number);

/// The accelerator launch_device would use; `name` is empty where it would use none, and then
/// `reason` says why: none is there, or it is older than what the program is compiled for.
struct DeviceInfo
{
    std::string name;
    std::string reason;
};
DeviceInfo find_device();

/// What runs one policy of a cell on one kind of processor.
struct PolicyEngines
{
    PolicySpec spec;
    RandomLaw law;
    EngineCase where;
    std::vector<Engine const*> chain; ///< engines_for()

    /// The engine that is asked first. Contract: some row takes the policy.
    Engine const& first() const
    {
        CRX_EXPECT(!chain.empty());
        return *chain.front();
    }

    /// As a store keeps it: the engine chosen; on a GPU, where the fastest is measured, all that
    /// it is chosen from. Depends on cell and machine only.
    std::string name(Processor processor) const;
};

/// What runs a cell: its policies and the schedule that denominators are made of.
struct CellEngines
{
    CellEngines(Cell const& cell, Processor processor);

    /// Of each policy; behind them mc-sf, where it is only a denominator.
    std::vector<PolicyEngines> runs;
    /// Which of them is mc-sf for the denominators h-sf and mc-sf, if these are wanted.
    std::optional<std::size_t> shortest_first;
};

/// How a cell looks to the engines of a policy that this runs, which may be null.
EngineCase engine_case(Cell const& cell, HostPolicy const* order);

/// Why no GPU runs the cell, with the policy's name; empty: one does.
std::string gpu_refusal(Cell const& cell);

/// PolicyEngines::name of each policy of the cell.
std::vector<std::string> engine_names(Cell const& cell, Processor processor);

} // namespace crx

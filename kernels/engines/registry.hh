#pragma once

#include "kernels/base/processor.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/host_policy.hh"
#include "kernels/policies/policy_spec.cuh"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crx {

/// How random choices are made from an instance's words (docs/random-choices.md). All engines of
/// one law give the same integers; the two laws give equal distributions.
enum class RandomLaw : std::uint8_t
{
    request, ///< request by request
    cohort,  ///< requests that no policy can tell apart are counted, and counts are drawn
};

/// What an engine must know beside the policy to say whether it takes the instances of a cell. The
/// workload's tables, the source and the order must outlive it.
struct EngineCase
{
    WorkloadView workload;                  ///< says the most of n and M where there is a source
    InstanceSource const* source = nullptr; ///< makes the instances in place of the workload
    HostPolicy const* order = nullptr;      ///< orders or decides in place of the policy
    bool searched_baselines = false; ///< some baseline searches for schedules of single requests
    /// Every policy of the cell follows the cohort law: requests are never written down, and counts
    /// are drawn as such.
    bool counts_only = false;
    bool wants_volume = false;     ///< the volume bound is a baseline, or the release bound
    bool logs_requests = false;    ///< measures of requests are kept: each must be written down
    SimdLevel simd = simd_level(); ///< vectors that engines may use; none that it lacks are

    /// Why no engine that is written with vectors runs there; empty: some may.
    std::string vectors_refusal() const
    {
        return usable_level(simd) == SimdLevel::none
                   ? "the processor has no vectors of 32 bytes (AVX2)"
                   : "";
    }

    /// Whether all requests arrive at 0.
    bool at_zero() const
    {
        return source != nullptr ? source->together()
                                 : workload.arrival_kind == ArrivalKind::at_zero;
    }
};

class LazyInstances;

/// Runs one policy on instances of one workload, on one thread of the CPU, as one row of the
/// registry does it. Takes its memory when it is made and from LazyInstances::scratch(), none for
/// an instance; given-order and own-policy alone allocate for each, as those policies do.
class BatchRunner
{
  public:
    explicit BatchRunner(int instances = 1) : instances_(instances) {}
    virtual ~BatchRunner() = default;

    /// How many it takes at a time on this processor: at most Engine::instances.
    int instances() const { return instances_; }

    /// outcomes[k]: of instance range.first + k; nothing: this engine does not take that instance.
    ///
    /// A portable row follows `log`: it writes what is asked for (by cohorts on_event alone, as
    /// requests have no names there), and asks log.abort_asked now and then, after whose answer
    /// true the outcomes mean nothing. The other rows need not look at it, as their instances end
    /// within a second. Contract: 1 <= range.count <= instances(); a cell's ranges ascend.
    virtual void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                         std::optional<Outcome>* outcomes) = 0;

    /// The volume bound of the k-th instance run last, where the engine makes it on the way.
    virtual std::optional<std::int64_t> volume(std::int64_t) const { return std::nullopt; }

  private:
    int instances_;
};

/// What runs instances.
enum class Processor : std::uint8_t
{
    cpu,
    gpu,
};

/// What an engine reads of an instance.
enum class Reads : std::uint8_t
{
    requests, ///< every request, written down
    counts,   ///< how many requests have each output length
    nothing,  ///< it draws what it needs itself
};

/// One way to run policies: a row of the one table of engines. All rows of one law of randomness
/// give the same integers wherever they do not refuse, on the CPU and on a GPU.
struct Engine
{
    std::string_view name;
    std::string_view summary; ///< one line
    Processor processor = Processor::cpu;
    RandomLaw law = RandomLaw::request;
    Reads reads = Reads::requests;
    /// Takes every instance of a case that it does not refuse, one at a time, on every processor of
    /// its kind. Where it does not refuse, no other portable row of its law and processor takes the
    /// case.
    bool portable = false;
    int instances = 1; ///< the most that it takes at a time
    int least = 1;     ///< fewer at a time are faster one by one

    /// Its own part of refusal().
    std::string (*own_refusal)(PolicySpec const&, EngineCase const&) = nullptr;
    /// Estimated time of an instance; 1 is what the portable row of the request law takes. Factors
    /// were measured (kernels/engines/README.md). Contract for this and all below: no refusal.
    double (*cost)(PolicySpec const&, EngineCase const&) = nullptr;
    /// Scratch memory of a thread; null: none.
    std::size_t (*bytes)(PolicySpec const&, EngineCase const&) = nullptr;
    /// Null on a GPU, whose launches stand in kernels/cuda/batch_run.cu.
    std::unique_ptr<BatchRunner> (*make)(PolicySpec const&, EngineCase const&) = nullptr;

    std::size_t scratch_bytes(PolicySpec const& spec, EngineCase const& c) const
    {
        return bytes == nullptr ? 0 : bytes(spec, c);
    }
    /// Never null. Contract: a row of the CPU.
    std::unique_ptr<BatchRunner> make_runner(PolicySpec const& spec, EngineCase const& c) const;

    /// Why it does not take the policy there, in words; empty: it does.
    std::string refusal(PolicySpec const& spec, EngineCase const& c) const;
};

/// Every row: the CPU's, then a GPU's, the portable ones first.
std::span<Engine const* const> engines();

/// The rows of this processor and law that take the policy, the cheapest first. They end with the
/// portable one: each runs what those before it did not take. Empty where that one refuses.
std::vector<Engine const*> engines_for(Processor processor, RandomLaw law, PolicySpec const& spec,
                                       EngineCase const& c);

/// The portable row of the processor and law that is responsible for the policy: it takes it, or
/// its refusal is why none does.
Engine const& portable_engine(Processor processor, RandomLaw law, PolicySpec const& spec,
                              EngineCase const& c);

/// Whether the policy is better run under the cohort law. By the costs of the CPU's portable rows
/// alone, as results must not depend on the machine (docs/decisions/010-engine-by-cost.md).
bool prefers_cohorts(PolicySpec const& spec, EngineCase const& c);

} // namespace crx

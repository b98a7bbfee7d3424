#include "analysis/worst/cost.hh"

#include "kernels/cpu/policy_run.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/model/host_generator.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"

#include <algorithm>
#include <bit>
#include <memory>
#include <tbb/enumerable_thread_specific.h>

namespace crx::worst {
namespace {

/// A law that always gives the same instance.
class SameInstance final : public InstanceSource
{
  public:
    OwnedInstance const* instance = nullptr;
    std::int64_t requests = 0; ///< the most that there is room for
    Tokens memory = 0;
    bool at_zero = true; ///< so far; an instance with arrivals makes it false for ever

    void generate(std::uint64_t, std::uint64_t, Requests& r) const override
    {
        r.n = instance->requests();
        r.memory = instance->memory;
        std::ranges::copy(instance->arrival, r.arrival);
        std::ranges::copy(instance->prompt, r.prompt);
        std::ranges::copy(instance->output, r.output);
        std::ranges::copy(instance->lower, r.lower);
        std::ranges::copy(instance->upper, r.upper);
    }
    std::int64_t most_requests() const override { return requests; }
    Tokens most_memory() const override { return memory; }
    bool together() const override { return at_zero; }
    std::vector<std::pair<std::string, std::string>> identity() const override { return {}; }
};

/// One thread's runs of a random policy: many draws of one instance after another, by the engine
/// that a sweep would take, so side by side where one takes them so.
class DrawRuns
{
  public:
    DrawRuns(PolicySpec const& spec, std::uint64_t seed);

    /// Cost::sum: of draws 0 .. draws - 1. Contract: TEL or the makespan.
    std::optional<std::int64_t> sum(OwnedInstance const& instance, std::int64_t draws,
                                    Measure measure);

  private:
    void make_room(OwnedInstance const& instance);

    Cell cell_;
    std::shared_ptr<SameInstance> source_;
    std::optional<HostGenerator> generator_;
    std::optional<CellEngines> engines_; ///< of instances as large as cell_.workload
};

DrawRuns::DrawRuns(PolicySpec const& spec, std::uint64_t seed)
    : source_(std::make_shared<SameInstance>())
{
    cell_.workload.seed = seed;
    cell_.policies = {spec};
    for (auto& wanted : cell_.baseline) wanted = false;
    cell_.source = source_;
}

void DrawRuns::make_room(OwnedInstance const& instance)
{
    auto& source = *source_;
    source.instance = &instance;
    auto const at_zero =
        source.at_zero && std::ranges::all_of(instance.arrival, [](Instant a) { return a == 0; });
    if (engines_ && at_zero == source.at_zero && instance.requests() <= source.requests &&
        instance.memory <= source.memory)
        return;
    auto const room = [](std::int64_t least, std::int64_t so_far) {
        auto const most = static_cast<std::uint64_t>(std::max(least, so_far));
        return static_cast<std::int64_t>(std::bit_ceil(most));
    };
    source.at_zero = at_zero;
    cell_.workload.requests = source.requests = room(instance.requests(), source.requests);
    cell_.workload.memory = source.memory = room(instance.memory, source.memory);
    engines_.emplace(cell_, Processor::cpu);
    generator_.emplace(view_of(cell_.workload));
}

std::optional<std::int64_t> DrawRuns::sum(OwnedInstance const& instance, std::int64_t draws,
                                          Measure measure)
{
    CRX_EXPECT(draws >= 1 && measure != Measure::p99);
    make_room(instance);
    PolicyRun run(engines_->runs.front());
    LazyInstances instances(engine_case(cell_, nullptr), *generator_,
                            capacity_for(cell_, *engines_));
    std::int64_t total = 0;
    for (std::int64_t k = 0; k < draws; ++k) {
        auto const& outcome = run.execute(k, draws, instances, {});
        if (outcome.finished == 0) return std::nullopt;
        total += measure == Measure::makespan ? outcome.makespan : outcome.total_latency;
    }
    return total;
}

/// An engine's working memory, kept by each thread from one instance to the next.
std::vector<std::byte>& scratch(std::size_t bytes)
{
    thread_local std::vector<std::byte> memory;
    if (memory.size() < bytes) memory.resize(bytes);
    return memory;
}

std::int64_t p99_of(OwnedInstance const& instance, std::vector<Instant>& completion)
{
    for (std::size_t i = 0; i < completion.size(); ++i) completion[i] -= instance.arrival[i];
    auto const n = completion.size();
    auto const rank = static_cast<std::ptrdiff_t>((99 * n + 99) / 100 - 1);
    std::ranges::nth_element(completion, completion.begin() + rank);
    return completion[static_cast<std::size_t>(rank)];
}

/// Cost of a random policy. Each thread keeps its engines from one instance to the next.
Cost cost_of_draws(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure)
{
    using Runs = tbb::enumerable_thread_specific<DrawRuns>;
    auto const runs = std::make_shared<Runs>([=] { return DrawRuns(spec, seed); });
    return {policy_info(spec.kind).id, draws, [=](OwnedInstance const& instance) {
                return runs->local().sum(instance, draws, measure);
            }};
}

} // namespace

Cost policy_cost(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure)
{
    auto const& info = policy_info(spec.kind);
    if (info.draws_nothing) draws = 1;
    if (draws > 1 && measure != Measure::p99) return cost_of_draws(spec, seed, draws, measure);
    auto const sum = [=](OwnedInstance const& given) -> std::optional<std::int64_t> {
        auto& instance = const_cast<OwnedInstance&>(given); // engines read by mutable pointers
        auto const bytes = host_engine_bytes(spec, instance.requests());
        auto& block = scratch(bytes);
        thread_local std::vector<Instant> completion;
        ScheduleLog log;
        if (measure == Measure::p99) {
            completion.resize(instance.output.size());
            log.completion = completion.data();
        }
        std::int64_t total = 0;
        for (std::int64_t k = 0; k < draws; ++k) {
            auto const outcome = with_policy(spec, [&]<class P>(P const& policy) {
                return execute_on_host(policy, requests_of(instance), seed,
                                       static_cast<std::uint64_t>(k), block.data(), bytes, log);
            });
            if (outcome.finished == 0) return std::nullopt;
            if (measure == Measure::total_latency) total += outcome.total_latency;
            if (measure == Measure::makespan) total += outcome.makespan;
            if (measure == Measure::p99) total += p99_of(instance, completion);
        }
        return total;
    };
    return {info.id, draws, sum};
}

} // namespace crx::worst

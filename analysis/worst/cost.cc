#include "analysis/worst/cost.hh"

#include "kernels/cpu/policy_run.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/model/host_generator.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
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
    return {
        policy_info(spec.kind).id, draws,
        [=](OwnedInstance const& instance) { return runs->local().sum(instance, draws, measure); },
        true};
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
    return {info.id, draws, sum, !info.draws_nothing};
}

namespace {

constexpr auto least_chance = std::int64_t{1} << 40; ///< one in so many

/// One path through the tree of choices, and the way to the next.
class ChoicePath
{
  public:
    std::uint64_t choose(std::uint64_t k)
    {
        if (k <= 1) return 0;
        if (depth_ == steps_.size()) {
            steps_.push_back({k, 0});
            if (one_in() > least_chance) throw EndlessChoices();
        }
        CRX_EXPECT(steps_[depth_].ways == k); // the engine is a function of what was drawn
        return steps_[depth_++].taken;
    }
    bool next()
    {
        depth_ = 0;
        while (!steps_.empty() && ++steps_.back().taken == steps_.back().ways) steps_.pop_back();
        return !steps_.empty();
    }
    /// The chance of the path is one in so many.
    __int128 one_in() const
    {
        __int128 product = 1;
        for (auto const& step : steps_) product *= step.ways;
        return product;
    }

  private:
    struct Step
    {
        std::uint64_t ways, taken;
    };
    std::vector<Step> steps_;
    std::size_t depth_ = 0;
};

/// Stands in for an engine's stream of random words.
struct PathWords
{
    ChoicePath* path;

    std::uint64_t bounded(std::uint64_t k) { return path->choose(k); }
};

std::string digits_of(__int128 value)
{
    std::string digits;
    do digits += static_cast<char>('0' + static_cast<int>(value % 10));
    while ((value /= 10) != 0);
    std::ranges::reverse(digits);
    return digits;
}

std::vector<std::byte>& block_of(std::size_t bytes)
{
    thread_local std::vector<std::byte> block;
    if (block.size() < bytes) block.resize(bytes);
    return block;
}

template <class P>
std::optional<ExactFraction> mean_latency(P const& policy, Requests const& requests,
                                          std::size_t bytes)
{
    auto& block = block_of(bytes);
    ChoicePath path;
    std::map<__int128, __int128> sums; // of the latencies of paths of one chance
    std::int64_t paths = 0;
    do {
        if (++paths > most_paths) throw EndlessChoices();
        Arena arena(block.data(), bytes);
        EngineOf<P> engine(policy, requests, arena);
        auto const outcome = engine.execute(PathWords{&path}, {});
        if (outcome.finished == 0) return std::nullopt;
        sums[path.one_in()] += outcome.total_latency;
    } while (path.next());
    ExactFraction mean;
    for (auto const& [one_in, sum] : sums) mean = mean + ExactFraction{sum, one_in}.reduced();
    return mean;
}

RequestView view_of(RequestKind const& r)
{
    return {r.arrival, r.prompt, r.output, r.lower, r.upper};
}

} // namespace

std::string ExactFraction::text() const
{
    auto const lowest = reduced();
    return lowest.below == 1 ? digits_of(lowest.above)
                             : digits_of(lowest.above) + "/" + digits_of(lowest.below);
}

ExactCost exact_policy_cost(PolicySpec const& spec)
{
    ExactCost cost;
    cost.latency = [spec](OwnedInstance const& given) -> std::optional<ExactFraction> {
        auto& instance = const_cast<OwnedInstance&>(given); // engines read by mutable pointers
        auto const requests = requests_of(instance);
        auto const bytes = host_engine_bytes(spec, instance.requests());
        return with_policy(spec, [&]<class P>(P const& policy) -> std::optional<ExactFraction> {
            if constexpr (!draws_nothing<P>) {
                return mean_latency(policy, requests, bytes);
            } else {
                auto const outcome =
                    execute_on_host(policy, requests, 0, 0, block_of(bytes).data(), bytes);
                if (outcome.finished == 0) return std::nullopt;
                return ExactFraction{outcome.total_latency, 1};
            }
        });
    };
    auto const& info = policy_info(spec.kind);
    auto const draws_or_queues = [&] {
        switch (info.choice) {
        case Choice::ranked:
        case Choice::keyed: return info.random_order;
        case Choice::queued:
        case Choice::drawn: return true;
        }
        contract_violated("a choice", __FILE__, __LINE__);
    };
    if (draws_or_queues()) {
        cost.place_matters = [](RequestKind const&, RequestKind const&) { return false; };
    } else if (!info.sorted) {
        cost.place_matters = [](RequestKind const& a, RequestKind const& b) {
            return a.arrival == b.arrival;
        };
    } else {
        cost.place_matters = [spec](RequestKind const& a, RequestKind const& b) {
            return with_policy(spec, [&]<class P>(P const& policy) {
                return policy.rank_key(view_of(a)) == policy.rank_key(view_of(b));
            });
        };
    }
    return cost;
}

} // namespace crx::worst

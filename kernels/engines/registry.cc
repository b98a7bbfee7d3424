#include "kernels/engines/registry.hh"

#include "kernels/engines/rows.hh"

#include <algorithm>

namespace crx {
namespace {

/// Why no GPU takes an instance of this cell; empty: some may.
std::string gpu_refusal(EngineCase const& c)
{
    if (c.order != nullptr) return "the policy is run by itself, on the CPU";
    if (c.searched_baselines) return "baselines that search for schedules are made on the CPU";
    if (c.source != nullptr) return "instances are made on the CPU, by a source of their own";
    if (c.logs_requests) return "measures of requests are kept on the CPU";
    return {};
}

} // namespace

std::string Engine::refusal(PolicySpec const& spec, EngineCase const& c) const
{
    auto reason = processor == Processor::gpu ? gpu_refusal(c) : std::string();
    if (c.logs_requests && reason.empty() && !(portable && law == RandomLaw::request))
        reason = "measures of requests are kept, and it writes none down";
    return reason.empty() ? own_refusal(spec, c) : reason;
}

std::unique_ptr<BatchRunner> Engine::make_runner(PolicySpec const& spec, EngineCase const& c) const
{
    CRX_EXPECT(make != nullptr);
    auto runner = make(spec, c);
    CRX_ENSURE(runner != nullptr && runner->instances() <= instances);
    return runner;
}

std::span<Engine const* const> engines()
{
    // clang-format off: a line an engine; each row stands in the engine's own folder (row.cc)
    static constexpr Engine const* all[] = {
        &requests_engine,
        &given_order_engine,
        &cohorts_engine,
        &list_schedule_engine,
        &mc_sf_batch_engine,
        &a_min_small_engine,
        &fixed_length_batch_engine,
        &a_max_batch_engine,
        &a_min_batch_engine,
        &own_policy_engine,
        &gpu_requests_engine,
        &gpu_cohorts_engine,
        &list_schedule_warp_engine,
        &gpu_mc_sf_batch_engine,
        &a_min_small_warp_engine,
        &gpu_fixed_length_batch_engine,
        &gpu_a_max_batch_engine,
    };
    // clang-format on
    return all;
}

std::vector<Engine const*> engines_for(Processor processor, RandomLaw law, PolicySpec const& spec,
                                       EngineCase const& c)
{
    struct Priced
    {
        Engine const* engine;
        double cost;
    };
    std::vector<Priced> rows;
    for (auto const* const engine : engines())
        if (engine->processor == processor && engine->law == law &&
            engine->refusal(spec, c).empty())
            rows.push_back({engine, engine->cost(spec, c)});
    std::ranges::stable_sort(rows, {}, &Priced::cost);
    std::vector<Engine const*> chain;
    for (auto const& row : rows) {
        chain.push_back(row.engine);
        if (row.engine->portable) return chain;
    }
    return {};
}

Engine const& portable_engine(Processor processor, RandomLaw law, PolicySpec const& spec,
                              EngineCase const& c)
{
    Engine const* first = nullptr;
    for (auto const* const engine : engines()) {
        if (!engine->portable || engine->processor != processor || engine->law != law) continue;
        if (engine->refusal(spec, c).empty()) return *engine;
        if (first == nullptr) first = engine;
    }
    return *first;
}

bool prefers_cohorts(PolicySpec const& spec, EngineCase const& c)
{
    auto const& counted = portable_engine(Processor::cpu, RandomLaw::cohort, spec, c);
    if (!counted.refusal(spec, c).empty()) return false;
    auto const& named = portable_engine(Processor::cpu, RandomLaw::request, spec, c);
    return counted.cost(spec, c) < named.cost(spec, c);
}

} // namespace crx

#include "soak/oracle_comparison.hh"

#include "kernels/engines/cell.hh"
#include "kernels/engines/lazy_instances.hh"
#include "support/policy_parameters.hh"

#include <sstream>

namespace crx_test {

using namespace crx;

namespace {

char const* reason_of(Unfinished reason)
{
    switch (reason) {
    case Unfinished::cycle: return "cycle";
    case Unfinished::round_cap: return "round cap";
    case Unfinished::blocked: return "blocked";
    case Unfinished::out_of_range: return "out of range";
    default: return "";
    }
}

/// The outcomes of a range by one engine; none where it did not take an instance.
std::vector<std::optional<Outcome>> run_by(Engine const& engine, PolicySpec const& spec,
                                           EngineCase const& where, InstanceRange range)
{
    HostGenerator const generator(where.workload);
    LazyInstances instances(
        where, generator, {engine.instances, engine.instances, engine.scratch_bytes(spec, where)});
    auto const runner = engine.make_runner(spec, where);
    std::vector<std::optional<Outcome>> all, part(static_cast<std::size_t>(runner->instances()));
    for (std::int64_t done = 0; done < range.count;) {
        InstanceRange const next{range.first + done,
                                 std::min<std::int64_t>(range.count - done, runner->instances())};
        instances.expect(next);
        std::ranges::fill(part, std::nullopt);
        runner->execute(next, instances, {}, part.data());
        all.insert(all.end(), part.begin(), part.begin() + next.count);
        done += next.count;
    }
    return all;
}

/// Sums of what the oracle says, as a launch makes them.
struct OracleSums
{
    std::int64_t finished = 0, latency = 0, first_tokens = 0, makespan = 0, cancellations = 0,
                 wasted = 0, peak = 0;

    void add(oracle::Schedule const& one)
    {
        if (!one.finished) return;
        ++finished;
        latency += one.total_latency;
        first_tokens += one.first_token_latency;
        makespan += one.makespan;
        cancellations += one.cancellations;
        wasted += one.wasted_tokens;
        peak = std::max(peak, one.peak_memory);
    }
};

std::string difference_of_sums(OutcomeSums const& sums, OracleSums const& truth)
{
    std::ostringstream out;
    auto const compare = [&](char const* what, auto launched, std::int64_t expected) {
        if (launched != static_cast<decltype(launched)>(expected))
            out << "  sum of " << what << ": launch " << static_cast<std::int64_t>(launched)
                << ", oracle " << expected << "\n";
    };
    compare("instances", sums.count, truth.finished);
    compare("total latencies", sums.latency, truth.latency);
    compare("first tokens", sums.first_token_latency, truth.first_tokens);
    compare("makespans", sums.makespan, truth.makespan);
    compare("cancellations", sums.cancellations, truth.cancellations);
    compare("wasted tokens", sums.wasted_tokens, truth.wasted);
    compare("peaks (largest)", sums.peak_memory, truth.peak);
    return out.str();
}

/// Engines of the cohort law where requests are only counted: with each other, and with the oracle
/// where the counts are fixed and the policy draws nothing.
std::string compare_cohorts(RandomCase const& c, std::vector<PolicySpec> const& policies,
                            InstanceRange range, std::vector<OwnedInstance> const& instances,
                            Compared& compared)
{
    std::string all;
    auto where = c.of();
    where.counts_only = true;
    auto const name_of = [&](Engine const& engine, PolicySpec const& spec, std::size_t k) {
        return std::string(engine.name) + ", counts alone, " + policy_info(spec.kind).id +
               ", instance " + std::to_string(range.first + static_cast<std::int64_t>(k)) + "\n";
    };
    for (auto const& spec : policies) {
        auto const& plain = portable_engine(Processor::cpu, RandomLaw::cohort, spec, where);
        if (!plain.refusal(spec, where).empty()) continue;
        auto const reference = run_by(plain, spec, where, range);
        for (auto const* const engine : engines()) {
            if (engine->processor != Processor::cpu || engine->law != RandomLaw::cohort ||
                engine == &plain || !engine->refusal(spec, where).empty())
                continue;
            auto const outcomes = run_by(*engine, spec, where, range);
            for (std::size_t k = 0; k < outcomes.size(); ++k) {
                if (!outcomes[k]) continue;
                ++compared.by_engine[std::string(engine->name)];
                if (*outcomes[k] != *reference[k])
                    all += name_of(*engine, spec, k) + "  not as " + std::string(plain.name) + "\n";
            }
        }
        if (c.workload.output_kind != OutputKind::composition || c.source != nullptr ||
            !policy_info(spec.kind).draws_nothing)
            continue;
        for (std::size_t k = 0; k < reference.size(); ++k) {
            auto const number = range.first + static_cast<std::int64_t>(k);
            ++compared.oracle_runs;
            ++compared.by_policy[policy_info(spec.kind).id];
            ++compared.by_engine[std::string(plain.name)];
            auto const found =
                difference(*reference[k], oracle_run(spec, instances[k], c.workload.seed, number));
            if (!found.empty()) all += name_of(plain, spec, k) + found;
        }
    }
    return all;
}

} // namespace

oracle::Schedule oracle_run(PolicySpec const& spec, OwnedInstance const& instance,
                            std::uint64_t seed, std::int64_t number)
{
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        requests.push_back({instance.arrival[i], instance.prompt[i], instance.output[i],
                            instance.lower[i], instance.upper[i]});
    auto const& clock = instance.clock;
    return oracle::simulate(crx_test::oracle_policy(spec, instance.memory), requests,
                            instance.memory, seed, static_cast<std::uint64_t>(number),
                            clock.affine() ? oracle::Clock{clock.d0, clock.d1, clock.d2, clock.d3}
                                           : oracle::Clock{});
}

std::string difference(Outcome const& engine, oracle::Schedule const& truth)
{
    std::ostringstream out;
    auto const compare = [&](char const* what, std::int64_t ran, std::int64_t expected) {
        if (ran != expected)
            out << "  " << what << ": engine " << ran << ", oracle " << expected << "\n";
    };
    if (reason_of(engine.reason) != truth.reason)
        out << "  end: engine '" << reason_of(engine.reason) << "', oracle '" << truth.reason
            << "'\n";
    compare("finished", engine.finished, truth.finished);
    if (!truth.finished) return out.str();
    compare("total latency", engine.total_latency, truth.total_latency);
    compare("first tokens", engine.first_token_latency, truth.first_token_latency);
    compare("makespan", engine.makespan, truth.makespan);
    compare("peak memory", engine.peak_memory, truth.peak_memory);
    compare("cancellations", engine.cancellations, truth.cancellations);
    compare("wasted tokens", engine.wasted_tokens, truth.wasted_tokens);
    return out.str();
}

std::string compare_all(RandomCase const& c, std::vector<PolicySpec> const& policies,
                        InstanceRange range, Compared& compared)
{
    std::string all;
    auto where = c.of();
    where.counts_only = false; // the oracle sees requests
    std::vector<OwnedInstance> instances;
    for (std::int64_t k = 0; k < range.count; ++k) instances.push_back(c.instance(range.first + k));
    Cell cell;
    cell.workload = c.workload;
    std::vector<OracleSums> sums;
    for (auto const& spec : policies) {
        auto const& info = policy_info(spec.kind);
        std::vector<oracle::Schedule> truth;
        OracleSums sum;
        for (std::int64_t k = 0; k < range.count; ++k) {
            truth.push_back(oracle_run(spec, instances[static_cast<std::size_t>(k)],
                                       c.workload.seed, range.first + k));
            sum.add(truth.back());
        }
        bool compared_once = false;
        for (auto const* const engine : engines()) {
            if (engine->processor != Processor::cpu) continue;
            if (engine->law == RandomLaw::cohort && !info.draws_nothing) continue;
            if (!engine->refusal(spec, where).empty()) continue;
            auto const outcomes = run_by(*engine, spec, where, range);
            for (std::size_t k = 0; k < outcomes.size(); ++k) {
                if (!outcomes[k]) continue;
                compared_once = true;
                ++compared.by_engine[std::string(engine->name)];
                auto const found = difference(*outcomes[k], truth[k]);
                if (found.empty()) continue;
                all += std::string(engine->name) + ", " + info.id + ", instance " +
                       std::to_string(range.first + static_cast<std::int64_t>(k)) + "\n" + found;
            }
        }
        if (!compared_once) continue;
        compared.oracle_runs += range.count;
        compared.by_policy[info.id] += range.count;
        cell.policies.push_back(spec);
        sums.push_back(sum);
    }
    all += compare_cohorts(c, policies, range, instances, compared);
    if (c.source != nullptr || cell.policies.empty()) return all; // a cell would have to own it
    auto const tally = launch_host(cell, range);
    for (std::size_t p = 0; p < cell.policies.size(); ++p)
        if (auto const found = difference_of_sums(tally[p].sums, sums[p]); !found.empty())
            all += std::string("launch, ") + policy_info(cell.policies[p].kind).id + "\n" + found;
    return all;
}

} // namespace crx_test

#include "kernels/cpu/single.hh"
#include "kernels/policies/policy_info.hh"
#include "oracle/stay.hh"
#include "support/owned_instance.hh"
#include "support/policy_parameters.hh"
#include "support/random_clock.hh"
#include "support/random_instance.hh"
#include "support/shrink.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <tuple>
#include <vector>

namespace crx {

/// For GoogleTest, which else names a test by the bytes of its parameter.
void PrintTo(PolicyInfo const& info, std::ostream* out) { *out << info.id; }
namespace {

/// With parameters that go with an instance, by its number.
PolicySpec spec_of(PolicyInfo const& info, crx_test::Instance const& instance, std::int64_t number)
{
    LadderLevels levels;
    for (auto const level : instance.levels)
        levels.level[levels.count++] = static_cast<std::int32_t>(level);
    return crx_test::with_parameters(info, static_cast<std::uint64_t>(number), levels);
}

char const* reason_of(Unfinished reason)
{
    switch (reason) {
    case Unfinished::cycle: return "cycle";
    case Unfinished::round_cap: return "round cap";
    case Unfinished::blocked: return "blocked";
    default: return "";
    }
}

/// Whether the cancelled runs are the oracle's; those of cycles that `protect` passes at once lack.
bool cancelled_alike(SingleRun const& run, std::vector<oracle::Stay> const& stays, bool may_lack)
{
    std::vector<std::tuple<std::size_t, Instant, Instant>> ours, theirs;
    for (auto const& c : run.cancelled) ours.emplace_back(c.request, c.start, c.end);
    for (auto const& stay : stays)
        if (!stay.completed) theirs.emplace_back(stay.request, stay.start, stay.end);
    std::ranges::sort(ours);
    std::ranges::sort(theirs);
    return may_lack ? std::ranges::includes(theirs, ours) : ours == theirs;
}

/// Empty if engine and oracle say the same of every request.
std::string difference(PolicyInfo const& info, crx_test::Instance const& instance,
                       std::uint64_t seed, std::int64_t number, oracle::Clock const& clock = {})
{
    auto owned = crx_test::owned(instance);
    owned.clock = crx_test::program_clock(clock);
    auto const spec = spec_of(info, instance, number);
    auto const run = execute_single(spec, owned, seed, number);
    std::vector<oracle::Stay> stays;
    auto const truth = oracle::simulate_logged(crx_test::oracle_policy(spec, instance.memory),
                                               instance.requests, instance.memory, seed,
                                               static_cast<std::uint64_t>(number), stays, clock);
    if (reason_of(run.outcome.reason) != truth.reason)
        return std::string("engine: ") + reason_of(run.outcome.reason) +
               ", oracle: " + truth.reason + "\n";
    if (!truth.finished) return run.outcome.finished == 0 ? "" : "the oracle does not finish\n";
    std::ostringstream out;
    auto const compare = [&](char const* what, std::int64_t engine, std::int64_t expected) {
        if (engine != expected)
            out << what << ": engine " << engine << ", oracle " << expected << "\n";
    };
    for (std::size_t i = 0; i < instance.requests.size(); ++i) {
        auto const name = " of request " + std::to_string(i);
        compare(("start" + name).c_str(), run.start[i], truth.start[i]);
        compare(("completion" + name).c_str(), run.completion[i], truth.completion[i]);
        compare(("cancellations" + name).c_str(), run.cancellations[i], truth.cancelled[i]);
        compare(("first start" + name).c_str(), run.first_start[i], truth.first_start[i]);
        compare(("first token" + name).c_str(), run.first_token[i], truth.first_token[i]);
        compare(("first shown" + name).c_str(), run.first_shown[i], truth.first_shown[i]);
        compare(("longest gap" + name).c_str(), run.longest_gap[i], truth.longest_gap[i]);
        compare(("tokens lost" + name).c_str(), run.lost[i], truth.lost[i]);
    }
    if (!cancelled_alike(run, stays, spec.kind == Protect::kind))
        out << "cancelled runs: engine " << run.cancelled.size() << ", not those of the oracle\n";
    compare("total latency", run.outcome.total_latency, truth.total_latency);
    compare("first tokens", run.outcome.first_token_latency, truth.first_token_latency);
    compare("makespan", run.outcome.makespan, truth.makespan);
    compare("peak memory", run.outcome.peak_memory, truth.peak_memory);
    compare("cancellations", run.outcome.cancellations, truth.cancellations);
    compare("wasted tokens", run.outcome.wasted_tokens, truth.wasted_tokens);
    return out.str();
}

/// Of each policy under each clock; in three of four, requests arrive over time.
///
/// Planted: an engine that sleeps through arrivals while requests wait differs in 642 to 1,746 of
/// 30,000 instances, by policy (but for mc-benchmark and a-ell, whose queues are joined at the
/// end). One that does not wake up when the head of the queue fits differs in 4,300 to 6,400.
constexpr std::int64_t queueing_instances = 60'000;

class RequestEngineAgainstOracle : public testing::TestWithParam<PolicyInfo>
{
};

// The engine skips rounds, groups equal requests and keeps ordered sets; the oracle does none of
// it. Every request's start, completion and cancellations must be the same integers. Rerun another
// set with CRX_TEST_SEED.
TEST_P(RequestEngineAgainstOracle, EveryRequestIsServedAlike)
{
    auto const& info = GetParam();
    auto const seed = crx_test::test_seed();
    std::mt19937_64 rng(seed + static_cast<std::uint64_t>(info.kind));
    for (std::int64_t number = 0; number < queueing_instances; ++number) {
        auto const instance = crx_test::random_instance(rng);
        if (difference(info, instance, seed, number).empty()) continue;
        auto const smallest = crx_test::shrink(instance, [&](crx_test::Instance const& smaller) {
            return !difference(info, smaller, seed, number).empty();
        });
        FAIL() << info.id << ", seed " << seed << ", instance " << number << "\n"
               << difference(info, smallest, seed, number) << crx_test::describe(smallest);
    }
}

// The same under affine clocks, where arrivals fall between the beginnings of rounds.
TEST_P(RequestEngineAgainstOracle, EveryRequestIsServedAlikeUnderTheAffineClock)
{
    auto const& info = GetParam();
    auto const seed = crx_test::test_seed();
    std::mt19937_64 rng(seed + 1000 + static_cast<std::uint64_t>(info.kind));
    for (std::int64_t number = 0; number < queueing_instances; ++number) {
        auto instance = crx_test::random_instance(rng);
        auto const clock = crx_test::random_clock(rng);
        crx_test::stretch_arrivals(rng, instance, clock);
        if (difference(info, instance, seed, number, clock).empty()) continue;
        auto const smallest = crx_test::shrink(instance, [&](crx_test::Instance const& smaller) {
            return !difference(info, smaller, seed, number, clock).empty();
        });
        FAIL() << info.id << ", seed " << seed << ", instance " << number << "\n"
               << difference(info, smallest, seed, number, clock) << crx_test::describe(smallest);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, RequestEngineAgainstOracle, testing::ValuesIn(policy_table()),
                         [](auto const& tested) {
                             std::string name = tested.param.id;
                             for (auto& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

} // namespace
} // namespace crx

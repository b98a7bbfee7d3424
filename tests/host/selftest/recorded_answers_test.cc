#include "host/selftest/selftest.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/policies/policy_info.hh"
#include "support/policy_parameters.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

namespace crx {
namespace {

constexpr std::int64_t instances = 12; ///< of each case

/// What a schedule says: every request's start, completion and cancellations, then total latency,
/// times to first tokens, makespan, peak memory, cancellations and wasted tokens; of a run that
/// does not finish the reason alone.
using Answer = std::vector<std::int64_t>;

Answer engine_answer(SingleRun const& run)
{
    auto const& o = run.outcome;
    if (o.finished == 0) return {static_cast<std::int64_t>(o.reason)};
    Answer answer;
    for (std::size_t i = 0; i < run.start.size(); ++i)
        answer.insert(answer.end(), {run.start[i], run.completion[i], run.cancellations[i]});
    answer.insert(answer.end(), {o.total_latency, o.first_token_latency, o.makespan, o.peak_memory,
                                 o.cancellations, o.wasted_tokens});
    return answer;
}

Answer oracle_answer(PolicySpec const& spec, OwnedInstance const& instance, std::uint64_t seed,
                     std::int64_t number)
{
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        requests.push_back({instance.arrival[i], instance.prompt[i], instance.output[i],
                            instance.lower[i], instance.upper[i]});
    oracle::Clock const clock{instance.clock.d0, instance.clock.d1, instance.clock.d2,
                              instance.clock.d3};
    auto const truth =
        oracle::simulate(crx_test::oracle_policy(spec, instance.memory), requests, instance.memory,
                         seed, static_cast<std::uint64_t>(number), clock);
    if (!truth.finished) return {truth.reason == "cycle" ? 1 : truth.reason == "round cap" ? 2 : 3};
    Answer answer;
    for (std::size_t i = 0; i < requests.size(); ++i)
        answer.insert(answer.end(), {truth.start[i], truth.completion[i], truth.cancelled[i]});
    for (auto const value : {truth.total_latency, truth.first_token_latency, truth.makespan,
                             truth.peak_memory, truth.cancellations, truth.wasted_tokens})
        answer.push_back(value);
    return answer;
}

/// FNV-1a.
class Hash
{
  public:
    void add(Answer const& answer)
    {
        for (auto const value : answer)
            for (int byte = 0; byte < 8; ++byte) {
                value_ ^= static_cast<std::uint64_t>(value) >> (8 * byte) & 0xff;
                value_ *= 1099511628211ull;
            }
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 14695981039346656037ull;
};

/// Of each policy, the hash of the oracle's answers on all instances of all cases: what a seed
/// gives stays the same from version to version. A new policy is a new line, which the test prints.
std::map<std::string, std::uint64_t> const recorded{
    {"a-ell", 0xfa8a483d2682f384},        {"a-ladder", 0xaf8bcce5de5977ab},
    {"a-max", 0xebd8315cb97ebddc},        {"a-min", 0x711bde94dddd52f6},
    {"a-min-evict", 0x6c143fe0d933c9a6},  {"a-random", 0x3be76110ae4a5bff},
    {"clear", 0xe0af62503ca3ac8f},        {"fcfs", 0x0c69ec5e3e212775},
    {"mc-benchmark", 0xf9d5bba46683e8a9}, {"mc-sf", 0x27bc589ab4ae5ce1},
    {"mc-sf-total", 0x86e794117d1cc86b},  {"protect", 0x843277ba872b6468},
};

TEST(RecordedAnswers, AreTheEnginesAndStayTheSame)
{
    std::map<std::string, Hash> hashes;
    for (auto const& test : selftest_cases())
        for (auto const& spec : selftest_policies(test))
            for (std::int64_t number = 0; number < instances; ++number) {
                auto const instance = selftest_instance(test, number);
                auto const truth = oracle_answer(spec, instance, test.workload.seed, number);
                std::string const id = policy_info(spec.kind).id;
                EXPECT_EQ(engine_answer(execute_single(spec, instance, test.workload.seed, number)),
                          truth)
                    << test.name << ", " << id << ", instance " << number;
                hashes[id].add(truth);
            }
    std::map<std::string, std::uint64_t> found;
    std::string lines;
    for (auto const& [id, hash] : hashes) {
        found[id] = hash.value();
        lines += fmt::format("    {{\"{}\", {:#018x}}},\n", id, hash.value());
    }
    EXPECT_EQ(found, recorded) << "recorded should be\n" << lines;
}

TEST(Selftest, PassesAndCountsWhatItRan)
{
    auto const cpu = selftest_cpu();
    EXPECT_EQ(cpu.failed, 0);
    EXPECT_GE(cpu.passed, 150);
}

TEST(Selftest, ReportsAFailure)
{
    SelftestResult result;
    result.count(false, "planted");
    EXPECT_EQ(result.failed, 1);
    EXPECT_EQ(result.failures, std::vector<std::string>{"planted"});
}

} // namespace
} // namespace crx

#include "host/selftest/selftest.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/policies/policy_info.hh"
#include "support/policy_parameters.hh"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace crx {
namespace {

std::uint64_t oracle_answer(PolicySpec const& spec, OwnedInstance const& instance,
                            std::uint64_t seed, std::int64_t number)
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
    AnswerHash hash;
    if (!truth.finished) {
        hash.add(truth.reason == "cycle" ? 1 : truth.reason == "round cap" ? 2 : 3);
        return hash.value();
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        hash.add(truth.start[i]);
        hash.add(truth.completion[i]);
        hash.add(truth.cancelled[i]);
    }
    for (auto const value : {truth.total_latency, truth.first_token_latency, truth.makespan,
                             truth.peak_memory, truth.cancellations, truth.wasted_tokens})
        hash.add(value);
    return hash.value();
}

std::string as_source(std::vector<std::uint64_t> const& answers)
{
    std::string text = "// The oracle's answers; written by tests/host/selftest, never by hand.\n"
                       "#include \"host/selftest/selftest_cases.hh\"\n\nnamespace crx {\n\n"
                       "// clang-format off\n"
                       "std::vector<std::uint64_t> const& recorded_answers()\n{\n"
                       "    static std::vector<std::uint64_t> const answers{\n";
    for (std::size_t k = 0; k < answers.size(); ++k)
        text += fmt::format("{}0x{:x},{}", k % 6 == 0 ? "        " : " ", answers[k],
                            k % 6 == 5 || k + 1 == answers.size() ? "\n" : "");
    return text + "    };\n    return answers;\n}\n// clang-format on\n\n} // namespace crx\n";
}

// The recorded answers are the oracle's. If they are not, the right ones are written beside them.
TEST(RecordedAnswers, AreTheOracles)
{
    std::vector<std::uint64_t> answers;
    for (auto const& test : selftest_cases())
        for (auto const& spec : selftest_policies(test))
            for (std::int64_t number = 0; number < recorded_instances; ++number)
                answers.push_back(oracle_answer(spec, selftest_instance(test, number),
                                                test.workload.seed, number));
    if (answers == recorded_answers()) return;
    std::string const file = CRX_SOURCE_DIR "/host/selftest/recorded_answers.cc.new";
    std::ofstream(file) << as_source(answers);
    FAIL() << "the recorded answers are not the oracle's; what they should be is in " << file;
}

TEST(Selftest, PassesAndCountsWhatItRan)
{
    auto const recorded = selftest_recorded();
    EXPECT_EQ(recorded.failed, 0);
    EXPECT_GE(recorded.passed, 1800);
    auto const cpu = selftest_cpu();
    EXPECT_EQ(cpu.failed, 0);
    EXPECT_GE(cpu.passed, 150);
    auto const search = selftest_search();
    EXPECT_EQ(search.failed, 0) << (search.failures.empty() ? "" : search.failures.front());
    EXPECT_GE(search.passed, 200);
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

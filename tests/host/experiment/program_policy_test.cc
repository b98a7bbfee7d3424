#include "host/experiment/program_policy.hh"

#include "host/error.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/requests/by_key.hh"
#include "support/owned_instance.hh"
#include "support/random_clock.hh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace crx {
namespace {

ProgramPlan plan_of(std::vector<std::string> const& words, double timeout = 20)
{
    ProgramPlan plan;
    plan.command = {words, std::filesystem::path(CRX_SOURCE_DIR) / "docs/policies", timeout};
    return plan;
}

/// What is said of a program that greets, reads what it is asked first and does `script` (Python)
/// with two requests (1, 2), (3, 5) and M = 9.
std::string complaint(std::string const& script, double timeout = 20,
                      std::string const& hello = R"({"asks": "decisions", "version": "1"})")
{
    auto const program =
        "import json, os, sys, time\n"
        "def say(text): print(text, flush=True)\n"
        "sys.stdin.readline()\n"
        "say('''" +
        hello +
        "''')\n"
        "begin = sys.stdin.readline()\n" +
        (hello.find("order") == std::string::npos ? "line = sys.stdin.readline()\n" : "") + script;
    ProgramPolicy const policy(plan_of({"python3", "-c", program}, timeout));
    try {
        execute_single(policy, crx_test::known_at_0(9, {{1, 2}, {3, 5}}), 0, 0);
    } catch (RunError const& error) {
        return error.what();
    }
    return "";
}

// Whatever a program does wrong ends the run with what it did.
TEST(ProgramPolicy, MisbehaviourIsSaid)
{
    EXPECT_EQ(complaint("say('{\"start\": [1]}')\nsay('{\"start\": [0]}')\nsay('{}')\nsay('{}')\n"
                        "time.sleep(9)"),
              ""); // a good one: 1 starts, and once it is done 0
    EXPECT_EQ(complaint("sys.exit('no more')"),
              "program python3 ended with status 1\nits last words:\nno more");
    EXPECT_EQ(complaint("os.kill(os.getpid(), 9)"), "program python3 was ended by signal 9");
    EXPECT_EQ(complaint("time.sleep(60)", 0.3),
              "program python3 did not answer within 0.3 s (timeout)");
    EXPECT_EQ(complaint("while True: say('x' * 100000)"),
              "program python3 answers in round 0 with no decision: parse error at line 1, "
              "column 1: syntax error while parsing value - invalid literal; last read: 'x'\n  " +
                  std::string(200, 'x'))
        << "a flood of lines";
    EXPECT_EQ(complaint("while True: sys.stdout.write('x' * 100000)"),
              "program python3 answers with a line of more than 1048576 characters: " +
                  std::string(60, 'x') + "..")
        << "a flood without lines";
    EXPECT_EQ(complaint("say('{\"begin\": [0]}')"),
              "program python3 answers in round 0 with no decision: it has a key \"begin\"; known "
              "are start, cancel, wake\n  {\"begin\": [0]}");
    EXPECT_EQ(complaint("say('{\"start\": [0.5]}')"),
              "program python3 answers in round 0 with no decision: \"start\" has 0.5, which is no "
              "whole number\n  {\"start\": [0.5]}");
    EXPECT_EQ(
        complaint("say('{\"start\": [2]}')"),
        "program python3 breaks the rules: round 0: it starts request 2, which does not wait");
    EXPECT_EQ(
        complaint("say('{\"start\": [0, 0]}')"),
        "program python3 breaks the rules: round 0: it starts request 0, which does not wait");
    EXPECT_EQ(
        complaint("say('{\"cancel\": [0]}')"),
        "program python3 breaks the rules: round 0: it cancels request 0, which does not run");
    EXPECT_EQ(complaint("say('{\"start\": [0], \"wake\": 0}')"),
              "program python3 breaks the rules: round 0: it asks to be woken in round 0, which is "
              "past");
    EXPECT_EQ(complaint("say('{}')"),
              "program python3 breaks the rules: round 0: nothing runs, arrives or is to wake it, "
              "and 2 requests wait");
    EXPECT_EQ(complaint("", 20, "hello"),
              "program python3 does not say what it asks for: parse error at line 1, column 1: "
              "syntax error while parsing value - invalid literal; last read: 'h'\n  hello");
    EXPECT_EQ(complaint("", 20, R"({"asks": "order"})"),
              "program python3 does not say what it asks for: \"version\" must be a text, another "
              "one for each change of what the policy does\n  {\"asks\": \"order\"}");
    EXPECT_EQ(complaint("sys.stdout.buffer.write(bytes([0,0,0,0,0,0,0,0]))\nsys.stdout.flush()\n"
                        "time.sleep(9)",
                        20, R"({"asks": "order", "version": "1"})"),
              "program python3 answers with no order of 2 requests: it has twice 0");
}

TEST(ProgramPolicy, OneThatCannotBeStartedIsNamed)
{
    auto plan = plan_of({"no-such-program"});
    for (std::string const label : {"", "fast"}) {
        plan.command.policy = label; // as an experiment with several programs gives it
        ProgramPolicy const policy(plan);
        try {
            policy.identity();
            FAIL() << "it starts";
        } catch (PolicyError const& error) {
            EXPECT_EQ(error.what(), (label.empty() ? "" : "policy fast: ") +
                                        std::string("program no-such-program cannot be started: No "
                                                    "such file or directory"));
        }
    }
}

// Two of prompt 3 and 5 tokens need 16 tokens in the end, and M is 9.
TEST(ProgramPolicy, MemoryIsKept)
{
    auto const full = [](std::string const& later) {
        auto const program = "import sys\n"
                             "def say(text): print(text, flush=True)\n"
                             "sys.stdin.readline()\n"
                             "say('{\"asks\": \"decisions\", \"version\": \"1\"}')\n"
                             "sys.stdin.readline(); sys.stdin.readline()\n"
                             "say('{\"start\": [0, 1]}'); sys.stdin.readline()\n" +
                             later;
        ProgramPolicy const policy(plan_of({"python3", "-c", program}));
        try {
            execute_single(policy, crx_test::known_at_0(9, {{3, 5}, {3, 5}, {8, 1}}), 0, 0);
        } catch (RunError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(
        full("say('{}')"),
        "program python3 breaks the rules: round 1: memory overflows by 1 tokens, and too few "
        "requests were cancelled");
    EXPECT_EQ(
        full("say('{\"cancel\": [1], \"start\": [2]}')"),
        "program python3 breaks the rules: round 1: it starts request 2, which needs 9 tokens, "
        "and 4 are free");
}

// A policy cannot read what it must not know: the field is not in the line.
TEST(ProgramPolicy, WhatItMustNotKnowIsNotSent)
{
    auto const prints = "import json, sys\n"
                        "sys.stdin.readline()\n"
                        "print('{\"asks\": \"decisions\", \"version\": \"1\"}', flush=True)\n"
                        "sys.stdin.readline()\n"
                        "sys.exit(sys.stdin.readline())\n";
    auto instance = crx_test::known_at_0(9, {{1, 2}});
    instance.upper = {7};
    for (bool const knows : {false, true}) {
        auto plan = plan_of({"python3", "-c", prints});
        plan.knows_lengths = knows;
        ProgramPolicy const policy(plan);
        try {
            execute_single(policy, instance, 0, 0);
            FAIL() << "it ends";
        } catch (RunError const& error) {
            auto const request = std::string("{\"id\":0,\"arrival\":0,\"prompt\":1,\"lower\":2,"
                                             "\"upper\":7") +
                                 (knows ? ",\"output\":2" : "");
            EXPECT_EQ(error.what(),
                      "program python3 ended with status 1\nits last words:\n"
                      "{\"round\":0,\"time\":0,\"memory\":9,\"free\":9,\"overflow\":false,"
                      "\"completed\":[],\"arrived\":[" +
                          request + "}],\"waiting\":[" + request +
                          ",\"generated\":0,\"cancelled\":0}],\"active\":[]}");
        }
    }
}

/// Empty where the program does with the instance what the oracle's `protect` does.
void expect_protect(ProgramPolicy const& policy, crx_test::Instance const& instance,
                    oracle::Clock const& clock)
{
    oracle::Policy rule{"protect"};
    auto const truth = oracle::simulate(rule, instance.requests, instance.memory, 0, 0, clock);
    if (!truth.finished) return; // 10 M rounds of lines would be written
    auto owned = crx_test::owned(instance);
    owned.clock = crx_test::program_clock(clock);
    auto const run = execute_single(policy, owned, 0, 0);
    ASSERT_EQ(run.outcome.total_latency, truth.total_latency) << crx_test::describe(instance);
    ASSERT_EQ(run.outcome.first_token_latency, truth.first_token_latency);
    ASSERT_EQ(run.outcome.peak_memory, truth.peak_memory);
    ASSERT_EQ(run.outcome.wasted_tokens, truth.wasted_tokens);
    for (std::size_t i = 0; i < instance.requests.size(); ++i) {
        ASSERT_EQ(run.start[i], truth.start[i]);
        ASSERT_EQ(run.completion[i], truth.completion[i]);
        ASSERT_EQ(run.cancellations[i], truth.cancelled[i]);
        ASSERT_EQ(run.first_start[i], truth.first_start[i]);
        ASSERT_EQ(run.first_token[i], truth.first_token[i]);
        ASSERT_EQ(run.first_shown[i], truth.first_shown[i]);
        ASSERT_EQ(run.longest_gap[i], truth.longest_gap[i]);
        ASSERT_EQ(run.lost[i], truth.lost[i]);
    }
}

// The examples of docs/policies in Python and Perl, under both clocks.
TEST(ProgramPolicy, ExamplesDoWhatTheOracleDoes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    ProgramPolicy const python(plan_of({"python3", "protect.py"}));
    ProgramPolicy const perl(plan_of({"perl", "protect.pl"}));
    for (int number = 0; number < 300; ++number) {
        auto instance = crx_test::random_instance(rng);
        oracle::Clock clock;
        if (number % 2 == 1) {
            clock = crx_test::random_clock(rng);
            crx_test::stretch_arrivals(rng, instance, clock);
        }
        expect_protect(python, instance, clock);
        if (number % 10 < 2) expect_protect(perl, instance, clock);
        if (testing::Test::HasFatalFailure()) FAIL() << "instance " << number;
    }
}

// By orders of whole instances: the volumes of docs/policies are those of the key.
TEST(ProgramPolicy, AnOrderIsServedAsItsKeyIs)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (bool const knows : {true, false}) {
        auto plan = plan_of({"python3", "volume.py"});
        plan.knows_lengths = knows;
        ProgramPolicy const program(plan);
        std::string const o = knows ? "output" : "upper";
        ByKey const by_key(KeyExpression(fmt::format("prompt * {0} + {0} * ({0} + 1) / 2", o)),
                           KeyExpression(o), OnOverflow::none);
        for (int number = 0; number < 200; ++number) {
            auto instance = crx_test::random_instance(rng);
            std::ranges::sort(instance.requests, {}, &oracle::Request::arrival);
            auto const owned = crx_test::owned(instance);
            auto const a = execute_single(program, owned, 0, 0);
            auto const b = execute_single(by_key, owned, 0, 0);
            ASSERT_EQ(a.outcome, b.outcome) << crx_test::describe(instance);
            ASSERT_EQ(a.completion, b.completion);
        }
    }
}

TEST(ProgramPolicy, IsToldApartByItsFileAndVersion)
{
    auto const names = ProgramPolicy(plan_of({"python3", "protect.py"})).identity();
    ASSERT_EQ(names.size(), 5u);
    EXPECT_EQ(names[1].second, "[\"python3\",\"protect.py\"]");
    EXPECT_EQ(names[3], (std::pair<std::string, std::string>("version", "1")));
    EXPECT_EQ(names[4].first, "hash of protect.py");
    EXPECT_NE(names[4].second,
              ProgramPolicy(plan_of({"python3", "volume.py"})).identity()[4].second);
}

} // namespace
} // namespace crx

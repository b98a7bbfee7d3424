// docs/findings/counterexamples: each file breaks the statement that it is named for, by the
// oracle.
#include "host/input/trace.hh"
#include "oracle/oracle.hh"
#include "oracle/rules.hh"
#include "oracle/sorted_f.hh"
#include "oracle/words.hh"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace crx {
namespace {

using Instance = std::vector<oracle::Request>;

Instance file(std::string const& name)
{
    Instance requests;
    for (auto const& r :
         read_trace(CRX_SOURCE_DIR "/docs/findings/counterexamples/" + name + ".csv").requests)
        requests.push_back({r.arrival, r.prompt, r.output, r.lower, r.upper});
    return requests;
}

std::int64_t latency(char const* policy, Instance const& requests, std::int64_t memory)
{
    return oracle::simulate({policy}, requests, memory, 1, 0).total_latency;
}

/// A mean, by its sum and how many it is of.
struct Mean
{
    std::int64_t sum = 0, of = 0;
};
/// Of a policy that draws one order and nothing else: over all orders, each of which some number of
/// an instance draws.
Mean mean_latency(char const* policy, oracle::Rule rule, Instance const& requests,
                  std::int64_t memory)
{
    std::int64_t orders = 1;
    for (std::size_t k = 2; k <= requests.size(); ++k) orders *= static_cast<std::int64_t>(k);
    std::map<std::vector<std::size_t>, std::int64_t> latencies;
    for (std::uint64_t number = 0; std::ssize(latencies) < orders; ++number) {
        oracle::WordStream words(1, number, 16 + static_cast<std::uint32_t>(rule));
        latencies[words.permutation(requests.size())] =
            oracle::simulate({policy}, requests, memory, 1, number).total_latency;
    }
    Mean mean{0, orders};
    for (auto const& [order, total] : latencies) mean.sum += total;
    return mean;
}

/// a.sum / (a.of * a_hsf) over the same of b, as a sign.
bool larger(Mean a, std::int64_t a_hsf, Mean b, std::int64_t b_hsf)
{
    return a.sum * b.of * b_hsf > b.sum * a.of * a_hsf;
}

/// The ratio to H-SF of the file's outputs is larger than that of any outputs that are l or u each.
void expect_worse_than_ends(std::string const& name, char const* policy, oracle::Rule rule,
                            std::int64_t memory, Mean mean, std::int64_t shortest_first)
{
    auto requests = file(name);
    auto const here = mean_latency(policy, rule, requests, memory);
    auto const here_shortest = latency("mc-sf", requests, memory);
    EXPECT_EQ(here.sum, mean.sum);
    EXPECT_EQ(here.of, mean.of);
    EXPECT_EQ(here_shortest, shortest_first);
    for (unsigned ends = 0; ends < 1u << requests.size(); ++ends) {
        for (std::size_t i = 0; i < requests.size(); ++i)
            requests[i].output = (ends >> i & 1) != 0 ? requests[i].upper : requests[i].lower;
        EXPECT_TRUE(larger(here, here_shortest, mean_latency(policy, rule, requests, memory),
                           latency("mc-sf", requests, memory)))
            << name << ", ends " << ends;
    }
}

// Both at once, or, with three quarters of the memory, one after the other: neither can start
// sooner. 3 > 2 / (3/4).
TEST(CounterexampleFiles, ChenProposition84)
{
    auto const requests = file("chen_proposition_8_4");
    EXPECT_EQ(latency("mc-sf", requests, 4), 2);
    EXPECT_EQ(latency("mc-sf", requests, 3), 3);
}

// Also when all is k times as long, and for any number of requests: the ratio tends to 2.
TEST(CounterexampleFiles, ChenProposition84AtAnyScale)
{
    for (std::int64_t const k : {1, 7, 50})
        for (std::int64_t const n : {2, 10, 100}) {
            Instance const requests(static_cast<std::size_t>(n), {0, k, k, k, k});
            auto const whole = latency("mc-sf", requests, 4 * k);
            auto const less = latency("mc-sf", requests, 3 * k);
            EXPECT_EQ(whole, k * n * (n + 2) / 4);
            EXPECT_EQ(less, k * n * (n + 1) / 2);
            EXPECT_GT(3 * less, 4 * whole);
        }
}

TEST(CounterexampleFiles, ChenLemma88)
{
    auto const requests = file("chen_lemma_8_8"); // l / u = 1/2
    auto const most = mean_latency("a-max", oracle::Rule::a_max, requests, 14);
    auto const random = mean_latency("a-random", oracle::Rule::a_random, requests, 7);
    EXPECT_EQ(most.sum, 12 * most.of);
    EXPECT_EQ(random.sum, 11 * random.of);
}

TEST(CounterexampleFiles, ChenEquation12)
{
    auto const requests = file("chen_equation_12"); // l / u = 3/4
    auto const whole = mean_latency("a-random", oracle::Rule::a_random, requests, 12);
    auto const less = mean_latency("a-random", oracle::Rule::a_random, requests, 9);
    EXPECT_EQ(whole.sum, 6 * whole.of);
    EXPECT_EQ(less.sum, 9 * less.of);
    EXPECT_GT(3 * less.sum, 4 * whole.sum); // the means are of as many orders
}

// Two requests (0, 5). That [1, 5] holds [1, 3] and [4, 5] and both lie in the latter is no help to
// A_min, in either reading and whatever it draws.
TEST(CounterexampleFiles, ChenCorollary410)
{
    for (char const* const policy : {"a-min", "a-min-evict"})
        for (std::uint64_t number = 0; number < 200; ++number) {
            auto const total = [&](char const* name) {
                return oracle::simulate({policy}, file(name), 7, 1, number).total_latency;
            };
            EXPECT_EQ(total("chen_corollary_4_10_one"), 13);
            EXPECT_GE(total("chen_corollary_4_10_two"), 14);
        }
}

TEST(CounterexampleFiles, ChenTheorem86)
{
    using oracle::Rule;
    expect_worse_than_ends("chen_theorem_8_6_a_ell", "a-ell", Rule::a_ell, 8, {90, 6}, 7);
    expect_worse_than_ends("chen_theorem_8_6_a_random", "a-random", Rule::a_random, 5, {17, 2}, 7);
    expect_worse_than_ends("chen_theorem_8_6_a_max", "a-max", Rule::a_max, 5, {72, 6}, 7);
}

TEST(CounterexampleFiles, ShortestFirstIsBeaten)
{
    auto const requests = file("h_sf_beaten");
    EXPECT_EQ(latency("mc-sf", requests, 5), 13);
    EXPECT_EQ(latency("mc-benchmark", requests, 5), 12);
}

// WANG's approximations of Sorted-F: four long requests, or three, start ahead of the short ones.
TEST(CounterexampleFiles, WangSelectors)
{
    auto const sorted_f = [](char const* selector, Instance const& requests, std::int64_t memory) {
        return oracle::simulate_sorted_f({selector}, requests, memory, 1, 0).total_latency;
    };
    EXPECT_EQ(sorted_f("swap", file("wang_swap"), 80), 70);
    EXPECT_EQ(latency("mc-sf", file("wang_swap"), 80), 45);
    EXPECT_EQ(sorted_f("quantile", file("wang_quantile"), 354), 72);
    EXPECT_EQ(latency("mc-sf", file("wang_quantile"), 354), 48);
}

// CHEN's example 8.2: the start times that the paper calls optimal, of total latency 12.
TEST(CounterexampleFiles, ChenExample82)
{
    Instance const requests{{0, 1, 1, 1, 1}, {0, 1, 2, 2, 2}, {0, 1, 3, 3, 3}, {0, 1, 4, 4, 4}};
    auto const schedule = oracle::simulate({"mc-sf"}, requests, 7, 1, 0);
    EXPECT_EQ(schedule.start, (std::vector<std::int64_t>{0, 0, 0, 2}));
    EXPECT_EQ(schedule.total_latency, 12);
}

// JAILLET, A.2: two of (0, 2) do not fit in M = 3 at their peaks, and overlap.
TEST(CounterexampleFiles, GrowingRequestsOverlap)
{
    auto const schedule = oracle::simulate({"mc-sf"}, {{0, 0, 2, 2, 2}, {0, 0, 2, 2, 2}}, 3, 1, 0);
    EXPECT_EQ(schedule.start, (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(schedule.peak_memory, 3);
}

} // namespace
} // namespace crx

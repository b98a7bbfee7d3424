// Cases worked by hand, so that the oracle itself is tested. Memory is written A3 + B2 = 5: A holds
// 3 tokens and B 2 at that time.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/oracle.hh"
#include "oracle/words.hh"

namespace {

using oracle::Request;
using oracle::Schedule;
using oracle::WordStream;
using Numbers = std::vector<std::int64_t>;

constexpr std::uint64_t seed = 5, instance = 9; // of no consequence unless a test says so

Schedule simulate(char const* id, std::vector<Request> const& requests, std::int64_t memory,
                  Numbers const& levels = {})
{
    return oracle::simulate({id, levels}, requests, memory, seed, instance);
}

/// cancellations, wasted tokens, peak memory, makespan
Numbers tallies(Schedule const& s)
{
    return {s.cancellations, s.wasted_tokens, s.peak_memory, s.makespan};
}

TEST(Oracle, NoRequestsNoSchedule)
{
    Schedule const s = simulate("a-min", {}, 4);
    EXPECT_TRUE(s.finished);
    EXPECT_EQ(s.total_latency, 0);
    EXPECT_EQ(tallies(s), (Numbers{0, 0, 0, 0}));
}

// The long prompt goes first, alone: 64 tokens; then all 21 from round 1, done at 3: 1 + 21 x 3.
TEST(Oracle, WangExample1)
{
    std::vector<Request> requests(21, Request{0, 1, 2, 2, 2});
    requests.push_back({0, 63, 1, 1, 1});
    Schedule const s = simulate("mc-sf", requests, 64);
    EXPECT_EQ(s.total_latency, 64);
    EXPECT_EQ(tallies(s), (Numbers{0, 0, 64, 3}));
}

// Known lengths: all five at once, 5 x 2 tokens. Planned with u = 4: two at a time, 2 x 5 tokens.
TEST(Oracle, ChenExample32)
{
    std::vector<Request> const requests(5, Request{0, 1, 1, 1, 4});
    EXPECT_EQ(simulate("mc-sf", requests, 10).total_latency, 5);
    EXPECT_EQ(simulate("a-max", requests, 10).total_latency, 9);
}

// A (s 3, o 1), B (s 0, o 3), C (s 0, o 2), M 4; C arrives at 1. A4 or B3 or C2 alone at their
// ends.  mc-sf: A in 0; round 1: C, then B (C2 + B2 = 4 at 3, B3 at 4); A 1, C 3, B 4.
// mc-sf-total: B (total 3) in 0; beside it C: C2 + B3 = 5 at 3: not in 1; in 2 C1 + B3 = 4 at 3,
// C2 at 4. A waits for both: in 4. B 3, C 4, A 5.
// mc-benchmark: A in 0 (B beside it: A4 + B1 = 5 at 1); round 1: B, then C (B2 + C2 = 4 at 3).
TEST(Oracle, KnownLengthsInThreeOrders)
{
    std::vector<Request> const requests{{0, 3, 1, 1, 1}, {0, 0, 3, 3, 3}, {1, 0, 2, 2, 2}};
    EXPECT_EQ(simulate("mc-sf", requests, 4).start, (Numbers{0, 1, 1}));
    EXPECT_EQ(simulate("mc-sf", requests, 4).total_latency, 1 + 4 + 2);
    EXPECT_EQ(simulate("mc-sf-total", requests, 4).start, (Numbers{4, 0, 2}));
    EXPECT_EQ(simulate("mc-sf-total", requests, 4).total_latency, 5 + 3 + 3);
    EXPECT_EQ(simulate("mc-benchmark", requests, 4).start, (Numbers{0, 1, 1}));
    EXPECT_EQ(tallies(simulate("mc-benchmark", requests, 4)), (Numbers{0, 0, 4, 4}));
}

// A (u 3, o 1) and B (u 4, o 4), s 0, M 4: A first. B in round 0 is checked at 3: A3 + B3 = 6. In
// round 1 A is gone, two rounds before it was planned to be.
TEST(Oracle, AMaxPlansWithUpperBoundsAndFreesAtTheTrueEnd)
{
    Schedule const s = simulate("a-max", {{0, 0, 4, 1, 4}, {0, 0, 1, 1, 3}}, 4);
    EXPECT_EQ(s.start, (Numbers{1, 0}));
    EXPECT_EQ(s.total_latency, 6);
}

// A (o 3, l 1) and B (o 3, l 3), s 0, M 4. Round 0: A (A1), B (A1 + B1 at 1, B3 at 3). Round 2
// would need A3 + B3 = 6: A has the least e = 1 and goes with 2 tokens lost, e = 2. It fits again
// at once: A1 + B3 = 4 at 3, A2 at 4; done at 5.
char const* const both_readings[] = {"a-min", "a-min-evict"};

TEST(Oracle, AMinCancelsTheLeastLowerBound)
{
    for (char const* id : both_readings) {
        Schedule const s = simulate(id, {{0, 0, 3, 1, 3}, {0, 0, 3, 3, 3}}, 4);
        EXPECT_EQ(s.start, (Numbers{2, 0})) << id;
        EXPECT_EQ(s.total_latency, 8) << id;
        EXPECT_EQ(s.cancelled, (Numbers{1, 0})) << id;
        EXPECT_EQ(tallies(s), (Numbers{1, 2, 4, 5})) << id;
    }
}

// A (o 5, l 3), B (o 2, l 2) and five D (o 3, l 3) arriving at 3, s 0, M 16. Round 3: all fit, as A
// counts for 4 at most. Round 4 would need A5 + B2 + D10 = 17: B has the least e and goes with one
// token; e stays 2, not 1. So it is not let in again at once: A5 + B1 + D10 = 16 at 5 would do, but
// B2 + D15 = 17 at 6 would not. Round 5: A has ended; B1 + D15 at 6, B2 at 7.
TEST(Oracle, ACancelledRequestNeverLowersItsBound)
{
    std::vector<Request> requests(7, Request{3, 0, 3, 3, 3});
    requests[0] = {0, 0, 5, 3, 5};
    requests[1] = {3, 0, 2, 2, 2};
    for (char const* id : both_readings) {
        Schedule const s = simulate(id, requests, 16);
        EXPECT_EQ(s.start, (Numbers{0, 5, 3, 3, 3, 3, 3})) << id;
        EXPECT_EQ(s.total_latency, 5 + 4 + 5 * 3) << id;
        EXPECT_EQ(tallies(s), (Numbers{1, 1, 16, 7})) << id;
    }
}

// Two with o 2, l 1, s 0, M 2: both start; round 1 would need 2 + 2: one goes, whichever, with one
// token lost and e still 1. Beside the other (2 at time 2) it does not fit; it runs 2 to 4.
TEST(Oracle, AMinCountsAnOutlivedRequestAtOneTokenMore)
{
    Schedule const s = simulate("a-min", {{0, 0, 2, 1, 2}, {0, 0, 2, 1, 2}}, 2);
    EXPECT_EQ(s.total_latency, 6);
    EXPECT_EQ(tallies(s), (Numbers{1, 1, 2, 4}));
}

// A (s 1, o 3, l 1), B (s 1, o 2, l 2, arrives at 1), M 4. Round 1: A has outlived e = 1.
// a-min: A3 + B2 = 5 at 2; round 2: A4 alone; B runs 3 to 5. Latencies 3 and 4.
// a-min-evict: A weighs nothing, B3 at 3 fits; then A3 + B2 = 5 > 4, and A has the least e: it goes
// with one token. Round 2: e = 1, A2 + B3 = 5 at 3. A runs 3 to 6. Latencies 6 and 2.
TEST(Oracle, TheTwoReadingsDifferWhenARequestOutlivesItsBound)
{
    std::vector<Request> const requests{{0, 1, 3, 1, 3}, {1, 1, 2, 2, 2}};
    Schedule const counted = simulate("a-min", requests, 4);
    EXPECT_EQ(counted.start, (Numbers{0, 3}));
    EXPECT_EQ(counted.total_latency, 7);
    EXPECT_EQ(tallies(counted), (Numbers{0, 0, 4, 5}));
    Schedule const weightless = simulate("a-min-evict", requests, 4);
    EXPECT_EQ(weightless.start, (Numbers{3, 1}));
    EXPECT_EQ(weightless.total_latency, 8);
    EXPECT_EQ(tallies(weightless), (Numbers{1, 1, 4, 6}));
}

// A (s 1, o 4, l 2), B (s 1, o 1, l 1, arrives at 3), M 5. Round 3: A weighs nothing, B2 fits; then
// A5 + B2 = 7, and B has the least e: it goes with no token. A ends at 4, B runs 4 to 5.
TEST(Oracle, AMinEvictCancelsWhatItHasJustAdmitted)
{
    Schedule const s = simulate("a-min-evict", {{0, 1, 4, 2, 4}, {3, 1, 1, 1, 1}}, 5);
    EXPECT_EQ(s.start, (Numbers{0, 4}));
    EXPECT_EQ(s.cancelled, (Numbers{0, 1}));
    EXPECT_EQ(s.total_latency, 6);
    EXPECT_EQ(tallies(s), (Numbers{1, 0, 5, 5}));
}

// A (s 4), B (s 0), C (s 4), all o = l = 1, M 6: A5 + B1 = 6 fits, A5 + C5 does not. The draws
// are followed by hand. B first: A or C beside it by a draw, the last one in round 1, alone. A or
// C first: of {B, the other} one is drawn; B goes in, the other one stops the round, its word
// used. Then B and the other go in together in round 1.
TEST(Oracle, AdmissionDrawnAfreshStopsAtADrawnMisfit)
{
    std::vector<Request> const requests{{0, 4, 1, 1, 1}, {0, 0, 1, 1, 1}, {0, 4, 1, 1, 1}};
    int stopped = 0;
    for (std::uint64_t run = 0; run < 60; ++run) {
        WordStream words(seed, run, 16 + 5);
        std::uint64_t const first = words.bounded(3), second = words.bounded(2);
        Numbers start{1, 1, 1};
        start[first] = 0;
        if (first == 1) start[second == 0 ? 0 : 2] = 0;
        bool const second_is_b = second == (first == 0 ? 0u : 1u);
        if (first != 1 && second_is_b) start[1] = 0;
        stopped += first != 1 && !second_is_b;
        EXPECT_EQ(oracle::simulate({"a-min", {}}, requests, 6, seed, run).start, start) << run;
    }
    EXPECT_GT(stopped, 0);
}

// Three with o = l = 1, M 1: one a round. A round draws among those left, and nothing more once
// nobody fits; the last needs no word.
TEST(Oracle, NoWordIsUsedWhenNobodyFits)
{
    for (std::uint64_t run = 0; run < 60; ++run) {
        WordStream words(seed, run, 16 + 5);
        std::vector<std::size_t> left{0, 1, 2};
        Numbers start(3);
        for (std::int64_t round = 0; round < 3; ++round) {
            auto const drawn =
                left.begin() + static_cast<std::ptrdiff_t>(words.bounded(left.size()));
            start[*drawn] = round;
            left.erase(drawn);
        }
        std::vector<Request> const requests(3, Request{0, 0, 1, 1, 1});
        EXPECT_EQ(oracle::simulate({"a-min", {}}, requests, 1, seed, run).start, start) << run;
    }
}

// Four with o = u = 1, s 0, M 1: one a round, in the order of the policy's own permutation.
TEST(Oracle, PermutationsComeFromThePolicysOwnStream)
{
    struct Case
    {
        char const* id;
        std::uint32_t stream;
    };
    for (Case const& c : {Case{"a-random", 16 + 3}, Case{"a-max", 16 + 4}, Case{"a-ell", 16 + 7}})
        for (std::uint64_t run = 0; run < 60; ++run) {
            auto const order = WordStream(seed, run, c.stream).permutation(4);
            std::vector<Request> const requests(4, Request{0, 0, 1, 1, 1});
            auto const s = oracle::simulate({c.id, {}}, requests, 1, seed, run);
            for (std::size_t k = 0; k < 4; ++k)
                EXPECT_EQ(s.start[order[k]], static_cast<std::int64_t>(k)) << c.id << " " << run;
        }
}

// Three with o 2, l 1, u 2, s 0, M 3: all go in round 1. Then one a round, as two that start
// together hold 4 at their end, and one a round apart 2 + 1.
TEST(Oracle, AEllCancelsInTheOrderOfTheQueue)
{
    for (std::uint64_t run = 0; run < 60; ++run) {
        auto const order = WordStream(seed, run, 16 + 7).permutation(3);
        std::vector<Request> const requests(3, Request{0, 0, 2, 1, 2});
        auto const s = oracle::simulate({"a-ell", {}}, requests, 3, seed, run);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(s.start[order[k]], static_cast<std::int64_t>(k) + 1) << run;
    }
}

// Two with o 2, l 1, u 2, s 0, M 2. Both run one token and go, in the order of the queue; the first
// runs 1 to 3 (beside it the other would make 4 at 3), the second 3 to 5.
TEST(Oracle, AEllCancelsAtTheLowerBoundAndKeepsTheQueue)
{
    std::vector<Request> const requests{{0, 0, 2, 1, 2}, {0, 0, 2, 1, 2}};
    Schedule const s = simulate("a-ell", requests, 2);
    EXPECT_EQ(s.total_latency, 8);
    EXPECT_EQ(tallies(s), (Numbers{2, 2, 2, 5}));
    std::size_t const foremost = WordStream(seed, instance, 16 + 7).permutation(2)[0];
    EXPECT_EQ(s.start[foremost], 1);
}

// A (s 1, o 2, l 1, u 2), B (s 1, o 1, l 1, u 2, arrives at 1), M 3. In round 1 B joins the queue,
// then A is cancelled to the end of it: B2 first; A2 + B2 = 4 at 2 waits; A runs 2 to 4.
TEST(Oracle, AEllPutsTheCancelledBehindArrivalsOfTheRound)
{
    Schedule const s = simulate("a-ell", {{0, 1, 2, 1, 2}, {1, 1, 1, 1, 2}}, 3);
    EXPECT_EQ(s.start, (Numbers{2, 1}));
    EXPECT_EQ(s.total_latency, 5);
    EXPECT_EQ(tallies(s), (Numbers{1, 1, 3, 4}));
}

// One request, o 3, s 0. Levels 1, 2, 4: runs of 1, 2 and 3 tokens: done at 6. With l 2 it starts
// at level 2: done at 5. A last level below u is followed by u; a level above u is cut to it.
TEST(Oracle, ALadderClimbsItsLevels)
{
    Schedule const from_one = simulate("a-ladder", {{0, 0, 3, 1, 4}}, 4, {1, 2, 4});
    EXPECT_EQ(from_one.total_latency, 6);
    EXPECT_EQ(tallies(from_one), (Numbers{2, 3, 3, 6}));
    EXPECT_EQ(simulate("a-ladder", {{0, 0, 3, 2, 4}}, 4, {1, 2, 4}).total_latency, 5);
    EXPECT_EQ(simulate("a-ladder", {{0, 0, 3, 1, 4}}, 4, {2}).total_latency, 5);
    EXPECT_EQ(simulate("a-ladder", {{0, 0, 3, 1, 3}}, 3, {2, 9}).total_latency, 5);
    EXPECT_EQ(simulate("a-ladder", {{0, 0, 3, 1, 3}}, 3, {9}).total_latency, 3);
}

// A (o 3, l 1, u 4), B (o 2, l 1, u 4, arrives at 1), s 0, M 4, levels 1, 4. Round 1: A goes
// (e 4); B (e 1) is first, then A beside it (2 at 2, A4 at 5). Round 2: B goes (e 4); beside A it
// would make A4 + B3 at 5. A ends at 4, B runs 4 to 6.
TEST(Oracle, ALadderAdmitsTheLeastLevelFirst)
{
    Schedule const s = simulate("a-ladder", {{0, 0, 3, 1, 4}, {1, 0, 2, 1, 4}}, 4, {1, 4});
    EXPECT_EQ(s.start, (Numbers{1, 4}));
    EXPECT_EQ(s.total_latency, 9);
    EXPECT_EQ(tallies(s), (Numbers{2, 2, 3, 6}));
}

TEST(Oracle, NamesTheRequestItCannotServe)
{
    auto message = [](char const* id, Request const& second) -> std::string {
        try {
            simulate(id, {{0, 0, 1, 1, 1}, second}, 5);
        } catch (std::invalid_argument const& e) {
            return e.what();
        }
        return "served";
    };
    EXPECT_EQ(message("mc-sf", {0, 3, 3, 3, 3}), "request 1: prompt + output exceeds the memory");
    EXPECT_EQ(message("a-max", {0, 3, 1, 1, 3}), "request 1: prompt + upper exceeds the memory");
    EXPECT_EQ(message("a-min", {0, 3, 1, 1, 3}), "served"); // does not plan with u
    EXPECT_EQ(message("a-min", {0, 0, 1, 2, 3}), "request 1: lower must be in 1 .. output");
    EXPECT_EQ(message("nobody", {0, 0, 1, 1, 1}), "oracle: no policy nobody");
}

} // namespace

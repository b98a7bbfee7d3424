// What equal ratios are worth: when a cell whose sample has no variance may stop.
#include "host/experiment/small_experiment.hh"
#include "host/sweep/stopping.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/summary.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

namespace crx {
namespace {

/// Two lengths, 1 and 90; M = 100 holds one long request at a time, so a long one behind a short
/// one costs nothing and the other way round up to 89 rounds a request.
std::string rare_text(int seed, std::string const& output, std::string const& policies)
{
    return "[experiment]\nname = \"rare\"\nseed = " + std::to_string(seed) +
           "\n[stop]\ninstances = 1000000\nhalf_width = 0.001\n[workload]\nrequests = 4\n"
           "memory = 100\nprompt = 2\n[workload.output]\n" +
           output + "[workload.interval]\nrule = \"support\"\n" + policies +
           "[baselines]\nuse = [\"h-sf\"]\n[[sweep]]\nname = \"n\"\n[sweep.axes]\nrequests = [4]\n";
}
std::string const one_short_in_a_hundred =
    "law = \"two-point\"\nlower = 1\nupper = 90\nshort_fraction = 0.01\n";

std::string policy(std::string const& id, std::string const& more = "")
{
    return "[[policy]]\nid = \"" + id + "\"\n" + more;
}

Cell cell_of(Experiment const& experiment)
{
    auto const& sweep = experiment.sweeps.front().name;
    return experiment.make_cell(sweep, experiment.grid(sweep).front()).cell;
}

/// Instances after which the first cell of an experiment stops, and its mean ratio over H-SF.
std::pair<std::int64_t, double> stopped(Experiment const& experiment)
{
    auto const cell = cell_of(experiment);
    Tally tally(cell.policies.size());
    for (std::int64_t done = 0;;) {
        auto const target = next_checkpoint(experiment.stop, done + (done > 0));
        auto const more = launch_host(cell, {done, target - done});
        for (std::size_t p = 0; p < tally.size(); ++p) tally[p].add(more[p]);
        done = target;
        if (done == experiment.stop.instances ||
            precise_enough(experiment.stop, {BaselineKind::h_sf}, tally,
                           [&] { return std::make_shared<Cell const>(cell); }))
            return {done, summarise(tally[0], BaselineKind::h_sf, 0.95).mean_of_ratios->mean};
    }
}

// By hand: long requests follow each other after 84 rounds, and a short one runs beside a long one.
// So one short request of four costs nothing in the first two places, 84 rounds in the third and
// 168 in the fourth, of 523: the ratio is 1 in 98 of 100 instances, and 0.98^16 = 0.73 of the seeds
// see no variance at first. The mean is 1 + 0.0097 (84 + 168) / 523 and what two short ones
// add: 1.0048.
TEST(Certainty, SixteenEqualRatiosAreNotEnough)
{
    int equal_at_first = 0;
    for (int seed = 1; seed <= 8; ++seed) {
        auto const experiment = parse(rare_text(seed, one_short_in_a_hundred, policy("a-random")));
        auto const cell = cell_of(experiment);
        auto const first = launch_host(cell, {0, 16})[0].sums.ratio[0];
        equal_at_first += first.smallest.ratio == first.largest.ratio;
        auto const [instances, mean] = stopped(experiment);
        EXPECT_GE(instances, 1024) << seed;
        EXPECT_NEAR(mean, 1.0048, 0.003) << seed;
    }
    EXPECT_GE(equal_at_first, 2); // or nothing was tested
}

// The program stops by the same rule, and a store that was left at sixteen equal ratios goes on to
// the same bytes.
TEST(Certainty, AnInterruptedSweepStopsWhereAnUndisturbedOneDoes)
{
    crx_test::TemporaryFolder const folder;
    auto const run = [&](std::string const& arguments) {
        auto const ending = crx_test::run_program(arguments, folder.path(), false);
        EXPECT_EQ(ending.status, 0) << ending.text;
        return ending.text;
    };
    for (int seed = 1;; ++seed) {
        ASSERT_LE(seed, 8);
        auto const text = rare_text(seed, one_short_in_a_hundred, policy("a-random"));
        auto const first = launch_host(cell_of(parse(text)), {0, 16})[0].sums.ratio[0];
        if (first.smallest.ratio != first.largest.ratio) continue;
        std::ofstream(folder / "e.toml") << text;
        break;
    }
    run("sweep e.toml --threads 2 --db once.db 2>&1");
    run("sweep e.toml --threads 1 --db twice.db --set stop.instances=16 2>&1");
    auto const left = run("export twice.db");
    run("sweep e.toml --threads 2 --db twice.db 2>&1");
    EXPECT_EQ(run("export twice.db"), run("export once.db"));
    EXPECT_NE(run("export twice.db"), left);
}

// R = n where one fits at a time: k = ln 20 / -ln(1 - 0.001 / 3) = 8986 instances, not one fewer.
TEST(Certainty, NeedsAsManyInstancesAsTheRangeAsks)
{
    auto const cell = cell_of(parse(rare_text(1, one_short_in_a_hundred, policy("a-random"))));
    EXPECT_NEAR(unseen_share(1, 0.95), 0.95, 1e-15);
    EXPECT_NEAR(unseen_share(1000, 0.95), 1 - std::pow(0.05, 0.001), 1e-15);
    auto const suffice = [&](std::int64_t count, double ratio) {
        return equal_ratios_suffice(cell, 0, BaselineKind::h_sf, ratio, count, 0.001, 0.95);
    };
    EXPECT_FALSE(suffice(8985, 1));
    EXPECT_TRUE(suffice(8986, 1));
    EXPECT_FALSE(suffice(8986, 0.9));
    EXPECT_TRUE(suffice(8986, 2.5)); // nearer to both ends
    // The range is [1/4, 4], and from 3.25 its lower end is as far as its upper one from 1.
    EXPECT_FALSE(suffice(8985, 3.25));
    EXPECT_TRUE(suffice(8986, 3.25));
}

// The rule asks for the precision of the file, with nothing added.
TEST(Certainty, TheRuleAsksForAsManyEqualRatios)
{
    auto const cell = cell_of(parse(rare_text(1, one_short_in_a_hundred, policy("a-random"))));
    StopRule stop;
    stop.half_width = 0.001;
    stop.confidence = 0.95;
    Outcome outcome;
    outcome.total_latency = 100;
    outcome.finished = 1;
    std::int64_t const baselines[baseline_kinds] = {100};
    Tally tally(1);
    for (std::int64_t instance = 0; instance < 8985; ++instance)
        tally[0].sums.add(outcome, baselines, instance);
    auto const precise = [&] {
        return precise_enough(stop, {BaselineKind::h_sf}, tally,
                              [&] { return std::make_shared<Cell const>(cell); });
    };
    EXPECT_FALSE(precise());
    tally[0].sums.add(outcome, baselines, 8985);
    EXPECT_TRUE(precise());
}

// What draws nothing that matters stops where it did: at 16.
TEST(Certainty, WhatCannotVaryStopsAtOnce)
{
    auto const cell = [](std::string const& output, std::string const& policies) {
        return cell_of(parse(rare_text(1, output, policies)));
    };
    std::string const one_length = "law = \"two-point\"\nlower = 90\nupper = 90\n"
                                   "short_fraction = 0.5\n",
                      never_short = "law = \"two-point\"\nlower = 1\nupper = 90\n"
                                    "short_fraction = 0\n",
                      counts = "law = \"two-point\"\nlower = 1\nupper = 90\n"
                               "short_fraction = 0.5\ncounts = \"exact\"\n";
    auto const sure = [](Cell const& c, BaselineKind b) { return ratio_cannot_vary(c, 0, b); };
    using enum BaselineKind;
    EXPECT_TRUE(sure(cell(one_short_in_a_hundred, policy("mc-sf")), h_sf));
    EXPECT_FALSE(sure(cell(one_short_in_a_hundred, policy("mc-sf")), volume));
    EXPECT_TRUE(sure(cell(one_short_in_a_hundred, policy("mc-sf-total")), h_sf)); // one prompt
    for (auto const* id : {"a-max", "a-min", "a-min-evict", "a-ell", "a-random", "mc-benchmark"})
        for (auto const kind : {h_sf, volume}) {
            EXPECT_TRUE(sure(cell(one_length, policy(id)), kind)) << id;
            EXPECT_EQ(sure(cell(never_short, policy(id)), kind),
                      !std::string(id).starts_with("a-m") || std::string(id) == "a-max")
                << id; // A_min is told 1 and finds out by cancelling
            EXPECT_FALSE(sure(cell(counts, policy(id)), kind)) << id;
        }
    EXPECT_TRUE(sure(cell(counts, policy("mc-sf")), volume));
    EXPECT_FALSE(sure(cell(one_length, policy("clear", "alpha = 0.1\nbeta = 0.5\n")), h_sf));
    EXPECT_TRUE(sure(cell(one_length, policy("protect", "alpha = 0\n")), h_sf));
    EXPECT_EQ(stopped(parse(rare_text(1, one_length, policy("a-random")))).first, 16);
    EXPECT_EQ(stopped(parse(rare_text(1, one_short_in_a_hundred, policy("mc-sf")))).first, 16);
}

// Rows of a trace in order are the same requests each time.
TEST(Certainty, ATraceInOrderIsSureUnderPoliciesThatDrawNothing)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "t.csv") << "prompt,output\n3,9\n1,4\n8,2\n2,9\n5,5\n6,1\n4,7\n1,8\n";
    for (auto const* order : {"in-order", "sampled"})
        for (auto const& [text, sure] : {std::pair{policy("mc-sf"), true},
                                         {policy("mc-benchmark"), true},
                                         {policy("protect", "alpha = 0.3\n"), true},
                                         {policy("sorted-f", "selector = \"exact\"\n"), true},
                                         {policy("sorted-f", "selector = \"quantile\"\n"), false},
                                         {policy("sorted-lp"), true},
                                         {policy("a-random"), false},
                                         {policy("a-min"), false}}) {
            auto const experiment = Experiment::parse(
                std::string("[experiment]\nname = \"t\"\nseed = 1\n[stop]\ninstances = 10\n"
                            "[workload]\nrequests = 8\nmemory = 24\n[workload.output]\n"
                            "law = \"trace\"\nsources = [{ file = \"t.csv\" }]\norder = \"") +
                    order + "\"\n[workload.interval]\nrule = \"buckets\"\nwidth = 10\n" + text +
                    "[[sweep]]\nname = \"n\"\n",
                "x.toml", folder.path(), {});
            auto const cell = cell_of(experiment);
            bool const in_order = std::string(order) == "in-order";
            EXPECT_EQ(ratio_cannot_vary(cell, 0, BaselineKind::volume), sure && in_order) << text;
            auto const ratio = launch_host(cell, {0, 30})[0].sums.ratio[1];
            EXPECT_TRUE(!in_order || !sure || ratio.smallest.ratio == ratio.largest.ratio) << text;
        }
}

/// A small cell of any law, interval and policy at random.
std::string random_text(std::mt19937_64& words)
{
    auto const draw = [&](int from, int to) {
        return std::uniform_int_distribution<int>(from, to)(words);
    };
    auto const pick = [&](std::vector<std::string> const& of) {
        return of[static_cast<std::size_t>(draw(0, static_cast<int>(of.size()) - 1))];
    };
    int const upper = draw(1, 12), lower = draw(1, upper), n = draw(1, 9);
    auto const ends =
        "lower = " + std::to_string(lower) + "\nupper = " + std::to_string(upper) + "\n";
    auto const share = "short_fraction = " + pick({"0", "0.02", "0.5", "1"}) + "\n";
    auto const output = pick({"law = \"uniform\"\n" + ends, "law = \"two-point\"\n" + ends + share,
                              "law = \"two-point\"\ncounts = \"exact\"\n" + ends + share});
    auto const prompt = pick({"0", "3", "{ law = \"uniform\", lower = 0, upper = 4 }",
                              "{ law = \"uniform\", lower = 2, upper = 2 }"});
    auto const interval =
        pick({"rule = \"support\"\n", "rule = \"exact\"\n", "rule = \"relative\"\nx = 0\n",
              "rule = \"relative\"\nx = 0.5\n", "rule = \"buckets\"\nwidth = 5\n"});
    // They end at u, whether a level is as large or not.
    auto const levels = interval == "rule = \"support\"\n" ? std::string("\"doubling\"")
                                                           : pick({"[1]", "[3, 7]", "[3, 7, 24]"});
    auto const policies =
        pick({policy("mc-sf"), policy("mc-sf-total"), policy("mc-benchmark"), policy("a-random"),
              policy("a-max"), policy("a-min"), policy("a-min-evict"), policy("a-ell"),
              policy("a-ladder", "levels = " + levels + "\n"), policy("protect", "alpha = 0.2\n"),
              policy("clear", "alpha = 0.2\nbeta = 0.5\nround_cap = 200\n")});
    return "[experiment]\nname = \"x\"\nseed = " + std::to_string(draw(1, 1000000)) +
           "\n[stop]\ninstances = 10\n[run]\nengine = \"request\"\n[workload]\nrequests = " +
           std::to_string(n) + "\nmemory = " + std::to_string(draw(24, 60)) +
           "\nprompt = " + prompt + "\n[workload.output]\n" + output + "[workload.interval]\n" +
           interval + policies +
           "[baselines]\nuse = [\"h-sf\", \"mc-sf\", \"volume\", "
           "\"release\"]\n[[sweep]]\nname = \"n\"\n";
}

// Whatever is said to be certain is seen to be, and no ratio leaves its range.
TEST(Certainty, HoldsOnRandomCells)
{
    std::mt19937_64 words(20261122);
    int sure = 0, unsure_equal = 0, ranges = 0;
    double nearest = 1e9;
    for (int trial = 0; trial < 1500; ++trial) {
        auto const text = random_text(words);
        SCOPED_TRACE(text);
        auto const cell = cell_of(parse(text));
        auto const sums = launch_host(cell, {0, 40})[0].sums;
        for (int k = 0; k < engine_baselines; ++k) {
            auto const kind = static_cast<BaselineKind>(k);
            auto const& ratio = sums.ratio[k];
            bool const certain = ratio_cannot_vary(cell, 0, kind);
            sure += certain;
            if (sums.count == 0) continue;
            bool const equal = ratio.smallest.ratio == ratio.largest.ratio;
            ASSERT_TRUE(equal || !certain);
            unsure_equal += equal && !certain;
            auto const range = ratio_range(cell, 0, kind);
            if (!range) continue;
            ++ranges;
            ASSERT_LE(to_double(ratio.largest.ratio), range->most + 1e-9);
            ASSERT_GE(to_double(ratio.smallest.ratio), range->least - 1e-9);
            nearest = std::min(nearest, range->most - to_double(ratio.largest.ratio));
        }
    }
    EXPECT_GT(sure, 1000);
    EXPECT_GT(unsure_equal, 100); // it is no tautology
    EXPECT_GT(ranges, 2000);
    EXPECT_LT(nearest, 1e-6); // the range is reached
}

} // namespace
} // namespace crx

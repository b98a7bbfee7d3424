#include "host/store/keys.hh"

#include "host/experiment/experiment.hh"
#include "host/sweep/plan.hh"

#include <gtest/gtest.h>
#include <set>

/// What a row of sums is found by: all that it depends on, and nothing else.
namespace crx {
namespace {

struct Parts
{
    std::string policies = "[[policy]]\nid = 'a-max'\n[[policy]]\nid = 'mc-benchmark'\n";
    std::string baselines = "use = ['h-sf', 'volume']";
};

/// Keys of the first cell.
CellKeys keys(Parts const& parts, std::vector<std::string> const& overrides = {})
{
    auto const experiment = Experiment::parse(
        "[experiment]\nname = 'x'\nseed = 7\n[stop]\ninstances = 5\n[workload]\nrequests = 8\n"
        "memory = 24\nprompt = 1\n[workload.output]\nlaw = 'two-point'\nlower = 2\nupper = 9\n"
        "short_fraction = 0.5\n[workload.interval]\nrule = 'support'\n" +
            parts.policies + "[baselines]\n" + parts.baselines + "\n[[sweep]]\nname = 's'\n",
        "x", "/", overrides);
    auto const cells = grid_cells(plan_of(experiment));
    return keys_of(cells.at(0).identity, experiment.baselines);
}

std::set<SumsKey> all_of(CellKeys const& keys)
{
    std::set<SumsKey> all;
    for (auto const& policy : keys) {
        all.insert(policy.sums);
        all.insert(policy.ratios.begin(), policy.ratios.end());
    }
    return all;
}

TEST(Keys, WhatIsAddedChangesNoOther)
{
    // One law: a search that reads requests makes a-max draw them one by one, which is another
    // number.
    std::vector<std::string> const by_requests{"run.engine=request"};
    auto const before = all_of(keys({}, by_requests));
    Parts more;
    more.policies = "[[policy]]\nid = 'a-min'\n" + more.policies;
    more.baselines = "use = ['mc-sf', 'volume', 'h-sf', 'best-found', 'opt']\nevaluations = 50\n"
                     "nodes = 70";
    auto const after = keys(more, by_requests);
    ASSERT_EQ(after.size(), 3u);
    for (auto const& key : before) EXPECT_TRUE(all_of(after).contains(key));
    EXPECT_EQ(all_of(after).size(), 3u * 6u);
}

TEST(Keys, WhatANumberDependsOnChangesAll)
{
    auto const before = all_of(keys({}));
    for (std::string const change :
         {"experiment.seed=8", "workload.memory=25", "workload.requests=9", "workload.prompt=2",
          "workload.output.upper=10", "workload.output.short_fraction=0.25"}) {
        auto const after = all_of(keys({}, {change}));
        EXPECT_EQ(after.size(), before.size());
        for (auto const& key : after) EXPECT_FALSE(before.contains(key)) << change;
    }
}

// With a-max alone lengths are drawn as counts; mc-benchmark asks for each request.
TEST(Keys, AnotherLawOfRandomnessIsAnotherNumber)
{
    Parts alone;
    alone.policies = "[[policy]]\nid = 'a-max'\n";
    EXPECT_NE(keys(alone, {"run.engine=cohort"})[0].sums, keys({})[0].sums);
}

TEST(Keys, SettingsOfABaselineConcernItAlone)
{
    Parts searched;
    searched.baselines = "use = ['h-sf', 'best-found', 'opt']\nevaluations = 50\nnodes = 70";
    auto const before = keys(searched)[0].ratios;
    auto const nodes = keys(searched, {"baselines.nodes=71"})[0].ratios;
    EXPECT_EQ(nodes[0], before[0]);
    EXPECT_EQ(nodes[1], before[1]);
    EXPECT_NE(nodes[2], before[2]);
    auto const evaluations = keys(searched, {"baselines.evaluations=51"})[0].ratios;
    EXPECT_EQ(evaluations[0], before[0]);
    EXPECT_NE(evaluations[1], before[1]);
    EXPECT_NE(evaluations[2], before[2]);
}

TEST(Keys, AreReadAsTheyAreWritten)
{
    auto const there = keys({});
    EXPECT_EQ(parse_keys(to_bytes(there), 2), there);
    EXPECT_THROW(parse_keys(to_bytes(there), 4), std::invalid_argument);
    EXPECT_THROW(parse_keys(to_bytes(there).substr(1), 2), std::invalid_argument);
    EXPECT_THROW(parse_keys("", 2), std::invalid_argument);
}

} // namespace
} // namespace crx

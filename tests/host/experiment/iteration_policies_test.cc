#include "support/temporary_folder.hh"
#include "tests/host/experiment/small_paths.hh"

#include <fstream>
#include <gtest/gtest.h>

namespace crx {
namespace {

/// Prompts of 10 with outputs 4 and 8, prompts of 30 with output 6.
std::string file(std::string const& policy)
{
    return "[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n"
           "[stop]\ninstances = 40\n[workload]\nhorizon = 8\ndoublings = 1\n"
           "[workload.clock]\nd0 = 10e6\nd1 = 10e3\n"
           "[[workload.type]]\nprompt = 10\noutput = 4\nrate = 20\n"
           "[[workload.type]]\nprompt = 30\noutput = 6\nrate = 10\n"
           "[[workload.type]]\nprompt = 10\noutput = 8\nrate = 10\n"
           "[[sweep]]\nname = 'paths'\n[[policy]]\nid = 'nested-wait'\n" +
           policy;
}

IterationPolicyEntry policy_of(std::string const& text)
{
    return setting_of(file(text)).policies.front();
}

TEST(PromptGroups, ByPromptTakeTheSameSegmentsAsFarAsTheirOutputsReach)
{
    auto const entry = policy_of("groups = 'by-prompt'\nends = [4, 8]\nthresholds = 'least'");
    ASSERT_EQ(entry.groups.size(), 2u);
    EXPECT_EQ(entry.groups[0].prompt, 10);
    EXPECT_EQ(entry.groups[0].ends, (std::vector<Tokens>{4, 8}));
    EXPECT_EQ(entry.groups[0].passing, (std::vector<double>{1.0 / 3}));
    EXPECT_EQ(entry.groups[1].prompt, 30);
    EXPECT_EQ(entry.groups[1].ends, (std::vector<Tokens>{4, 6}));
    EXPECT_EQ(entry.groups[1].passing, (std::vector<double>{1}));
    EXPECT_EQ(entry.broken, "");
    EXPECT_EQ(entry.spec.thresholds.groups.size(), 2u);
}

// By hand: n = (1, 1) and (1, 2) make a batch of 1 (10+..+14) + 1 (15+16+17+18) + 1 (30+..+34)
// + 2 (35+36) = 60 + 66 + 160 + 142 tokens: 0.01428 s, in which 0.43 and 0.14 arrive.
TEST(PromptGroups, OneBatchOfAllGroupsIsWhatTheConditionIsOf)
{
    auto const least = policy_of("groups = 'by-prompt'\nends = [4, 8]\nthresholds = 'least'");
    EXPECT_EQ(least.thresholds, (std::vector<std::int64_t>{1, 1, 1, 2}));
    EXPECT_EQ(least.batch_tokens, 428);
    // Alone the second group would do with 1: 0.01231 s, 0.12 arrivals.
    EXPECT_EQ(message_of(file("[[policy.group]]\nprompt = 10\nends = [8]\nthresholds = [90]\n"
                              "[[policy.group]]\nprompt = 30\nends = [6]\nthresholds = [1]")),
              "x.toml:30: policy.0.group\n  AO (10): group 1, segment 1 has threshold 1 but "
              "1.2571 arrivals are expected in a full batch of 0.12571 s, which must be fewer\n"
              "  accept_broken_condition = true runs it all the same");
}

TEST(PromptGroups, ListedOnesMayLeaveTheLeastOpen)
{
    auto const entry =
        policy_of("[[policy.group]]\nprompt = 30\nsegments = 2\nthresholds = [4, 5]\n"
                  "[[policy.group]]\nprompt = 10\nends = [4, 8]\n"
                  "thresholds = 'least'");
    EXPECT_EQ(entry.thresholds, (std::vector<std::int64_t>{4, 5, 1, 1}));
    EXPECT_EQ(entry.groups[0].ends, (std::vector<Tokens>{3, 6}));
}

// One group goes by the stage alone. The longest mean prompt is that of all, (30 * 10 + 10 * 30)/40
// = 15, or of those past stage 4, (10 * 30 + 10 * 10)/20 = 20.
TEST(PromptGroups, OneForAllPrompts)
{
    auto const entry = policy_of("groups = 'one'\nends = [4, 8]\nthresholds = 'least'");
    ASSERT_EQ(entry.groups.size(), 1u);
    EXPECT_EQ(entry.groups[0].prompt, 20);
    EXPECT_EQ(entry.groups[0].passing, (std::vector<double>{0.5}));
    EXPECT_TRUE(entry.spec.names_prompts());
    auto const experiment = setting_of(file("groups = 'one'\nends = [4, 8]\nthresholds = 'least'"));
    EXPECT_GT(execute_path(experiment.cell(entry), 0).back().completed, 400);
}

TEST(PromptGroups, SayWhatIsWrong)
{
    EXPECT_EQ(
        message_of(file("ends = [4, 8]\nthresholds = 'least'")),
        "x.toml:28: policy.0.groups is missing where types have 2 prompt lengths\n  accepted: "
        "\"by-prompt\" or \"one\", or [[policy.group]] tables, one a prompt length");
    EXPECT_EQ(
        message_of(file("groups = 'by-prompt'\nends = [4, 8]\nthresholds = [2, 2]")),
        "x.toml:32: policy.0.thresholds = [2, 2]\n  not accepted: must be \"least\" for groups "
        "by prompt; [[policy.group]] tables take lists");
    EXPECT_EQ(
        message_of(file("[[policy.group]]\nprompt = 20\nends = [8]\nthresholds = 'least'")),
        "x.toml:31: policy.0.group.0.prompt = 20\n  not accepted: must be the prompt length of "
        "some type");
    EXPECT_NE(message_of(file("[[policy.group]]\nprompt = 10\nends = [8]\nthresholds = 'least'"))
                  .find("not accepted: no group has prompts of 30"),
              std::string::npos);
    EXPECT_EQ(message_of(file("groups = 'one'\nends = [4, 8]\nthresholds = 'least'\ndelta = 0.1")),
              "x.toml:33: policy.0.delta = 0.1\n  not accepted: must be left out: (12) is of one "
              "group with one prompt length");
}

TEST(HardMemory, HoldsThePrefillsAndOnePrompt)
{
    auto const hard = [](int memory) {
        return file("groups = 'by-prompt'\nends = [4, 8]\nthresholds = 'least'\nhard = true\n"
                    "memory = " +
                    std::to_string(memory));
    };
    // Prefills 1 * 10 + 1 * 30, the longest prompt and output 36.
    EXPECT_EQ(message_of(hard(76)), "accepted");
    EXPECT_EQ(message_of(hard(75)),
              "x.toml:33: policy.0.hard = true\n  not accepted: must be false with a memory of 75: "
              "it takes 40 to prefill all thresholds at once and 36 for the longest prompt and "
              "output");
    EXPECT_EQ(message_of(file("groups = 'one'\nends = [8]\nthresholds = 'least'\nhard = true")),
              "x.toml:33: policy.0.hard = true\n  not accepted: must be false, or memory given");
    auto const experiment = setting_of(hard(428)); // a full batch
    auto const last = execute_path(experiment.cell(experiment.policies.front()), 0).back();
    EXPECT_LE(last.peak_memory, 428);
    EXPECT_GT(last.completed, 400);
    EXPECT_EQ(last.overflows, 0);
}

struct TraceTypes : testing::Test
{
    std::string text(std::string const& keys) const
    {
        return "[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n"
               "[stop]\ninstances = 40\n[workload]\nhorizon = 8\ndoublings = 1\n"
               "[workload.clock]\nd0 = 10e6\nd1 = 1e3\n"
               "[[workload.type]]\ntrace = { file = 'rows.csv' }\nrate = 8\n" +
               keys +
               "\n[[sweep]]\nname = 'paths'\n[[policy]]\nid = 'wait'\nthresholds = 'least'\n";
    }
    IterationSetting read(std::string const& keys) const
    {
        std::ofstream(folder / "rows.csv")
            << "prompt,output\n3,2\n4,2\n12,7\n3,2\n0,5\n12,9\n13,8\n2,100\n11,7\n";
        return setting_of(text(keys), {}, folder.path());
    }
    crx_test::TemporaryFolder folder;
};

// Rows of the file are types at their shares of the rate; those too long and the one without a
// prompt are left out and said to be.
TEST_F(TraceTypes, AreTheRowsOrTheirBins)
{
    auto const exact = read("longest_output = 50");
    EXPECT_EQ(exact.load.types,
              (std::vector<PromptType>{{3, 2}, {4, 2}, {11, 7}, {12, 7}, {12, 9}, {13, 8}}));
    EXPECT_NEAR(exact.load.rate[0], 8 * 2.0 / 7, 1e-15);
    EXPECT_NEAR(exact.load.rate[5], 8 * 1.0 / 7, 1e-15);
    ASSERT_EQ(exact.notes.size(), 1u);
    EXPECT_NE(exact.notes[0].find("7 rows as 6 types; left out 1 too long and 1 with no prompt"),
              std::string::npos)
        << exact.notes[0];
    // Bins 1..10 and 11..20: prompts 3, 4, 3 are 3 on average, 12, 12, 13, 11 are 12; outputs 2 and
    // (7 + 9 + 8 + 7)/4 = 8.
    auto const bins = read("longest_output = 50\nprompt_bin = 10\noutput_bin = 5");
    EXPECT_EQ(bins.load.types, (std::vector<PromptType>{{3, 2}, {12, 8}}));
    EXPECT_NEAR(bins.load.rate[1], 8 * 4.0 / 7, 1e-15);
}

TEST_F(TraceTypes, SayWhatIsWrong)
{
    EXPECT_THROW(read("longest_output = 1"), InputError);
    EXPECT_THROW(read("output = 3"), InputError);
    EXPECT_THROW(setting_of(text(""), {}, "nowhere"), InputError);
}

} // namespace
} // namespace crx

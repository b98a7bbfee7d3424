#include "host/experiment/small_experiment.hh"
#include "host/input/scratch_file.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

/// Ten requests, three from a.csv to one from b.csv, in memory 20.
std::string const text = R"toml([experiment]
name = "traces"
seed = 1
[stop]
instances = 1
[workload]
requests = 10
memory = 20
[workload.output]
law = "trace"
sources = [{ file = "a.csv", weight = 3 }, { file = "b.csv" }]
[workload.interval]
rule = "common"
lower = 2
upper = "largest"
[[policy]]
id = "a-max"
[[sweep]]
name = "all"
)toml";

class TraceExperiment : public testing::Test
{
  protected:
    TraceExperiment() : a_("prompt,output\n1,2\n5,15\n6,15\n1,1\n0,3\n3,0\n19,2\n", "a.csv")
    {
        std::ofstream(a_.folder() / "b.csv") << "prompt,output\n3,4\n2,5\n";
    }
    PlannedCell cell(std::string const& changed) const
    {
        return Experiment::parse(changed, "x.toml", a_.folder()).make_cell("all", {});
    }
    std::string error(std::string const& changed) const
    {
        try {
            cell(changed);
        } catch (InputError const& refused) {
            auto const message = std::string(refused.what());
            return without_path(message, a_.folder());
        }
        return {};
    }
    ScratchFile a_;
};

using Lengths = std::vector<std::int32_t>;
using Counts = std::vector<std::int64_t>;

TEST_F(TraceExperiment, LeavesOutAndCountsRowsThatCannotBeServed)
{
    auto const planned = cell(text);
    auto const& w = planned.cell.workload;
    EXPECT_EQ(w.output_kind, OutputKind::trace);
    EXPECT_EQ(w.prompt_kind, PromptKind::trace);
    EXPECT_EQ(w.source_count, (Counts{8, 2})); // 7.5 and 2.5
    // Rows with s + o > 20 say nothing of the largest output; a-max plans with u = 15.
    EXPECT_EQ(w.interval.upper, 15);
    EXPECT_EQ(w.trace_prompt, (Lengths{1, 5, 0, 3, 2}));
    EXPECT_EQ(w.trace_output, (Lengths{2, 15, 3, 4, 5}));
    EXPECT_EQ(w.source_end, (Counts{3, 5}));
    using Out = std::vector<std::pair<std::string, std::int64_t>>;
    EXPECT_EQ(planned.left_out, (Out{{"a.csv, no output", 1},
                                     {"a.csv, outside the common interval", 1},
                                     {"a.csv, can never fit in memory", 2}}));
}

TEST_F(TraceExperiment, PoliciesThatIgnoreTheUpperEndKeepMoreRows)
{
    auto changed = with(text, "\"a-max\"", "\"a-min\"");
    changed = with(changed, "rule = \"common\"\nlower = 2\nupper = \"largest\"",
                   "rule = \"buckets\"\nwidth = 10");
    auto const w = cell(changed).cell.workload;
    EXPECT_EQ(w.trace_prompt, (Lengths{1, 5, 1, 0, 3, 2}));
    // With a-max the bucket's end 20 does not fit beside a prompt of 5.
    changed = with(changed, "\"a-min\"", "\"a-max\"");
    EXPECT_EQ(cell(changed).cell.workload.trace_prompt, (Lengths{1, 1, 0, 3, 2}));
}

TEST_F(TraceExperiment, InOrderTakesTheFirstRows)
{
    auto changed = with(text, ", { file = \"b.csv\" }]", "]\norder = \"in-order\"");
    changed = with(changed, "requests = 10", "requests = 2");
    auto const w = cell(changed).cell.workload;
    EXPECT_EQ(w.trace_order, TraceOrder::in_order);
    EXPECT_EQ(w.source_count, (Counts{2}));
    EXPECT_EQ(error(with(changed, "requests = 2", "requests = 4")),
              "x.toml:7: workload.requests = 4 (sweep all)\n"
              "  not accepted: must be at most 3, the rows of the trace that fit");
    auto const window = with(changed, "in-order", "window");
    EXPECT_EQ(cell(window).cell.workload.trace_order, TraceOrder::window);
    EXPECT_NE(cell(window).identity, cell(changed).identity);
    EXPECT_NE(error(with(window, "requests = 2", "requests = 4")), "");
}

TEST_F(TraceExperiment, IdentityHasTheRowsNotTheirFile)
{
    auto const before = cell(text).identity;
    std::ofstream(a_.folder() / "c.csv") << "x,prompt,output\n9,3,4\n9,2,5\n";
    EXPECT_EQ(cell(with(text, "b.csv", "c.csv")).identity, before);
    std::ofstream(a_.folder() / "b.csv") << "prompt,output\n3,4\n2,6\n";
    EXPECT_NE(cell(text).identity, before);
}

TEST_F(TraceExperiment, ErrorsNameTheTrace)
{
    EXPECT_EQ(error(with(text, "b.csv", "d.csv")),
              "x.toml:11: workload.output.sources.1.file = \"d.csv\"\n  not accepted: must be a "
              "trace that can be read (FILE/d.csv: cannot be read: No such file or directory)");
    EXPECT_EQ(error(with(text, "file = \"b.csv\"", "file = \"b.csv\", prompt = \"p\"")),
              "x.toml:11: workload.output.sources.1.file = \"b.csv\"\n  not accepted: must be a "
              "trace that can be read (FILE/b.csv:1: no column for the prompt (p); the columns "
              "are: prompt, output)");
    EXPECT_EQ(error(with(text, "memory = 20", "memory = 20\nprompt = 1")),
              "x.toml:9: workload.prompt = 1\n  not accepted: must be left out: the rows of a "
              "trace have prompts");
    EXPECT_EQ(error(with(text, "memory = 20", "memory = 1")),
              "x.toml:11: workload.output.sources.0.file = a.csv (sweep all)\n  not accepted: must "
              "be a trace with rows that fit in M = 1");
    EXPECT_EQ(error(with(text, "upper = \"largest\"", "upper = 3")),
              "x.toml:11: workload.output.sources.1.file = b.csv (sweep all)\n  not accepted: must "
              "be a trace with rows that fit in M = 20 and in the interval");
    EXPECT_EQ(error(with(text, "weight = 3", "weight = -1")),
              "x.toml:11: workload.output.sources.0.weight = -1\n  not accepted: must be a number "
              "in [0, 1000000000000]");
}

TEST_F(TraceExperiment, TimesInSecondsNeedAClock)
{
    std::ofstream(a_.folder() / "b.csv") << "arrived_at,prompt,output\n0,3,4\n1.5,2,5\n";
    auto changed = with(text, "{ file = \"a.csv\", weight = 3 }, ", "");
    changed = with(changed, "]\n[workload.interval]",
                   "]\norder = \"in-order\"\n[workload.arrivals]\nlaw = \"trace\"\n"
                   "[workload.interval]");
    changed = with(changed, "requests = 10", "requests = 2");
    EXPECT_NE(error(changed).find("the times of b.csv are seconds, and rounds have no length"),
              std::string::npos)
        << error(changed);
    auto const timed =
        with(changed, "[[policy]]", "[workload.clock]\nd0 = 1000\nd1 = 1\nd2 = 1\n[[policy]]");
    EXPECT_EQ(cell(timed).cell.workload.trace_arrival, (std::vector<Instant>{0, 1'500'000'000}));
    // `arrival` is of the clock, whichever that is.
    std::ofstream(a_.folder() / "b.csv") << "arrival,prompt,output\n0,3,4\n7,2,5\n";
    EXPECT_EQ(cell(changed).cell.workload.trace_arrival, (std::vector<Instant>{0, 7}));
    EXPECT_EQ(cell(timed).cell.workload.trace_arrival, (std::vector<Instant>{0, 7}));
}

} // namespace

} // namespace crx

#include "small_experiment.hh"

#include "kernels/policies/max_length.cuh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

TEST(Experiment, ReadsThePlainCase)
{
    auto const experiment = parse(small_experiment);
    EXPECT_EQ(experiment.name, "small");
    EXPECT_EQ(experiment.title, "A small experiment");
    EXPECT_EQ(experiment.seed, 7u);
    EXPECT_EQ(experiment.stop.instances, 4);
    EXPECT_FALSE(experiment.stop.half_width);
    ASSERT_EQ(experiment.policies.size(), 1u);
    EXPECT_EQ(experiment.policies[0].id, "a-max");
    EXPECT_EQ(experiment.policies[0].label, "a-max");
    EXPECT_EQ(experiment.baselines, (std::vector<std::string>{"h-sf", "volume"}));
    ASSERT_EQ(experiment.sweeps.size(), 1u);
    EXPECT_EQ(experiment.sweeps[0].axes[0].second, (std::vector<double>{0.1, 0.5, 1}));
    EXPECT_EQ(experiment.text, small_experiment);
}

TEST(Experiment, MakesTheCellOfAPoint)
{
    auto const cell = parse(small_experiment).make_cell("alpha", {{"alpha", 0.1}});
    auto const& w = cell.cell.workload;
    EXPECT_EQ(w.seed, 7u);
    EXPECT_EQ(w.requests, 10);
    EXPECT_EQ(w.memory, 100);
    EXPECT_EQ(w.output_kind, OutputKind::table);
    EXPECT_EQ(w.output_value, (std::vector<std::int32_t>{2, 20}));
    EXPECT_EQ(w.output_threshold,
              (std::vector<std::uint64_t>{std::uint64_t{1} << 63, ~std::uint64_t{0}}));
    EXPECT_EQ(w.prompt_kind, PromptKind::constant);
    EXPECT_EQ(w.prompt_constant, 3);
    EXPECT_EQ(w.interval.kind, IntervalKind::common);
    EXPECT_EQ(w.interval.lower, 2);
    EXPECT_EQ(w.interval.upper, 20);
    ASSERT_EQ(cell.cell.policies.size(), 1u);
    EXPECT_EQ(cell.cell.policies[0].kind, MaxLength::kind);
    EXPECT_EQ(cell.parameters, (std::map<std::string, double>{{"alpha", 0.1},
                                                              {"lower", 2},
                                                              {"memory", 100},
                                                              {"prompt", 3},
                                                              {"requests", 10},
                                                              {"short_fraction", 0.5},
                                                              {"t", 1},
                                                              {"upper", 20}}));
    EXPECT_EQ(
        cell.identity,
        R"({"baselines":["h-sf","volume"],"policies":[{"engine":"cohort 6","id":"a-max"}],"seed":7,"workload":)"
        R"({"interval":{"lower":2,"rule":"common","upper":20},"memory":100,"output":)"
        R"({"drawn":"counts","law":"two-point","lower":2,"short_fraction":0.5,"upper":20},"prompt":3,)"
        R"("requests":10}})");
}

TEST(Experiment, LmsysLikeLawsAreNamedBySource)
{
    auto text = with(small_experiment, "memory = 100\nprompt = 3\n",
                     "memory = 16492\nprompt = { law = \"lmsys-like\", source = \"jaillet\" }\n");
    text = with(text,
                "law = \"two-point\"\nlower = \"max(1, round(alpha * upper))\"\nupper = 20\n"
                "short_fraction = \"t / (1 + t)\"\n",
                "law = \"lmsys-like\"\nsource = \"ao\"\n");
    text = with(text, "axes = { alpha = [0.5, 0.1, 1] }", "axes = { requests = [5] }");
    auto const cell = parse(text).make_cell("alpha", {{"requests", 5}});
    EXPECT_EQ(cell.cell.workload.output_value.back(), 500);
    EXPECT_EQ(cell.cell.workload.prompt_value.back(), 468);
    EXPECT_EQ(cell.cell.workload.interval.upper, 500);
    EXPECT_NE(cell.identity.find(R"("output":{"law":"lmsys-like ao"})"), std::string::npos);
    EXPECT_NE(cell.identity.find(R"("prompt":{"law":"lmsys-like jaillet"})"), std::string::npos);
    EXPECT_NE(error_of(with(text, "source = \"ao\"", "source = \"oa\""))
                  .find("workload.output.source = \"oa\"\n  not accepted: must be one of"),
              std::string::npos);
    EXPECT_NE(error_of(with(text, "source = \"ao\"\n", "")).find("workload.output.source"),
              std::string::npos);
}

TEST(Experiment, GridRunsTheLastAxisFastest)
{
    auto const experiment =
        parse(with(small_experiment, "axes = { alpha = [0.5, 0.1, 1] }",
                   "axes = { t = [2, 1], alpha = { from = 0.5, to = 1, step = 0.25 } }"));
    auto const grid = experiment.grid("alpha");
    ASSERT_EQ(grid.size(), 6u);
    EXPECT_EQ(grid[0], (Coordinates{{"t", 1}, {"alpha", 0.5}}));
    EXPECT_EQ(grid[1], (Coordinates{{"t", 1}, {"alpha", 0.75}}));
    EXPECT_EQ(grid[5], (Coordinates{{"t", 2}, {"alpha", 1}}));
}

TEST(Experiment, ExactCountsAreARoundedShare)
{
    auto text = with(small_experiment, "upper = 20\n", "upper = 20\ncounts = \"exact\"\n");
    text = with(text, "t = 1\n", "t = 3\n");
    auto const w = parse(text).make_cell("alpha", {{"alpha", 0.5}}).cell.workload;
    // 3/4 of 10 is 7.5: eight short ones.
    EXPECT_EQ(w.output_kind, OutputKind::composition);
    EXPECT_EQ(w.output_value, (std::vector<std::int32_t>{10, 20}));
    EXPECT_EQ(w.output_count, (std::vector<std::int64_t>{8, 2}));
    auto const equal = parse(text).make_cell("alpha", {{"alpha", 1}}).cell.workload;
    EXPECT_EQ(equal.output_value, (std::vector<std::int32_t>{20}));
    EXPECT_EQ(equal.output_count, (std::vector<std::int64_t>{10}));
}

TEST(Experiment, AnAxisGivesTheFieldOfItsName)
{
    auto const text = with(small_experiment, "axes = { alpha = [0.5, 0.1, 1] }",
                           "axes = { alpha = [0.5], memory = [60, 50], upper = [10, 30] }");
    auto const cell =
        parse(text).make_cell("alpha", {{"alpha", 0.5}, {"memory", 60}, {"upper", 30}});
    EXPECT_EQ(cell.cell.workload.memory, 60);
    EXPECT_EQ(cell.cell.workload.output_value, (std::vector<std::int32_t>{15, 30}));
}

TEST(Experiment, SetChangesWorkloadAndVariablesInOneSweep)
{
    auto const text = small_experiment + "[[sweep]]\nname = \"other\"\naxes = { alpha = [1] }\n" +
                      "[sweep.set]\nt = 3\nworkload.memory = 50\n" +
                      "\"workload.interval\" = { rule = \"relative\", x = \"0.95\" }\n";
    auto const experiment = parse(text);
    EXPECT_EQ(experiment.make_cell("alpha", {{"alpha", 1}}).cell.workload.memory, 100);
    auto const cell = experiment.make_cell("other", {{"alpha", 1}});
    EXPECT_EQ(cell.cell.workload.memory, 50);
    EXPECT_EQ(cell.parameters.at("short_fraction"), 0.75);
    EXPECT_EQ(cell.cell.workload.interval.kind, IntervalKind::relative);
    EXPECT_EQ(cell.cell.workload.interval.numerator, 19);
    EXPECT_EQ(cell.cell.workload.interval.denominator, 20);
}

TEST(Experiment, LadderLevelsComeFromTheInterval)
{
    auto const levels = [](std::string const& written) {
        auto const text =
            with(small_experiment, "id = \"a-max\"", "id = \"a-ladder\"\nlevels = " + written);
        auto const cell =
            parse(with(text, "[0.5, 0.1, 1]", "[0.1]")).make_cell("alpha", {{"alpha", 0.1}});
        auto const& found = cell.cell.policies[0].levels;
        return std::vector<std::int32_t>(found.level, found.level + found.count);
    };
    EXPECT_EQ(levels("\"doubling\""), (std::vector<std::int32_t>{2, 4, 8, 16, 20}));
    EXPECT_EQ(levels("[\"lower\", \"3 * lower\", \"upper\"]"),
              (std::vector<std::int32_t>{2, 6, 20}));
    EXPECT_EQ(levels("[5, 20, 40]"), (std::vector<std::int32_t>{5, 20}));
}

std::string identity_with(std::string const& policy, std::string const& alpha)
{
    auto const text = with(small_experiment, "id = \"a-max\"", policy);
    return parse(text).make_cell("alpha", {{"alpha", std::stod(alpha)}}).identity;
}

// An axis may be a number of a key alone.
TEST(Experiment, AnAxisIsOfAKeyAlone)
{
    auto const text = with(with(small_experiment, "id = \"a-max\"",
                                "id = \"by-key\"\nkey = \"prompt + weight * waited\""),
                           "axes = {", "axes = { weight = [1, 20],");
    EXPECT_EQ(error_of(text), "");
    EXPECT_NE(parse(text)
                  .make_cell("alpha", {{"weight", 20}, {"alpha", 1}})
                  .identity.find("\"key\":\"prompt + 20 * waited\""),
              std::string::npos);
}

// Names of the experiment stand in a key by their values, so a cell's identity says all.
TEST(Experiment, AKeyIsOfItsCell)
{
    auto const policy = "id = \"by-key\"\nkey = \"prompt + alpha * arrival\"";
    auto const found = identity_with(policy, "0.5");
    EXPECT_NE(found.find("\"key\":\"prompt + 0.5 * arrival\""), std::string::npos) << found;
    EXPECT_NE(found.find("\"plans_with\":\"upper\""), std::string::npos) << found;
    EXPECT_NE(found, identity_with(policy, "0.25"));
    auto const cell =
        parse(with(small_experiment, "id = \"a-max\"", policy)).make_cell("alpha", {{"alpha", 1}});
    EXPECT_EQ(engine_names(cell.cell, Processor::cpu), (std::vector<std::string>{"own-policy"}));
}

TEST(Experiment, AMinLearnsWhatItSays)
{
    auto const learns = [](std::string const& written) {
        auto const text = with(small_experiment, "id = \"a-max\"", "id = \"a-min\"" + written);
        auto const cell =
            parse(with(text, "[0.5, 0.1, 1]", "[0.1]")).make_cell("alpha", {{"alpha", 0.1}});
        return cell.cell.policies[0].learns;
    };
    EXPECT_EQ(learns(""), Learns::reached);
    EXPECT_EQ(learns("\nlearns = \"reached\""), Learns::reached);
    EXPECT_EQ(learns("\nlearns = \"exceeded\""), Learns::exceeded);
}

TEST(Experiment, CompositionByCountsAndByWeights)
{
    auto const workload = [](std::string const& amounts) {
        auto text = with(small_experiment, "lower = \"max(1, round(alpha * upper))\"\n", "");
        text = with(text, "law = \"two-point\"\n",
                    "law = \"composition\"\nvalues = [\"10 * alpha\", 7, 5]\n" + amounts + "\n");
        text = with(text, "upper = 20\nshort_fraction = \"t / (1 + t)\"\n", "");
        return parse(with(text, "[0.5, 0.1, 1]", "[0.5]"))
            .make_cell("alpha", {{"alpha", 0.5}})
            .cell.workload;
    };
    auto const counted = workload("counts = [3, 5, 2]");
    EXPECT_EQ(counted.output_value, (std::vector<std::int32_t>{5, 7}));
    EXPECT_EQ(counted.output_count, (std::vector<std::int64_t>{5, 5}));
    auto const weighted = workload("weights = [0, 0.5, 1.5]");
    // 2.5 and 7.5 of ten: the remainders are equal, so the first gets the one that is left.
    EXPECT_EQ(weighted.output_count, (std::vector<std::int64_t>{7, 3}));
    EXPECT_EQ(weighted.interval.lower, 5);
    EXPECT_EQ(weighted.interval.upper, 7);
}

TEST(Experiment, PromptsMayFollowALaw)
{
    auto const text = with(small_experiment, "prompt = 3",
                           "prompt = { law = \"uniform\", lower = 0, upper = \"4 * t\" }");
    auto const w = parse(text).make_cell("alpha", {{"alpha", 1}}).cell.workload;
    EXPECT_EQ(w.prompt_kind, PromptKind::table);
    EXPECT_EQ(w.prompt_value, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
}

TEST(Experiment, OverridesAreKeptInTheText)
{
    auto const experiment = parse(small_experiment, {"stop.instances=1000", "policy.0.id=a-min"});
    EXPECT_EQ(experiment.stop.instances, 1000);
    EXPECT_EQ(experiment.policies[0].id, "a-min");
    EXPECT_EQ(experiment.text,
              small_experiment + "# --set stop.instances=1000\n# --set policy.0.id=a-min\n");
}

TEST(Experiment, IdentityIsOfWhatResultsDependOn)
{
    auto const identity = parse(small_experiment).identity;
    EXPECT_EQ(parse(small_experiment, {"stop.instances=9", "experiment.title=Other"}).identity,
              identity);
    EXPECT_EQ(parse(small_experiment, {"workload.memory=100.0"}).identity, identity);
    EXPECT_NE(parse(small_experiment, {"experiment.seed=8"}).identity, identity);
    EXPECT_NE(parse(small_experiment, {"workload.memory=101"}).identity, identity);
    // Also of what follows a number's point.
    EXPECT_NE(parse(small_experiment, {"sweep.0.axes.alpha=[0.5,0.2,1]"}).identity, identity);
    auto const panel = "[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\n";
    EXPECT_EQ(parse(small_experiment + panel).identity, identity);
}

// 10 + 12 sqrt(10) + 100 arrivals at that rate take 3.7e18 ns, which is more than 2^61; ten take
// less.
TEST(Experiment, AllMustArriveBeforeTheEndOfTime)
{
    auto const text = with(small_experiment, "[workload.output]",
                           "[workload.clock]\nd0 = 1e6\nd1 = 1e3\nd2 = 0\n"
                           "[workload.arrivals]\nlaw = \"poisson\"\nrate = 4e-8\n"
                           "[workload.output]") +
                      "[baselines]\nuse = [\"mc-sf\"]\n";
    EXPECT_EQ(error_of(text),
              "x.toml:19: workload.arrivals.rate = 4e-08 at alpha = 0.1 (sweep alpha)\n"
              "  not accepted: must be large enough that all requests arrive within 2^61 ns");
    EXPECT_EQ(error_of(with(text, "4e-8", "1e-7")), "");
}

TEST(Experiment, RefinedPointsAreCellsToo)
{
    auto const experiment = parse(
        small_experiment + "refine = { axis = \"alpha\", rounds = 2, baseline = \"volume\" }");
    ASSERT_TRUE(experiment.sweeps[0].refinement);
    EXPECT_EQ(experiment.sweeps[0].refinement->baseline, "volume");
    EXPECT_EQ(experiment.make_cell("alpha", {{"alpha", 0.3}}).cell.workload.output_value[0], 6);
    EXPECT_THROW(experiment.make_cell("alpha", {{"alpha", 1.5}}), InputError);
}

TEST(Experiment, NoRoundsAreNoRefinement)
{
    auto const text = small_experiment + "refine = { axis = \"alpha\", rounds = 2 }";
    EXPECT_TRUE(parse(text).sweeps[0].refinement);
    EXPECT_FALSE(parse(text, {"sweep.0.refine.rounds=0"}).sweeps[0].refinement);
    EXPECT_NE(error_of(text, {"sweep.0.refine.rounds=-1"}).find("an integer in [0, 40]"),
              std::string::npos);
}

TEST(Experiment, IntegersMayBeWrittenAsReals)
{
    EXPECT_EQ(parse(small_experiment, {"stop.instances=1e3"}).stop.instances, 1000);
    EXPECT_EQ(parse(small_experiment, {"stop.instances=1.5e1"}).stop.instances, 15);
    auto const seed = parse(small_experiment, {"experiment.seed=8.0"});
    EXPECT_EQ(seed.seed, 8u);
    EXPECT_EQ(seed.identity, parse(small_experiment, {"experiment.seed=8"}).identity);
    for (auto const* wrong :
         {"stop.instances=1.5", "stop.instances=1e13", "stop.instances=nan", "stop.instances=-1e3",
          "stop.instances=1e17", "experiment.seed=1e19", "experiment.seed=inf"})
        EXPECT_NE(error_of(small_experiment, {wrong}).find("must be an integer in ["),
                  std::string::npos)
            << wrong;
}

TEST(Experiment, PanelFieldsAreRead)
{
    auto const text = with(small_experiment, "[0.5, 0.1, 1]", "[0.5, 1], t = [0.25, 1]") +
                      "[[panel]]\nsweep = \"alpha\"\nx = \"upper\"\nworst_over = \"alpha\"\n" +
                      "where = { t = 0.25 }\ncurves = [\"chen-5.1\"]\nmeasure = \"p99-ratio\"\n" +
                      "log_x = true\ny_min = 1\npolicies = [\"a-max\"]\ntitle = \"T\"\n";
    auto const panel = parse(text).panels.at(0);
    EXPECT_EQ(panel.x, "upper");
    EXPECT_EQ(panel.worst_over, "alpha");
    EXPECT_EQ(panel.where, (std::map<std::string, double>{{"t", 0.25}}));
    EXPECT_EQ(panel.curves, std::vector<std::string>{"chen-5.1"});
    EXPECT_EQ(panel.measure, "p99-ratio");
    EXPECT_EQ(panel.baseline, "h-sf");
    EXPECT_TRUE(panel.log_x);
    EXPECT_EQ(panel.y_min, 1);
    EXPECT_FALSE(panel.y_max);
}

} // namespace

} // namespace crx

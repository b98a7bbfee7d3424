#include "refused_experiments.hh"
#include "small_experiment.hh"

#include "support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>

namespace crx {

namespace {

TEST(ExperimentErrors, NameFileLineKeyValueAndWhatIsAccepted)
{
    ASSERT_EQ(error_of(small_experiment), "");
    for (auto const& refusal : refusals)
        EXPECT_EQ(error_with(refusal.from, refusal.to), refusal.answer) << refusal.to;
}

TEST(ExperimentErrors, OverridesAreNamedByTheirKey)
{
    std::pair<std::string, std::string> const answers[] = {
        {"workload.memory=10",
         "--set workload.memory: workload.memory = 10 at alpha = 0.1 (sweep alpha)\n"
         "  not accepted: must be at least 23: s + o = 3 + 20 occurs"},
        {"workload.memory=x*", "--set workload.memory: workload.memory = \"x*\"\n"
                               "  not accepted: must be an integer in [1, 2147483647], or an "
                               "expression in quotes (Unexpected end of expression at position 3)"},
        {"stop.instnces=5", "--set stop.instnces: stop.instnces = 5\n"
                            "  unknown key; accepted here: confidence, first, half_width, "
                            "instances (did you mean instances?)"},
        {"policy.3.id=a-min",
         "--set policy.3.id: no element 3 in a list of 1; elements are numbered from 0"},
        {"policy.0.id=a-mx", "--set policy.0.id: policy.0.id = \"a-mx\"\n"
                             "  not accepted: must be " +
                                 one_of("a-mx", policy_ids())},
        {"workload.memory", "--set workload.memory\n"
                            "  not accepted: must be KEY=VALUE, such as stop.instances=1000"},
        {"=3", "--set =3\n"
               "  not accepted: must be KEY=VALUE, such as stop.instances=1000"},
        {"seed.x=3",
         "--set seed.x: seed = { x = 3 }\n"
         "  unknown key; accepted here: baselines, capacity, experiment, measures, model, panel, "
         "policy, run, stop, "
         "sweep, variables, workload"},
        {"workload.memory.x=3",
         "--set workload.memory.x: there is no x in 100, which is not a table"},
        {"experiment.seed=-1", "--set experiment.seed: experiment.seed = -1\n"
                               "  not accepted: must be an integer in [0, 9223372036854775807]"},
        {"experiment.seed=9007199254740993.0", "--set experiment.seed: experiment.seed is a real "
                                               "number of at least 2^53, where not every "
                                               "integer is one\n  not accepted: must be written as "
                                               "an integer, without point or exponent"},
        {"a..b=3", "--set a..b: the key has an empty part"},
        {"sweep.0.axes.alpha=[2]", "--set sweep.0.axes.alpha: sweep.0.axes.alpha = [2]\n"
                                   "  not accepted: must be values in (0, 1], and 2 is not"},
    };
    for (auto const& [override, answer] : answers)
        EXPECT_EQ(error_of(small_experiment, {override}), answer) << override;
}

TEST(ExperimentErrors, ALawCannotBeAnAxis)
{
    auto const text = with(small_experiment, "prompt = 3",
                           "prompt = { law = \"uniform\", lower = 0, upper = 9 }");
    EXPECT_EQ(error_of(with(text, "[0.5, 0.1, 1]", "[0.5], prompt = [0, 3]")),
              "x.toml:24: sweep.0.axes.prompt\n"
              "  not accepted: prompt is a law in this file, so it cannot be an axis; write "
              "`prompt = 0` in [workload]");
}

TEST(ExperimentErrors, MistakesInSeveralTablesAreSaidAtOnce)
{
    auto const text =
        with(with(small_experiment, "instances = 4", "instances = -3"), "two-point", "twopoint");
    EXPECT_EQ(error_of(text), "x.toml:6: stop.instances = -3\n"
                              "  not accepted: must be an integer in [1, 1000000000000]\n"
                              "x.toml:14: workload.output.law = \"twopoint\"\n"
                              "  not accepted: must be " +
                                  one_of("twopoint", output_laws()));
    EXPECT_THROW(parse(text), ConfigError);
    EXPECT_EQ(
        error_of(with(with(text, "id = \"a-max\"", "id = 3"), "seed = 7", "seed = -7\nb = 1")),
        "x.toml:5: experiment.b = 1\n"
        "  unknown key; accepted here: name, seed, title\n"
        "x.toml:4: experiment.seed = -7\n"
        "  not accepted: must be an integer in [0, 9223372036854775807]\n"
        "x.toml:7: stop.instances = -3\n"
        "  not accepted: must be an integer in [1, 1000000000000]\n"
        "x.toml:22: policy.0.id = 3\n"
        "  not accepted: must be " +
            one_of("", policy_ids()) +
            "\nx.toml:15: workload.output.law = \"twopoint\"\n"
            "  not accepted: must be " +
            one_of("twopoint", output_laws()));
}

TEST(ExperimentErrors, MisspeltKeysAreSaidFirstBesideWrongValues)
{
    auto text = with(small_experiment, "memory = 100", "memmory = 100");
    text = with(text, "instances = 4", "instances = 0");
    text = with(text, "upper = 20", "upper = -20\nshort_fracton = 0.5");
    text = with(text, "short_fraction = ", "short_fraction = 0.5 #");
    text = with(text, "id = \"a-max\"", "id = \"a-mx\"");
    EXPECT_EQ(error_of(text), "x.toml:11: workload.memmory = 100\n"
                              "  unknown key; did you mean memory, which is missing here?\n"
                              "x.toml:17: workload.output.short_fracton = 0.5\n"
                              "  unknown key; accepted here: counts, law, lower, short_fraction, "
                              "upper (did you mean short_fraction?)\n"
                              "x.toml:6: stop.instances = 0\n"
                              "  not accepted: must be an integer in [1, 1000000000000]\n"
                              "x.toml:22: policy.0.id = \"a-mx\"\n"
                              "  not accepted: must be " +
                                  one_of("a-mx", policy_ids()) +
                                  "\nx.toml:16: workload.output.upper = -20\n"
                                  "  not accepted: must be an integer in [1, 2147483647]");
}

TEST(ExperimentErrors, MistakesInEveryTableAreSaidAtOnce)
{
    auto text = with(small_experiment, "instances = 4",
                     "instances = 4\nhalf_width = -1\nconfidence = 2\nfrist = 3");
    text = with(text, "id = \"a-max\"",
                "id = \"a-ladder\"\nlevels = 3\n[[policy]]\nid = \"a-min\"\nlable = \"x\"");
    text = with(text, "rule = \"support\"", "rule = \"buckets\"\nwidth = 0\nx = 1");
    text = with(text, "[workload.interval]",
                "[workload.clock]\nd0 = true\nd1 = false\nd2 = 1\nslowdwn = 2\n"
                "[workload.arrivals]\nlaw = \"poisson\"\nrate = true\nrepaet = false\n"
                "[workload.interval]");
    text = with(text, "[[policy]]", "[baselines]\nuse = [\"volum\"]\nstep = 3\n[[policy]]");
    text = with(text, "name = \"alpha\"", "name = \"alpha\"\nrefin = 3");
    auto const error = error_of(text);
    std::vector<std::string> first, others;
    for (std::size_t at = 0; at < error.size();) {
        auto const line = error.substr(at, error.find('\n', at) - at);
        auto const next = error.find("\nx.toml:", at);
        auto const whole = error.substr(at, next - at);
        auto const key = line.substr(line.find(": ") + 2);
        (whole.find("unknown key") != std::string::npos ? first : others)
            .push_back(key.substr(0, key.find(' ')));
        at = next == std::string::npos ? error.size() : next + 1;
    }
    EXPECT_EQ(first, (std::vector<std::string>{"stop.frist", "baselines.step", "policy.1.lable",
                                               "workload.interval.x", "workload.clock.slowdwn",
                                               "workload.arrivals.repaet", "sweep.0.refin"}))
        << error;
    EXPECT_EQ(others, (std::vector<std::string>{"stop.half_width", "stop.confidence",
                                                "baselines.use.0", "policy.0.levels",
                                                "workload.interval.width", "workload.clock.d0",
                                                "workload.clock.d1", "workload.arrivals.rate"}))
        << error;
}

TEST(ExperimentErrors, WhatIsWrongElsewhereMakesNoKeyUnknown)
{
    // The law's other keys are those of a law that nobody knows.
    auto const text =
        with(with(small_experiment, "two-point", "twopoint"), "seed = 7", "seed = 0.5");
    EXPECT_EQ(error_of(text).find("unknown key"), std::string::npos) << error_of(text);
    auto const arrivals = with(text, "[workload.interval]",
                               "[workload.arrivals]\nlaw = \"poison\"\nrate = 1\n"
                               "[workload.interval]");
    EXPECT_EQ(error_of(arrivals).find("unknown key"), std::string::npos) << error_of(arrivals);
    // A key of another law is unknown where all else is right.
    EXPECT_NE(error_with("[workload.interval]", "[workload.arrivals]\nlaw = \"at-zero\"\nrate = 1\n"
                                                "[workload.interval]")
                  .find("workload.arrivals.rate = 1\n  unknown key"),
              std::string::npos);
}

TEST(ExperimentErrors, UnknownKeysOfATableAreSaidAtOnce)
{
    EXPECT_EQ(
        error_with("instances = 4", "instances = 4\nfrist = 8\nx = 1"),
        "x.toml:7: stop.frist = 8\n"
        "  unknown key; accepted here: confidence, first, half_width, instances (did you mean "
        "first?)\n"
        "x.toml:8: stop.x = 1\n"
        "  unknown key; accepted here: confidence, first, half_width, instances");
}

TEST(ExperimentErrors, AllThatIsMissingIsSaidAtOnce)
{
    EXPECT_EQ(error_of("[experiment]\nname = \"x\"\n[workload]\nmemory = 3\n"),
              "x.toml:1: these keys are missing\n"
              "  experiment.seed: must be an integer in [0, 9223372036854775807]\n"
              "  stop.instances: must be an integer in [1, 1000000000000]\n"
              "  policy: must be at least one [[policy]] with an id\n"
              "  sweep: must be at least one [[sweep]] with a name");
}

TEST(ExperimentErrors, OneInstanceHasNoHalfWidth)
{
    auto const text = with(small_experiment, "instances = 4", "instances = 4\nhalf_width = 0.1");
    EXPECT_EQ(error_of(text, {"stop.instances=1"}),
              "--set stop.instances: stop.instances = 1\n"
              "  not accepted: must be at least 2 with half_width");
    EXPECT_EQ(error_of(text, {"stop.instances=2"}), "");
    EXPECT_EQ(error_of(text, {"stop.first=5"}),
              "--set stop.first: stop.first = 5\n"
              "  not accepted: must be at most instances, which is 4");
    EXPECT_EQ(error_of(small_experiment, {"stop.instances=1"}), "");
}

TEST(ExperimentErrors, SyntaxErrorsNameLineAndColumn)
{
    auto const error = error_with("memory = 100", "memory = = 100");
    EXPECT_TRUE(error.starts_with("x.toml:11:10: not valid TOML: ")) << error;
}

TEST(ExperimentErrors, AModelThatThereIsNotIsRefused)
{
    EXPECT_EQ(error_of(small_experiment + "[model]\nkind = \"iteration\"\n"),
              "x.toml:26: model.kind = \"iteration\"\n  not accepted: must be one of "
              "iterations, rounds (did you mean iterations?)");
    EXPECT_EQ(error_of(small_experiment + "[model]\nkind = \"rounds\"\n"), "");
}

TEST(ExperimentErrors, UnknownCurvesAreRefused)
{
    auto const error =
        error_of(small_experiment +
                 "[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\ncurves = [\"chen-5.11\"]\n");
    EXPECT_TRUE(error.starts_with("x.toml:28: panel.0.curves.0 = \"chen-5.11\"\n"
                                  "  not accepted: must be one of "))
        << error;
    EXPECT_TRUE(error.ends_with(" (did you mean chen-5.1?)")) << error;
}

TEST(ExperimentErrors, ALowerEndAboveTheUpperIsRefused)
{
    EXPECT_EQ(
        error_with("max(1, round(alpha * upper))", "100 * alpha"),
        "x.toml:15: workload.output.lower = \"100 * alpha\", which is 50 at alpha = 0.5 (sweep "
        "alpha)\n  not accepted: must be at most upper, which is 20");
}

TEST(ExperimentErrors, AlphaAsAVariableIsCheckedToo)
{
    auto text = with(small_experiment, "t = 1\n", "t = 1\nalpha = \"beta + 0.5\"\n");
    text = with(text, "alpha = [0.5, 0.1, 1]", "beta = [0.25, 0.75]");
    EXPECT_EQ(
        error_of(text),
        "x.toml:9: variables.alpha = \"beta + 0.5\", which is 1.25 at beta = 0.75 (sweep alpha)\n"
        "  not accepted: must be a number in (0, 1]");
}

TEST(ExperimentErrors, OfALongValueTheBeginningIsShown)
{
    // 200 bytes end within a letter of two.
    auto const error = error_with("rule = \"support\"", "rule = \"" + std::string(198, 'x') +
                                                            "\u00fc" + std::string(50, 'y') + '"');
    EXPECT_EQ(error, "x.toml:19: workload.interval.rule = \"" + std::string(198, 'x') +
                         " ..\n  not accepted: must be one of buckets, common, exact, relative, "
                         "support");
}

TEST(ExperimentErrors, FilesThatCannotBeReadSayWhy)
{
    auto const error = [](std::filesystem::path const& file) -> std::string {
        try {
            Experiment::read(file);
        } catch (InputError const& refused) {
            return refused.what();
        }
        return {};
    };
    EXPECT_EQ(error("/nowhere/x.toml"),
              "/nowhere/x.toml: cannot be read: No such file or directory");
    EXPECT_EQ(error("/"), "/: cannot be read: is a directory");
    crx_test::TemporaryFolder const folder;
    auto const store = folder / "a.db";
    std::ofstream(store) << std::string("SQLite format 3\0", 16) << "and so on";
    EXPECT_EQ(error(store), store.string() + ": is a database, not the text of an experiment\n"
                                             "  a store is named by --db FILE, behind the "
                                             "experiment");
}

} // namespace

} // namespace crx

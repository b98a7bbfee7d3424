// Denominators that are searched for or solved, and instances of published laws, in experiment
// files: what a file may say, what is refused, what makes cells differ, and that a sweep's numbers
// are those of `crx baseline`.
#include "host/sweep/backend.hh"
#include "small_experiment.hh"
#include "tests/host/run_program.hh"
#include "tests/support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

std::string dividing_by(std::string const& lines)
{
    return with(small_experiment, "[[sweep]]", "[baselines]\nuse = [" + lines + "\n[[sweep]]");
}

PlannedCell first_cell(std::string const& text)
{
    auto const experiment = parse(text);
    return experiment.make_cell(experiment.sweeps[0].name,
                                experiment.grid(experiment.sweeps[0].name).front());
}

TEST(HindsightExperiment, EffortIsPartOfTheIdentity)
{
    auto const usual = first_cell(dividing_by("\"best-found\"]")).identity;
    EXPECT_NE(usual.find(R"("baselines":["best-found"],"effort":{"evaluations":"1000",)"
                         R"("rounds":"without idle gaps",)"
                         R"("search":"orders with waits, then near places"})"),
              std::string::npos)
        << usual;
    EXPECT_NE(usual, first_cell(dividing_by("\"best-found\"]\nevaluations = 999")).identity);
    auto const opt = first_cell(dividing_by("\"opt\", \"volume\"]\nnodes = 77")).identity;
    EXPECT_NE(
        opt.find(
            R"("effort":{"ends":"by configurations or pairs alone","evaluations":"1000","nodes":"77",)"
            R"("rounds":"without idle gaps",)"
            R"("search":"orders with waits, then near places","steps":"4 n^2 to 1000"})"),
        std::string::npos)
        << opt;
    auto const peaks = first_cell(dividing_by("\"peaks\"]")).identity;
    EXPECT_NE(peaks.find(R"("effort":{"evaluations":"1000","peaks":"at least the outputs",)"),
              std::string::npos)
        << peaks;
    // What needs no effort has none.
    EXPECT_EQ(first_cell(small_experiment).identity.find("effort"), std::string::npos);
}

TEST(HindsightExperiment, RefusesWhatSaysNothing)
{
    EXPECT_EQ(error_of(dividing_by("\"best-fund\"]")),
              "x.toml:23: baselines.use.0 = \"best-fund\"\n"
              "  not accepted: must be one of best-found, dual, h-sf, mc-sf, "
              "opt, opt-lower, opt-upper, peaks, release, volume (did you mean best-found?)");
    EXPECT_EQ(error_of(dividing_by("\"h-sf\"]\nevaluations = 5")),
              "x.toml:24: baselines.evaluations = 5\n"
              "  not accepted: must be left out unless use has one of best-found, peaks, "
              "opt-lower, opt-upper, opt");
    EXPECT_EQ(error_of(dividing_by("\"best-found\"]\nnodes = 5")),
              "x.toml:24: baselines.nodes = 5\n"
              "  not accepted: must be left out unless use has one of opt-lower, opt-upper, opt");
    EXPECT_EQ(error_of(dividing_by("\"opt\"]\nnodes = 0")),
              "x.toml:24: baselines.nodes = 0\n"
              "  not accepted: must be an integer in [1, 1000000000000]");
    auto const at = " at alpha = 0.1 (sweep alpha): must be ";
    EXPECT_EQ(error_of(dividing_by("\"dual\"]")),
              std::string("x.toml:22: baselines.use: dual\n  not accepted") + at +
                  "left out unless all requests have one prompt and one output length");
    EXPECT_EQ(error_of(with(dividing_by("\"opt\"]"), "requests = 10", "requests = 65")),
              std::string("x.toml:22: baselines.use: opt\n  not accepted") + at +
                  "left out where n is above 64, which its search cannot hold; opt-lower and "
                  "opt-upper can be had");
    EXPECT_EQ(error_of(with(dividing_by("\"best-found\"]"), "memory = 100", "memory = 2000000000")),
              std::string("x.toml:22: baselines.use: best-found\n  not accepted") + at +
                  "left out where M is above 2^30, which its search cannot hold");
    EXPECT_EQ(
        error_of(small_experiment +
                 "[sweep.set]\n\"workload.arrivals\" = { law = \"poisson-rounds\", rate = 0.5 }\n"),
        "x.toml:1: baselines.use: h-sf, as the file names none\n  not accepted" + std::string(at) +
            "one of release, mc-sf, best-found, peaks, opt-lower, opt-upper, opt "
            "where requests arrive over time");
    EXPECT_EQ(error_of(with(dividing_by("\"peaks\"]"), "[variables]",
                            "[run]\nengine = \"cohort\"\n[variables]")),
              "x.toml:8: run.engine = \"cohort\"\n"
              "  not accepted: must be auto or request for policy a-max at alpha = 0.1 (sweep "
              "alpha): baselines that search for schedules name requests");
    EXPECT_EQ(error_of(dividing_by("\"peaks\"]") +
                       "[sweep.refine]\naxis = \"alpha\"\nrounds = 1\nbaseline = \"opt\"\n"),
              "x.toml:30: sweep.0.refine.baseline = \"opt\"\n"
              "  not accepted: must be one of peaks");
}

TEST(HindsightExperiment, IdenticalRequestsHaveADual)
{
    auto const text = with(with(dividing_by("\"dual\", \"volume\"]"), "short_fraction",
                                "short_fraction = 1\ncounts = \"exact\"\n#"),
                           "axes = { alpha = [0.5, 0.1, 1] }", "axes = { alpha = [1] }");
    auto const planned = first_cell(text);
    auto const tally = launch_host(planned.cell, {0, 2});
    auto const dual = static_cast<int>(BaselineKind::dual);
    // All alike: n = 10, s = 3, o = 20, M = 100, so beta = 27 and
    // y = 27 x 20 x 10 / 200 - 19 x (9 + 40 + 2) / 81 = 15.04 for each beside o; the prices sum to
    // less than what that leaves.
    EXPECT_GE(tally[0].sums.ratio[dual].baseline_sum, 2u * 10 * 20);
    EXPECT_LE(tally[0].sums.ratio[dual].baseline_sum, tally[0].sums.latency);
}

std::string const published = R"toml([experiment]
name = "published"
seed = 7
[stop]
instances = 3
[workload]
instances = "jaillet-5.1-model-2"
[[policy]]
id = "mc-sf"
[baselines]
use = ["mc-sf", "best-found", "peaks"]
evaluations = 20
steps = 50
[[sweep]]
name = "all"
axes = {}
)toml";

std::string const small_and_over_time = R"toml([experiment]
name = "small"
seed = 11
[stop]
instances = 4
[workload]
requests = 8
memory = 20
prompt = { law = "uniform", lower = 0, upper = 5 }
[workload.output]
law = "uniform"
lower = 1
upper = 14
[workload.interval]
rule = "exact"
[workload.arrivals]
law = "poisson-rounds"
rate = 1
[[policy]]
id = "mc-sf"
[baselines]
use = ["mc-sf", "best-found", "peaks", "opt-lower", "opt-upper", "opt"]
evaluations = 20
steps = 50
nodes = 100000
[[sweep]]
name = "all"
axes = {}
)toml";

// n differs from instance to instance, and a store keeps totals: there is no mean over requests.
TEST(HindsightExperiment, PublishedInstancesHaveNoMeansOverRequests)
{
    auto const showing = [](std::string const& measure) {
        return with(with(published, "id = \"mc-sf\"", "id = \"clear\"\nbeta = 0.2\nalpha = \"a\""),
                    "axes = {}\n",
                    "axes = { a = [0, 0.1] }\n[[panel]]\nsweep = \"all\"\nx = \"a\"\nmeasure = \"" +
                        measure + "\"\n");
    };
    EXPECT_EQ(error_of(showing("mean-latency")),
              "x.toml:22: panel.0.measure = \"mean-latency\"\n"
              "  not accepted: must be another measure where the number of requests differs from "
              "instance to instance (workload.instances), as sums are kept of totals alone");
    EXPECT_NE(error_of(showing("mean-first-token")).find("another measure"), std::string::npos);
    EXPECT_EQ(error_of(showing("mean-makespan")), error_of(published));
}

TEST(HindsightExperiment, PublishedInstancesHaveALawOfTheirOwn)
{
    auto const planned = first_cell(published);
    EXPECT_NE(planned.identity.find(R"("output":{"law":"jaillet-5.1-model-2"})"), std::string::npos)
        << planned.identity;
    EXPECT_EQ(planned.parameters.count("requests"), 0u); // which differ
    EXPECT_EQ(error_of(with(published, "model-2\"", "model-2\"\nmemory = 3")),
              "x.toml:8: workload.memory = 3\n"
              "  not accepted: must be left out where instances names the law of all of it");
    EXPECT_EQ(error_of(with(published, "model-2", "model-3")),
              "x.toml:7: workload.instances = \"jaillet-5.1-model-3\"\n"
              "  not accepted: must be one of jaillet-5.1-model-1, jaillet-5.1-model-2 (did you "
              "mean jaillet-5.1-model-1?)");
    EXPECT_NE(error_of(with(published, "use = [", "use = [\"volume\", ")).find("over time"),
              std::string::npos);
    EXPECT_EQ(error_of(with(published, "id = \"mc-sf\"", "id = \"sorted-lp\""))
                  .find("x.toml:9: policy.0.id = \"sorted-lp\"\n  not accepted: must be left out"),
              0u);
}

/// One row of `crx export` by its columns.
std::map<std::string, std::string> row_of(std::string const& csv, std::string const& baseline)
{
    std::map<std::string, std::string> row;
    std::istringstream lines(csv);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
        if (names.empty()) {
            names = fields;
            continue;
        }
        for (std::size_t k = 0; k < fields.size() && k < names.size(); ++k)
            row[names[k]] = fields[k];
        if (row["baseline"] == baseline) return row;
    }
    return {};
}

// The sums of a sweep are what `crx baseline` says of its instances, exported one by one, with the
// same effort; under arrivals, and for instances of a published law that draws M as well.
TEST(HindsightExperiment, SweepsDivideByWhatBaselineSays)
{
    struct Example
    {
        std::string text, effort;
        int instances;
        std::vector<std::string> ids;
    };
    crx_test::TemporaryFolder const folder;
    auto const run = [&](std::string const& arguments) {
        auto const ending = crx_test::run_program(arguments, folder.path(), false);
        EXPECT_EQ(ending.status, 0) << arguments << ending.text;
        return ending.text;
    };
    for (auto const& example : {Example{small_and_over_time,
                                        "--evaluations 20 --steps 50 --nodes 100000",
                                        4,
                                        {"best-found", "peaks", "opt-lower", "opt-upper", "opt"}},
                                Example{published,
                                        "--evaluations 20 --steps 50 --time-limit 2",
                                        3,
                                        {"best-found", "peaks"}}}) {
        std::ofstream(folder / "e.toml") << example.text;
        std::filesystem::remove(folder / "e.db");
        run("sweep e.toml --backend auto --threads 2 --db e.db");
        auto const csv = run("export e.db");
        std::map<std::string, std::int64_t> sums;
        for (int k = 0; k < example.instances; ++k) {
            auto const replay =
                nlohmann::json::parse(run("replay e.db --cell 0 --instance " + std::to_string(k) +
                                          " --json --write-instance i.csv"));
            auto const result = nlohmann::json::parse(run("baseline --instance i.csv --memory " +
                                                          replay[0]["memory"].dump() + " " +
                                                          example.effort + " --json"));
            std::int64_t lower = 0;
            for (auto const& bound : result["lower_bounds"]) {
                if (bound["value"].is_null()) continue;
                auto const value = bound["value"].get<std::int64_t>();
                sums[bound["id"]] += value;
                lower = std::max(lower, value);
            }
            auto least = std::numeric_limits<std::int64_t>::max();
            for (auto const& schedule : result["schedules"])
                if (schedule["id"] != "configurations")
                    least = std::min(least, schedule["total_latency"].get<std::int64_t>());
            sums["best-found"] += least;
            auto const upper = result["upper"].get<std::int64_t>();
            sums["opt-upper"] += upper;
            sums["opt-lower"] += lower;
            sums["opt"] += lower == upper ? upper : 0;
        }
        for (auto const& id : example.ids) {
            auto row = row_of(csv, id);
            EXPECT_EQ(row["baseline_sum"], std::to_string(sums[id])) << id << "\n" << csv;
            EXPECT_EQ(row["divided"], std::to_string(example.instances));
            EXPECT_NE(row["denominator"].find("OPT"), std::string::npos);
        }
    }
    EXPECT_EQ(
        crx_test::run_program("sweep e.toml --backend cuda --db q.db", folder.path()).with_status(),
        "crx: command line: --backend = cuda\n"
        "  not accepted: must be auto or cpu here: denominator best-found is searched for or "
        "solved, which only the CPU does\nstatus 2");
}

} // namespace
} // namespace crx

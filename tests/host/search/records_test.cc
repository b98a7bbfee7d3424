// witnesses/records: each is what the oracle says, and docs/records.md is the table of them.
#include "oracle/oracle.hh"
#include "oracle/sorted_f.hh"
#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

using Json = nlohmann::json;

std::filesystem::path const folder = CRX_SOURCE_DIR "/witnesses/records";

std::string text_of(std::filesystem::path const& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<oracle::Request> requests_of(Json const& witness)
{
    std::vector<oracle::Request> requests;
    for (auto const& r : witness.at("requests")) {
        std::int64_t const output = r.at("output");
        requests.insert(requests.end(), r.value("count", std::size_t{1}),
                        oracle::Request{r.value("arrival", 0), r.at("prompt"), output,
                                        r.value("lower", output), r.value("upper", output)});
    }
    return requests;
}

/// TEL of a side times its draws, by the oracle; nothing where the oracle has no such policy.
std::optional<std::int64_t> sum_of(Json const& side, std::vector<oracle::Request> const& requests)
{
    std::string const policy = side.at("policy");
    if (policy == "sorted-lp" || policy == "lp-swap") return std::nullopt;
    std::int64_t sum = 0;
    for (std::uint64_t k = 0; k < side.value("instances", std::uint64_t{1}); ++k)
        sum += policy == "sorted-f"
                   ? oracle::simulate_sorted_f({side.at("selector")}, requests, side.at("memory"),
                                               side.at("seed"), k)
                         .total_latency
                   : oracle::simulate({policy}, requests, side.at("memory"), side.at("seed"), k)
                         .total_latency;
    return sum;
}

void check_side(Json const& side, std::vector<oracle::Request> const& requests)
{
    std::string const says = side.at("total_latency");
    auto const draws = side.value("instances", std::int64_t{1});
    auto const slash = says.find('/');
    auto const above = std::stoll(says.substr(0, slash));
    auto const below = slash == std::string::npos ? 1 : std::stoll(says.substr(slash + 1));
    if (side.contains("policy")) {
        if (auto const sum = sum_of(side, requests)) {
            EXPECT_EQ(*sum * below, above * draws);
        }
        return;
    }
    if (!side.contains("starts")) return; // a bound
    std::vector<std::int64_t> const starts = side.at("starts");
    ASSERT_EQ(starts.size(), requests.size());
    std::map<std::int64_t, std::int64_t> held;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        EXPECT_GE(starts[i], requests[i].arrival);
        total += starts[i] + requests[i].output - requests[i].arrival;
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            held[starts[i] + j] += requests[i].prompt + j;
    }
    for (auto const& [time, tokens] : held)
        EXPECT_LE(tokens, side.at("memory").get<std::int64_t>()) << time;
    EXPECT_EQ(total, above);
}

TEST(Records, AreWhatTheOracleSays)
{
    int files = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        SCOPED_TRACE(entry.path().filename());
        auto const witness = Json::parse(text_of(entry.path()));
        auto const requests = requests_of(witness);
        check_side(witness.at("numerator"), requests);
        check_side(witness.at("denominator"), requests);
        ++files;
    }
    EXPECT_GE(files, 37);
}

TEST(Records, ThePageIsTheirTable)
{
    auto const table = run_program("search --records " + folder.string());
    ASSERT_EQ(table.status, 0) << table.text;
    EXPECT_NE(text_of(CRX_SOURCE_DIR "/docs/records.md").find("\n" + table.text), std::string::npos)
        << "crx search --records witnesses/records prints the table of docs/records.md";
}

double ratio_of(Json const& witness)
{
    std::string const text = witness.at("ratio");
    auto const slash = text.find('/');
    return std::stod(text.substr(0, slash)) /
           (slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1)));
}

TEST(Records, GrowWithEachSearch)
{
    TemporaryFolder here;
    auto const search = [&](std::string const& more) {
        return run_program("search --policy mc-sf --requests 6 --memory 9 --neighbours 300 "
                           "--record rec " +
                               more,
                           here.path(), false);
    };
    EXPECT_EQ(search("--generations 1").status, 0);
    auto const json = here.path() / "rec/mc-sf/over-opt.any.n6.m9.json";
    auto const first = Json::parse(text_of(json));
    EXPECT_EQ(search("--generations 4 --seed 2").status, 0);
    auto const second = Json::parse(text_of(json));
    EXPECT_GE(ratio_of(second), ratio_of(first));
    auto cost = json;
    cost.replace_extension(".cost");
    auto const spent = Json::parse(text_of(cost));
    EXPECT_EQ(spent.at("searches"), 2);
    EXPECT_EQ(spent.at("neighbours"), 5 * 16 * 300);
    EXPECT_GT(spent.at("processor_seconds"), 0);
    auto const table = run_program("search --records rec", here.path());
    EXPECT_NE(table.text.find("| mc-sf | opt | any | 6, 9 | ["), std::string::npos) << table.text;
    EXPECT_NE(table.text.find("\n| all | "), std::string::npos) << table.text;
}

TEST(Records, StartFromThoseOfNarrowerClasses)
{
    TemporaryFolder here;
    auto const found = [&](std::string const& folder, std::string const& more,
                           std::string const& name) {
        auto const ending = run_program("search --policy a-max --memory 9 --generations 1 " + more +
                                            " --record " + folder,
                                        here.path());
        EXPECT_EQ(ending.status, 0) << ending.text;
        return ratio_of(Json::parse(text_of(here.path() / folder / "a-max" / name)));
    };
    auto const any = [&](std::string const& folder) {
        return found(folder, "--requests 7 --neighbours 1", "over-opt.any.n7.m9.json");
    };
    auto const narrow = found("rec", "--requests 6 --class equal-prompts --neighbours 1000",
                              "over-opt.equal-prompts.n6.m9.json");
    EXPECT_LT(any("alone"), narrow);
    EXPECT_GE(any("rec"), narrow);
}

// A search that finds nothing better changes no record, whatever worse ones lie beside it.
TEST(Records, AreNeverReplacedByWorseOnes)
{
    TemporaryFolder here;
    auto const run = [&](std::string const& more) {
        return run_program("search --policy mc-sf --memory 12 --record rec " + more, here.path());
    };
    auto const json = here.path() / "rec/mc-sf/over-volume.any.n8.m12.json";
    // By name this one comes before: its ratio over the volume bound is smaller.
    EXPECT_EQ(run("--requests 3 --over opt --generations 1 --neighbours 300").status, 0);
    EXPECT_EQ(run("--requests 8 --over volume --generations 1 --neighbours 4000").status, 0);
    auto const before = text_of(json);
    EXPECT_EQ(run("--requests 8 --over volume --generations 1 --neighbours 1 --seed 2").status, 0);
    EXPECT_EQ(text_of(json), before);
}

TEST(Records, RefuseWhatTheyHaveNoPlaceFor)
{
    TemporaryFolder here;
    for (auto const* line :
         {"--policy mc-sf --over h-sf --measure p99 --record rec",
          "--policy a-ell --over h-sf --against chen-5.2 --interval 1/2 --record rec",
          "--policy protect --alpha 0.5 --record rec", "--policy a-min --draws 3 --record rec",
          "--policy mc-sf --record rec -o a.json", "--records nowhere", "--generations 1"}) {
        auto const ending = run_program("search " + std::string(line), here.path());
        EXPECT_EQ(ending.status, 2) << line << ending.text;
    }
    std::ofstream(here.path() / "x.cost") << "{}";
    EXPECT_EQ(run_program("search --records .", here.path()).status, 2);
}

} // namespace
} // namespace crx_test

// crx witness: what it accepts, and that it accepts nothing that was changed.
#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <thread>
#include <unistd.h>

namespace crx_test {
namespace {

using Json = nlohmann::ordered_json;

class WitnessCommand : public testing::Test
{
  protected:
    Ending run(std::string const& arguments) { return run_program(arguments, folder.path()); }
    Json file(std::string const& name)
    {
        std::ifstream stream(folder.path() / name);
        return Json::parse(stream);
    }
    void write(std::string const& name, Json const& object)
    {
        std::ofstream(folder.path() / name) << object.dump();
    }
    int check(std::string const& name) { return run("witness --threads 1 " + name).status; }
    void exhaust(std::string const& arguments)
    {
        auto const ending = run("search --exhaustive --threads 2 " + arguments);
        ASSERT_EQ(ending.status, 0) << arguments << "\n" << ending.text;
    }

    TemporaryFolder folder;
};

TEST_F(WitnessCommand, AcceptsEveryFileOfTheProject)
{
    auto const source = std::string(CRX_SOURCE_DIR "/witnesses/");
    auto const ending = run("witness " + source + "*.json " + source + "records/*/*.json");
    EXPECT_EQ(ending.status, 0) << ending.text;
}

/// Calls visit for every whole number in the object.
void for_each_number(Json& object, std::function<void(Json&)> const& visit)
{
    if (object.is_number_integer()) return visit(object);
    if (object.is_structured())
        for (auto& part : object) for_each_number(part, visit);
}

TEST_F(WitnessCommand, ChecksCertificatesOfOptima)
{
    std::ofstream(folder.path() / "five.csv") << "prompt,output\n3,2\n1,6\n2,4\n5,1\n2,5\n";
    ASSERT_EQ(run("baseline --instance five.csv --memory 12 --certificate opt.json").status, 0);
    auto const ending = run("witness opt.json");
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_NE(ending.text.find("opt.json: holds: OPT = 24, proven"), std::string::npos)
        << ending.text;
    auto earlier = file("opt.json"); // all at once is more than memory holds
    for (auto& start : earlier["starts"]) start = 0;
    write("opt.json", earlier);
    EXPECT_EQ(check("opt.json"), 1);
}

TEST_F(WitnessCommand, RefusesAChangeOfAnyNumber)
{
    ASSERT_EQ(run("search --policy mc-sf --requests 6 --memory 9 --generations 2 --neighbours 300 "
                  "-o w.json")
                  .status,
              0);
    EXPECT_EQ(check("w.json"), 0);
    auto const honest = file("w.json");
    int changes = 0;
    auto changed = honest;
    for_each_number(changed, [&](Json& number) {
        for (int const by : {-1, 1}) {
            auto const before = number.get<std::int64_t>();
            number = before + by;
            write("changed.json", changed);
            EXPECT_EQ(check("changed.json"), 1) << changed.dump();
            number = before;
            ++changes;
        }
    });
    EXPECT_GT(changes, 20);
}

// Without the checksum the rules themselves tell.
TEST_F(WitnessCommand, TellsByTheRulesAlone)
{
    ASSERT_EQ(
        run("search --policy mc-sf --requests 8 --memory 12 --generations 6 -o w.json").status, 0);
    auto honest = file("w.json");
    ASSERT_EQ(honest.at("ratio"), "30/11");
    honest.erase("checksum");
    write("bare.json", honest);
    EXPECT_EQ(check("bare.json"), 0);
    auto const refused = [&](auto change) {
        auto changed = honest;
        change(changed);
        write("changed.json", changed);
        auto const ending = run("witness changed.json");
        EXPECT_EQ(ending.status, 1) << ending.text;
        return ending.text;
    };
    refused([](Json& w) { w["ratio"] = "31/11"; });
    refused([](Json& w) { w["numerator"]["total_latency"] = "31"; });
    refused([](Json& w) { w["numerator"]["memory"] = 7; });
    refused([](Json& w) { w["numerator"]["policy"] = "mc-benchmarks"; });
    refused([](Json& w) { w["denominator"]["starts"][0] = -1; });
    refused([](Json& w) { w["denominator"]["memory"] = 5; });
    refused([](Json& w) { w["denominator"]["starts"].push_back(0); });
    refused([](Json& w) { w["requests"][1]["output"] = 2; });
    refused([](Json& w) { w.erase("requests"); });
    for (auto const& [side, key, value] : std::vector<std::tuple<std::string, std::string, Json>>{
             {"numerator", "orders", "sideways"},
             {"numerator", "mean", "nearly"},
             {"numerator", "lernt", "reached"},
             {"denominator", "schedule", "any"}}) {
        auto const text = refused([&](Json& w) { w[side][key] = value; });
        EXPECT_NE(text.find(side + ": "), std::string::npos) << text;
        EXPECT_NE(text.find(key), std::string::npos) << text;
    }
    EXPECT_NE(refused([](Json& w) { w["showz"] = ""; }).find("unknown key showz"),
              std::string::npos);
    EXPECT_NE(refused([](Json& w) {
                  w["requests"][1]["ouput"] = 2;
              }).find("entry 2 of requests: unknown key ouput"),
              std::string::npos);
    EXPECT_NE(refused([](Json& w) { w["denominator"].erase("memory"); }).find("denominator: key"),
              std::string::npos);
    // A schedule that is not the best, called proven.
    EXPECT_NE(refused([](Json& w) {
                  auto& starts = w["denominator"]["starts"];
                  for (auto& start : starts) start = start.get<int>() + 1;
                  w["denominator"]["total_latency"] = "19";
                  w["denominator"]["lower_bound"] = 19;
                  w["ratio"] = "30/19";
              }).find("there is a schedule"),
              std::string::npos);
}

TEST_F(WitnessCommand, SaysWhereMemoriesDiffer)
{
    std::ifstream stream(CRX_SOURCE_DIR "/witnesses/chen_lemma_8_8.json");
    auto const witness = Json::parse(stream);
    auto const above = witness.at("numerator").at("memory").dump();
    auto const below = witness.at("denominator").at("memory").dump();
    ASSERT_NE(above, below);
    auto const ending = run("witness " CRX_SOURCE_DIR "/witnesses/chen_lemma_8_8.json");
    EXPECT_NE(ending.text.find("; M is " + above + " above and " + below + " below"),
              std::string::npos)
        << ending.text;
}

TEST_F(WitnessCommand, ReadsBadFiles)
{
    std::ofstream(folder.path() / "a.json") << "{";
    std::ofstream(folder.path() / "b.json") << "[]";
    std::ofstream(folder.path() / "c.json") << "{}";
    EXPECT_EQ(check("a.json"), 1);
    EXPECT_EQ(check("b.json"), 1);
    EXPECT_EQ(check("c.json"), 1);
    EXPECT_EQ(check("none.json"), 2);
    EXPECT_EQ(run("witness .").text, "crx: .: cannot be read: is a directory\n");
    EXPECT_EQ(run("witness a.json").text.find("a.json: fails: parse error at line 1"), 0u);
    for (auto const* number : {"7e39", "-1.5", "2147483648.0"}) {
        std::ofstream(folder.path() / "d.json") << "{\"seed\": " << number << "}";
        auto const refused = run("witness d.json");
        EXPECT_EQ(refused.status, 1);
        EXPECT_NE(refused.text.find(" is no whole number"), std::string::npos) << refused.text;
    }
    auto const ending = run("witness a.json b.json");
    EXPECT_NE(ending.text.find("2 of 2 files failed"), std::string::npos) << ending.text;
}

TEST_F(WitnessCommand, ItsRunIsRefusedWhereTheSeedIsNoWholeNumber)
{
    std::ifstream stream(CRX_SOURCE_DIR "/witnesses/chen_geometric.json");
    auto changed = Json::parse(stream);
    changed.erase("checksum");
    for (auto const& seed : {Json(1.5), Json(-1), Json("1")}) {
        changed["numerator"]["seed"] = seed;
        write("w.json", changed);
        auto const refused = run("simulate --instance w.json");
        EXPECT_EQ(refused.status, 2);
        EXPECT_NE(refused.text.find("w.json: seed: " + seed.dump() + " is no whole number from 0"),
                  std::string::npos)
            << refused.text;
        EXPECT_EQ(check("w.json"), 1);
    }
}

TEST_F(WitnessCommand, AcceptsCertificatesOfEachKind)
{
    for (auto const* what :
         {"--policy mc-sf --requests 4 --memory 5", "--policy mc-sf-total --requests 3 --memory 6",
          "--policy mc-benchmark --requests 3 --memory 4 --last-arrival 2",
          "--policy mc-sf --over volume --requests 4 --memory 4",
          "--policy mc-sf --requests 5 --memory 9 --class equal-prompts",
          "--policy mc-sf --requests 4 --memory 16 --class small",
          "--policy mc-sf --requests 3 --memory 5 --class identical --last-arrival 4",
          "--policy sorted-f --selector exact --requests 3 --memory 5",
          "--policy sorted-f --selector swap --over h-sf --requests 3 --memory 5",
          "--policy protect --alpha 0.25 --over h-sf --requests 3 --memory 4",
          "--policy a-random --requests 3 --memory 5",
          "--policy a-max --over h-sf --requests 3 --memory 4",
          "--policy a-min --over h-sf --requests 3 --memory 4",
          "--policy a-min --learns exceeded --requests 3 --memory 8 --interval 1/2",
          "--policy a-ell --over a-max --requests 3 --memory 6 --interval 1/3",
          "--policy a-ladder --levels 1,3 --requests 2 --memory 4"}) {
        exhaust(std::string(what) + " -o c.json");
        auto const ending = run("witness --threads 2 c.json");
        EXPECT_EQ(ending.status, 0) << what << "\n" << ending.text;
        std::filesystem::remove(folder.path() / "c.json");
    }
}

TEST_F(WitnessCommand, RefusesAChangedCertificate)
{
    exhaust("--policy mc-sf --requests 4 --memory 5 -o c.json");
    auto honest = file("c.json");
    honest.erase("checksum");
    write("bare.json", honest);
    EXPECT_EQ(check("bare.json"), 0);
    auto const refused = [&](auto change) {
        auto changed = honest;
        change(changed);
        write("changed.json", changed);
        EXPECT_EQ(check("changed.json"), 1) << changed.dump();
    };
    refused([](Json& c) { c["maximum"] = "2"; });
    refused([](Json& c) { c["hash"] = "0000000000000000"; });
    refused([](Json& c) { c["complete"] = false; });
    refused([](Json& c) { c["range"]["memory"] = 4; });
    refused([](Json& c) { c["range"]["numerator"]["policy"] = "mc-sf-total"; });
    refused([](Json& c) { c["end"] = c["end"].get<int>() - 1; });
    refused([](Json& c) { c["counts"]["instances"] = c["counts"]["instances"].get<int>() + 1; });
    refused([](Json& c) { c["witnesses"][0]["requests"][0]["output"] = 2; });
}

TEST_F(WitnessCommand, PartsMakeTheWhole)
{
    auto const search = std::string("--policy mc-sf --requests 4 --memory 5 ");
    exhaust(search + "-o whole.json");
    for (auto const* part : {"1/3", "2/3", "3/3"}) {
        exhaust(search + "--shard " + part + " -o part" + part[0] + ".json");
        EXPECT_EQ(check(std::string("part") + part[0] + ".json"), 0);
    }
    EXPECT_EQ(run("search --merge part3.json part1.json part2.json -o merged.json").status, 0);
    EXPECT_EQ(file("merged.json"), file("whole.json"));
    EXPECT_EQ(run("search --merge part3.json part1.json -o other.json").status, 2);
    EXPECT_EQ(run("search --merge part1.json part1.json -o other.json").status, 2);
    // A part of the whole would replace it.
    auto const lost = run("search --merge part1.json part2.json -o merged.json");
    EXPECT_EQ(lost.status, 2);
    EXPECT_NE(lost.text.find("this one would be lost"), std::string::npos) << lost.text;
    EXPECT_EQ(run("search --merge part1.json part2.json -o two.json").status, 0);
    EXPECT_EQ(file("two.json").at("found_by"), "crx search --merge part1.json part2.json");
    EXPECT_EQ(check("two.json"), 0);
}

TEST_F(WitnessCommand, AKilledSearchGoesOn)
{
    auto const child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (chdir(folder.path().c_str()) != 0) _exit(1);
        (void)!freopen("/dev/null", "w", stderr);
        (void)!freopen("/dev/null", "w", stdout);
        execl(CRX_PROGRAM, "crx", "search", "--exhaustive", "--policy", "mc-sf", "--requests", "6",
              "--memory", "5", "--threads", "1", "-o", "c.json", static_cast<char*>(nullptr));
        _exit(1);
    }
    for (int k = 0; k < 600 && !std::filesystem::exists(folder.path() / "c.json"); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_GT(file("c.json").at("counts").at("multisets"), 0);
    auto const search = std::string("--policy mc-sf --requests 6 --memory 5 ");
    exhaust(search + "-o c.json");
    exhaust(search + "-o undisturbed.json");
    EXPECT_EQ(file("c.json"), file("undisturbed.json"));
    // Another search does not write over it.
    EXPECT_EQ(run("search --exhaustive --policy mc-sf --requests 5 --memory 5 -o c.json").status,
              2);
}

TEST_F(WitnessCommand, ExhaustiveSearchRefusesWhatItCannotDo)
{
    for (auto const& [line, says] : std::vector<std::pair<std::string, std::string>>{
             {"--policy mc-sf --requests 13", "--requests"},
             {"--policy mc-sf --requests 12 --memory 400000", "--requests"},
             {"--policy mc-sf --requests 3 --over best-found", "--over"},
             {"--policy mc-sf --requests 3 --over optt", "--over"},
             {"--policy sorted-lp --requests 3", "--policy"},
             {"--policy sorted-f --selector quantile --requests 3", "--selector"},
             {"--policy mc-sf --requests 3 --shard 4/3", "--shard"},
             {"--policy mc-sf --requests 3 --shard 1", "--shard"},
             {"--policy mc-sf --requests 3 --seconds 3", "--seconds"},
             {"--policy mc-sf --requests 3 --lengths 1,2", "--lengths"},
             {"--policy mc-sf --requests 3 --seed 2", "--seed"},
             {"--policy mc-sf --requests 3 --measure p99 --over h-sf", "--measure"}}) {
        auto const ending = run("search --exhaustive " + line);
        EXPECT_EQ(ending.status, 2) << line << "\n" << ending.text;
        EXPECT_NE(ending.text.find(says), std::string::npos) << line << "\n" << ending.text;
    }
    EXPECT_EQ(run("search --policy mc-sf --shard 1/2").status, 2);
}

} // namespace
} // namespace crx_test

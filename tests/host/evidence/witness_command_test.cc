// crx witness: what it accepts, and that it accepts nothing that was changed.
#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

using Evidence = nlohmann::ordered_json;

class WitnessCommand : public testing::Test
{
  protected:
    Ending run(std::string const& arguments) { return run_program(arguments, folder.path()); }
    Evidence file(std::string const& name)
    {
        std::ifstream stream(folder.path() / name);
        return Evidence::parse(stream);
    }
    void write(std::string const& name, Evidence const& object)
    {
        std::ofstream(folder.path() / name) << object.dump();
    }
    int check(std::string const& name) { return run("witness " + name).status; }

    TemporaryFolder folder;
};

TEST_F(WitnessCommand, AcceptsEveryFileOfTheProject)
{
    auto const ending = run("witness " CRX_SOURCE_DIR "/claims/witnesses/*.json");
    EXPECT_EQ(ending.status, 0) << ending.text;
}

TEST_F(WitnessCommand, ChecksEachLine)
{
    ASSERT_EQ(run("search --policy mc-sf --requests 5 --memory 6 --generations 1 -o w.json").status,
              0);
    auto const witness = file("w.json");
    auto changed = witness;
    changed["ratio"] = "7/2";
    std::ofstream(folder.path() / "all.jsonl") << witness.dump() << "\n\n"
                                               << changed.dump() << "\n{\n"
                                               << witness.dump();
    auto const ending = run("witness all.jsonl");
    EXPECT_EQ(ending.status, 1);
    EXPECT_EQ(ending.text.find("all.jsonl:1: holds: "), 0u) << ending.text;
    for (auto const* line : {"\nall.jsonl:3: fails: ", "\nall.jsonl:4: fails: ",
                             "\nall.jsonl:5: holds: ", "2 of 4 witnesses failed"})
        EXPECT_NE(ending.text.find(line), std::string::npos) << line << ending.text;
}

/// Calls visit for every whole number in the object.
void for_each_number(Evidence& object, std::function<void(Evidence&)> const& visit)
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
    ASSERT_EQ(run("search --policy mc-sf --requests 6 --memory 9 --generations 1 -o w.json").status,
              0);
    EXPECT_EQ(check("w.json"), 0);
    auto const honest = file("w.json");
    int changes = 0;
    auto changed = honest;
    for_each_number(changed, [&](Evidence& number) {
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
    refused([](Evidence& w) { w["ratio"] = "31/11"; });
    refused([](Evidence& w) { w["numerator"]["total_latency"] = "31"; });
    refused([](Evidence& w) { w["numerator"]["memory"] = 7; });
    refused([](Evidence& w) { w["numerator"]["policy"] = "mc-benchmarks"; });
    refused([](Evidence& w) { w["denominator"]["starts"][0] = -1; });
    refused([](Evidence& w) { w["denominator"]["memory"] = 5; });
    refused([](Evidence& w) { w["denominator"]["starts"].push_back(0); });
    refused([](Evidence& w) { w["requests"][1]["output"] = 2; });
    refused([](Evidence& w) { w.erase("requests"); });
    for (auto const& [side, key, value] : std::vector<std::tuple<std::string, std::string, Evidence>>{
             {"numerator", "orders", "sideways"},
             {"numerator", "mean", "nearly"},
             {"numerator", "lernt", "reached"},
             {"denominator", "schedule", "any"}}) {
        auto const text = refused([&](Evidence& w) { w[side][key] = value; });
        EXPECT_NE(text.find(side + ": "), std::string::npos) << text;
        EXPECT_NE(text.find(key), std::string::npos) << text;
    }
    EXPECT_NE(refused([](Evidence& w) { w["showz"] = ""; }).find("unknown key showz"),
              std::string::npos);
    EXPECT_NE(refused([](Evidence& w) {
                  w["requests"][1]["ouput"] = 2;
              }).find("entry 2 of requests: unknown key ouput"),
              std::string::npos);
    EXPECT_NE(refused([](Evidence& w) { w["denominator"].erase("memory"); }).find("denominator: key"),
              std::string::npos);
    // A schedule that is not the best, called proven.
    EXPECT_NE(refused([](Evidence& w) {
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
    std::ifstream stream(CRX_SOURCE_DIR "/claims/witnesses/chen_lemma_8_8.json");
    auto const witness = Evidence::parse(stream);
    auto const above = witness.at("numerator").at("memory").dump();
    auto const below = witness.at("denominator").at("memory").dump();
    ASSERT_NE(above, below);
    auto const ending = run("witness " CRX_SOURCE_DIR "/claims/witnesses/chen_lemma_8_8.json");
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
    std::ifstream stream(CRX_SOURCE_DIR "/claims/witnesses/chen_geometric.json");
    auto changed = Evidence::parse(stream);
    changed.erase("checksum");
    for (auto const& seed : {Evidence(1.5), Evidence(-1), Evidence("1")}) {
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

} // namespace
} // namespace crx_test

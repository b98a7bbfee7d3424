// crx witness: what it accepts, and that it accepts nothing that was changed.
#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
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

// Keys, planned lengths and victims of the user's own are checked by the oracle's evaluator.
TEST_F(WitnessCommand, ChecksAKeyOfOnesOwn)
{
    auto const search = [&](std::string const& options) {
        return run("search --policy by-key --requests 5 --memory 9 --generations 1 " + options)
            .status;
    };
    ASSERT_EQ(search("--key '-output' --plans-with output --over h-sf -o key.json"), 0);
    ASSERT_EQ(search("--key 'prompt / (lower + 1)' --plans-with lower --on-overflow greatest-key "
                     "--ties drawn --draws 4 --over h-sf -o ties.json"),
              0);
    auto const both = run("witness key.json ties.json");
    EXPECT_EQ(both.status, 0) << both.text;
    auto honest = file("key.json");
    honest.erase("checksum");
    auto const refused = [&](char const* key, Evidence const& value) {
        auto changed = honest;
        changed["numerator"][key] = value;
        write("changed.json", changed);
        auto const ending = run("witness changed.json");
        EXPECT_EQ(ending.status, 1) << key << " = " << value.dump();
        return ending.text;
    };
    EXPECT_NE(refused("key", "output").find("the file says"), std::string::npos);
    EXPECT_NE(refused("key", "outputs").find("numerator: key: there is no outputs"),
              std::string::npos)
        << refused("key", "outputs");
    for (char const* text : {"", "output +", "(output", "output ^ 65", "9 ^ 9 ^ 9", "1..2", "2x",
                             "min(", "floor(1, 2)", "1 / 0 0", "system(1)"})
        refused("key", text);
    refused("key", std::string(3000, '(') + "1" + std::string(3000, ')'));
    refused("key", std::string(3000, '-') + "1");
    refused("plans_with", "waited");
    refused("plans_with", "output - 1"); // nothing is cancelled, so it must be enough
    refused("on_overflow", "oldest");
    refused("ties", "random");
    refused("alpha", 0.5);
    auto const again = run("simulate --instance key.json");
    EXPECT_EQ(again.status, 0) << again.text;
    auto other = honest;
    other["numerator"]["policy"] = "mc-sf";
    write("other.json", other);
    EXPECT_EQ(check("other.json"), 1); // a key that says nothing where it stands
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
    for (auto const& [side, key, value] :
         std::vector<std::tuple<std::string, std::string, Evidence>>{
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
    EXPECT_NE(refused([](Evidence& w) {
                  w["denominator"].erase("memory");
              }).find("denominator: memory: is missing"),
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

// Files that said "holds" of what is false, or crashed, and what is wrong with each.
TEST_F(WitnessCommand, RefusesForgeries)
{
    std::map<std::string, std::string> const reasons{
        {"A1_starts_wrap", "starts: 4611686018427387903 is no whole number in 0 .. 3"},
        {"record_forged", "starts: 4611686018427387904 is no whole number in 0 .. 7"},
        {"G4_known_wrap", "known: 9223372036854775807 is no whole number"},
        {"F1_exact_clock", "total_latency is 10010, the file says 10"},
        {"F2_clock_unknown_key", "clock: d1: is missing"},
        {"F5_starts_with_clock", "goes with the unit clock"},
        {"P1_clock_wrap", "d1: 1099511627776 is no whole number"},
        {"C1_mixed", "the numerator is a total_latency, the denominator is none"},
        {"C2_starts_makespan", "makespan is 4, the file says 10"},
        {"D3_volume_negmem", "memory: -1 is no whole number"},
        {"D4_volume_mem0", "memory: 0 is no whole number"},
        {"E1_zero_runs", "number: 18446744073709551615 is no whole number"},
        {"J1_dup", "the key total_latency stands there twice"},
        {"I_bound_octal2", "bound: \"010\" is no fraction"}};
    int files = 0;
    for (auto const& entry :
         std::filesystem::directory_iterator(CRX_SOURCE_DIR "/tests/host/evidence/forged")) {
        auto const ending = run("witness " + entry.path().string());
        EXPECT_EQ(ending.status, 1) << entry.path();
        auto const reason = reasons.at(entry.path().stem().string());
        EXPECT_NE(ending.text.find(reason), std::string::npos) << entry.path() << ending.text;
        ++files;
    }
    EXPECT_EQ(files, 14);
}

TEST_F(WitnessCommand, ShowsNothingOfAFileAsItIs)
{
    write("w.json", Evidence::parse(R"({"requests": [{"prompt": 0, "output": 1}],
        "numerator": {"policy": "mc-sf", "memory": 1, "total_latency": "1"},
        "denominator": {"policy": "mc-sf", "memory": 1, "total_latency": "1"}, "ratio": "1",
        "against": "x\nother.json: holds\u001b[31m"})"));
    auto const held = run("witness w.json");
    EXPECT_EQ(held.status, 0);
    EXPECT_EQ(held.text, "w.json: holds: total_latency 1 over 1, ratio 1; the bound "
                         "x\\nother.json: holds\\x1b[31m was not looked at\n");
    write("w.json", Evidence{{"a\nb", 1}, {"requests", {{{"prompt", 0}, {"output", 1}}}}});
    EXPECT_EQ(run("witness w.json").text.find("a\nb"), std::string::npos);
}

TEST_F(WitnessCommand, RefusesWhatNestsTooDeep)
{
    std::ofstream(folder.path() / "deep.json")
        << "{\"requests\": " << std::string(90'000, '[') << std::string(90'000, ']') << "}";
    auto const ending = run("witness deep.json");
    EXPECT_EQ(ending.status, 1);
    EXPECT_NE(ending.text.find("nested more than 12 deep"), std::string::npos) << ending.text;
    std::ofstream(folder.path() / "opt.json")
        << "{\"optimum_certificate\": " << std::string(90'000, '[') << std::string(90'000, ']')
        << "}";
    EXPECT_EQ(check("opt.json"), 1);
}

TEST_F(WitnessCommand, ProvenNeedsExactMeans)
{
    ASSERT_EQ(run("search --policy a-ell --over h-sf --interval 1/2 --requests 4 --memory 8 "
                  "--generations 1 --draws 4 -o w.json")
                  .status,
              0);
    auto found = file("w.json");
    EXPECT_FALSE(found.at("proven").get<bool>());
    EXPECT_EQ(found.at("numerator").at("fresh").at("seeds"), 20);
    auto const held = run("witness w.json");
    EXPECT_EQ(held.status, 0) << held.text;
    EXPECT_NE(held.text.find("; the numerator is the mean of 4 draws, on 80 others "),
              std::string::npos)
        << held.text;
    found.erase("checksum");
    found["proven"] = true;
    write("w.json", found);
    EXPECT_NE(run("witness w.json").text.find("it says proven, but the numerator is a mean over"),
              std::string::npos);
    found["proven"] = false;
    found["numerator"]["fresh"]["seed"] = 1; // the side's own
    write("w.json", found);
    EXPECT_EQ(check("w.json"), 1);
}

TEST_F(WitnessCommand, StopsOnASignal)
{
    write("long.json", Evidence::parse(R"({"requests": [{"prompt": 0, "output": 1000000000000}],
        "numerator": {"policy": "mc-sf", "memory": 1000000000000, "total_latency": "1"}})"));
    auto const ending = run_command("cd " + folder.path().string() +
                                    " && timeout -s INT 1 " CRX_PROGRAM " witness long.json 2>&1;"
                                    " echo $?");
    EXPECT_NE(ending.text.find("stopped by Ctrl-C (SIGINT)"), std::string::npos) << ending.text;
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
        EXPECT_NE(refused.text.find("seed: "), std::string::npos) << refused.text;
        EXPECT_NE(refused.text.find(" is no whole number"), std::string::npos) << refused.text;
        EXPECT_EQ(check("w.json"), 1);
    }
}

} // namespace
} // namespace crx_test

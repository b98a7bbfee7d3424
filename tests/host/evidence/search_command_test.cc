#include "oracle/oracle.hh"
#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace crx_test {
namespace {

class SearchCommand : public testing::Test
{
  protected:
    Ending run(std::string const& arguments, bool with_errors = false)
    {
        return run_program("search " + arguments, folder.path(), with_errors);
    }
    nlohmann::json search(std::string const& arguments)
    {
        auto const ending = run(arguments + " --json");
        EXPECT_EQ(ending.status, 0) << arguments;
        return nlohmann::json::parse(ending.text);
    }
    nlohmann::json file(std::string const& name)
    {
        std::ifstream stream(folder.path() / name);
        return nlohmann::json::parse(stream);
    }

    TemporaryFolder folder;
};

std::vector<oracle::Request> requests_of(nlohmann::json const& witness)
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

/// Sum over its draws, by the oracle.
std::int64_t sum_of(nlohmann::json const& side, std::vector<oracle::Request> const& requests)
{
    std::int64_t sum = 0;
    for (std::uint64_t k = 0; k < side.value("instances", std::uint64_t{1}); ++k)
        sum +=
            oracle::simulate({side.at("policy")}, requests, side.at("memory"), side.at("seed"), k)
                .total_latency;
    return sum;
}

TEST_F(SearchCommand, FindsTwoLargeRequestsBetweenSmallOnes)
{
    auto const witness = search("--policy mc-sf --requests 8 --memory 12 --generations 6");
    EXPECT_EQ(witness.at("ratio"), "30/11");
    EXPECT_TRUE(witness.at("proven"));
    auto const requests = requests_of(witness);
    EXPECT_EQ(sum_of(witness.at("numerator"), requests), 30);
    std::vector<std::int64_t> const starts = witness.at("denominator").at("starts");
    std::int64_t total = 0;
    std::map<std::int64_t, std::int64_t> held;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        total += starts[i] + requests[i].output;
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            held[starts[i] + j] += requests[i].prompt + j;
    }
    for (auto const& [time, tokens] : held)
        EXPECT_LE(tokens, witness.at("denominator").at("memory").get<std::int64_t>()) << time;
    EXPECT_EQ(total, 11);
}

TEST_F(SearchCommand, RepeatsWithAnyNumberOfThreads)
{
    for (auto const* what : {"--policy mc-sf --last-arrival 5", "--policy a-min --over h-sf",
                             "--policy sorted-f --selector exact --over volume"}) {
        auto const line = std::string(what) + " --requests 5 --memory 9 --generations 1 --threads ";
        EXPECT_EQ(search(line + "1"), search(line + "3")) << what;
    }
}

TEST_F(SearchCommand, RandomPoliciesCountByTheirMean)
{
    auto const witness = search("--policy a-min --over a-max --interval 1/3 --class equal-prompts "
                                "--requests 5 --memory 12 --generations 1 "
                                "--draws 4");
    auto const requests = requests_of(witness);
    auto const above = sum_of(witness.at("numerator"), requests);
    auto const below = sum_of(witness.at("denominator"), requests);
    for (auto const& request : requests) {
        EXPECT_EQ(3 * request.lower, request.upper);
        EXPECT_EQ(request.prompt, requests.front().prompt);
    }
    auto const common = std::gcd(above, below);
    auto const expected = std::to_string(above / common) +
                          (below == common ? "" : "/" + std::to_string(below / common));
    EXPECT_EQ(witness.at("ratio"), expected);
}

TEST_F(SearchCommand, GoesOnWithItsFile)
{
    search("--policy mc-sf --requests 8 --memory 12 --generations 6 -o best.json");
    EXPECT_EQ(file("best.json").at("ratio"), "30/11");
    auto const again = search("--policy mc-sf --requests 8 --memory 12 --generations 1 "
                              "--seed 9 -o best.json");
    EXPECT_EQ(again.at("ratio"), "30/11");
    // What found it stays what found it.
    auto const kept = file("best.json");
    EXPECT_NE(kept.at("found_by").get<std::string>().find(" --seed 1 "), std::string::npos);
    EXPECT_EQ(kept.at("requests"), again.at("requests"));
}

// A smaller instance at a cost in the ratio does not take the place of the best.
TEST_F(SearchCommand, ShrinkingLosesNothingThatWasFound)
{
    std::string const line = "--policy mc-sf --requests 8 --memory 12 --generations 6 -o best.json";
    search(line);
    auto const best = file("best.json");
    auto const small = search(line + " --shrink 0.5");
    EXPECT_EQ(file("best.json"), best);
    EXPECT_EQ(file("best.small.json"), small);
    EXPECT_LT(requests_of(small).size(), requests_of(best).size());
}

// Without an output file an interruption prints what there is.
TEST_F(SearchCommand, AnInterruptionLosesNothing)
{
    auto const interrupted = [&](std::string const& arguments) {
        return run_command("cd " + folder.path().string() +
                           " && timeout -s INT 5 " CRX_PROGRAM " search " + arguments + " 2>&1");
    };
    auto const one = interrupted("--policy mc-sf --requests 8 --memory 12 --seconds 600");
    EXPECT_NE(one.text.find("mc-sf over the optimum: "), std::string::npos) << one.text;
    EXPECT_EQ(one.text.find("all that is done is kept"), std::string::npos) << one.text;
    auto const two =
        interrupted("--policy a-min --over h-sf --lengths 1,8 --requests 2000 --memory "
                    "100 --generations 100000000 -o c.toml");
    EXPECT_NE(two.text.find("the best so far is in c.toml"), std::string::npos) << two.text;
    EXPECT_NE(two.text.find("output    count\n"), std::string::npos) << two.text;
    EXPECT_EQ(run_program("sweep c.toml --set stop.instances=2", folder.path()).status, 0);
}

TEST_F(SearchCommand, OverwritesNothingOfOthers)
{
    auto const line = [](std::string const& alpha, std::string const& over,
                         std::string const& requests, std::string const& memory,
                         std::string const& more) {
        return "--policy protect --generations 1 -o known.json --alpha " + alpha + " --over " +
               over + " --requests " + requests + " --memory " + memory + more;
    };
    auto const text_of = [&](char const* name) {
        std::ifstream stream(folder.path() / name);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    ASSERT_EQ(run(line("0.25", "h-sf", "5", "8", "")).status, 0);
    auto const before = text_of("known.json");
    std::string const start = "-o = known.json\n  not accepted: must be another file: this one ";
    for (auto const& [other, why] : std::vector<std::pair<std::string, std::string>>{
             {line("0.5", "h-sf", "5", "8", ""),
              "holds what a search for another ratio, or with other draws, found"},
             {line("0.25", "volume", "5", "8", ""),
              "holds what a search for another ratio, or with other draws, found"},
             {line("0.25", "h-sf", "5", "8", " --measure p99"),
              "holds what a search for another ratio, or with other draws, found"},
             {line("0.25", "h-sf", "5", "1", ""), "holds an instance outside of the class"},
             {line("0.25", "h-sf", "1", "8", ""), "holds an instance outside of the class"}}) {
        auto const ending = run(other, true);
        EXPECT_EQ(ending.status, 2) << other;
        EXPECT_NE(ending.text.find(start + why), std::string::npos) << other << ending.text;
    }
    EXPECT_EQ(text_of("known.json"), before);
    // A wider class would replace what the narrower one found.
    auto const wider = run(line("0.25", "h-sf", "6", "9", ""), true);
    EXPECT_EQ(wider.status, 2);
    EXPECT_NE(wider.text.find(start + "holds what a search of another class of instances found: "
                                      "crx search --policy protect"),
              std::string::npos)
        << wider.text;
    EXPECT_EQ(text_of("known.json"), before);
    EXPECT_EQ(run(line("0.25", "h-sf", "5", "8", " --seed 2")).status, 0);
    std::ofstream(folder.path() / "other.json") << "[experiment]\n";
    EXPECT_EQ(run("--policy mc-sf --generations 1 -o other.json").status, 2);
    EXPECT_EQ(text_of("other.json"), "[experiment]\n");
}

TEST_F(SearchCommand, AKillLosesASecondAtMost)
{
    auto const child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        if (chdir(folder.path().c_str()) != 0) _exit(1);
        (void)!freopen("/dev/null", "w", stderr);
        execl(CRX_PROGRAM, "crx", "search", "--policy", "mc-sf", "--requests", "8", "--memory",
              "12", "--seconds", "600", "-o", "best.json", static_cast<char*>(nullptr));
        _exit(1);
    }
    // A machine under load may need long for the first generation.
    for (int k = 0; k < 600 && !std::filesystem::exists(folder.path() / "best.json"); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto const witness = file("best.json");
    EXPECT_EQ(sum_of(witness.at("numerator"), requests_of(witness)),
              std::stoll(witness.at("numerator").at("total_latency").get<std::string>()));
    for (auto const& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(entry.path().filename(), "best.json");
}

TEST_F(SearchCommand, DividesByABoundOnItsInstancesAlone)
{
    auto const witness =
        search("--policy a-ell --over h-sf --against chen-5.2 --interval 1/2 --requests 6 "
               "--memory 8 --generations 1 --draws 4");
    EXPECT_EQ(witness.at("against"), "chen-5.2");
    for (auto const& request : requests_of(witness)) {
        EXPECT_EQ(request.prompt, 0);
        EXPECT_TRUE(request.output == request.lower || request.output == request.upper);
    }
    auto const draws = 4.0;
    auto const requests = requests_of(witness);
    auto const ratio = static_cast<double>(sum_of(witness.at("numerator"), requests)) / draws /
                       static_cast<double>(sum_of(witness.at("denominator"), requests));
    EXPECT_NEAR(witness.at("times_the_bound").get<double>(), ratio / 1.5, 1e-12); // 1 + 2 alpha^2
}

TEST_F(SearchCommand, ShrinksScalesAndConfirms)
{
    auto const ending = run("--policy mc-sf --requests 8 --memory 24 --generations 2 --shrink 0.9 "
                            "--scale");
    EXPECT_EQ(ending.status, 0);
    // Outputs of 1 last a round whatever M is, and M for one is M for k: the same schedule.
    EXPECT_NE(ending.text.find("  M and lengths  "), std::string::npos) << ending.text;
    EXPECT_NE(ending.text.find("settles"), std::string::npos) << ending.text;
    EXPECT_EQ(ending.text.find("other draws"), std::string::npos) << ending.text;
    auto const random = run("--policy a-min --over h-sf --interval 1/2 --class equal-prompts "
                            "--requests 5 --memory 10 --generations 1 --draws 4");
    EXPECT_NE(random.text.find("on 80 other draws: "), std::string::npos) << random.text;
}

TEST_F(SearchCommand, RunsEveryInstance)
{
    auto const ending = run("--exhaustive --policy mc-sf --requests 4 --memory 7");
    EXPECT_EQ(ending.text, "63987 instances of 31465 multisets, hash f0bcffd2481810dc\n"
                           "largest ratio 9/5 = 1.800000, on 50 of them; the first:\n"
                           "count arrival  prompt  output   lower   upper\n"
                           "    1       0       0       1       1       1\n"
                           "    1       0       6       1       1       1\n"
                           "    2       0       0       1       1       1\n");
    // 9,582 instances are endless: random choices go on without end there.
    auto const random = search("--exhaustive --policy a-min --over h-sf --requests 3 --memory 5");
    EXPECT_EQ(random.at("instances"), 102650);
    EXPECT_EQ(random.at("endless"), 9582);
    EXPECT_EQ(requests_of(random).size(), 3u);
    EXPECT_EQ(random.at("memory"), 5);
}

TEST_F(SearchCommand, RefusesWhatItCannotDo)
{
    std::ofstream(folder.path() / "bad.json") << "{\"requests\": [{\"output\": 0}], "
                                                 "\"numerator\": {\"memory\": 3}}";
    for (auto const& [line, says] : std::vector<std::pair<std::string, std::string>>{
             {"--policy mc-fs", "did you mean mc-sf"},
             {"--policy mc-sf --over optt", "--over"},
             {"--policy sorted-f", "--selector"},
             {"--policy sorted-f --selector swap --last-arrival 3", "--last-arrival"},
             {"--policy mc-sf --measure p99", "--measure"},
             {"--policy mc-sf --requests 65", "--requests"},
             {"--policy a-min --interval 2/1", "--interval"},
             {"--policy a-min --interval 1/30", "--memory"},
             {"--policy a-min --against chen-5.2", "--over"},
             {"--policy a-min --over h-sf --against chen-5.3", "--against"},
             {"--policy a-min --over h-sf --against chen", "--against"},
             {"--policy mc-sf --seconds 0", "--seconds"},
             {"--policy mc-sf --shrink 0", "--shrink"},
             {"--policy mc-sf --shrink 1.5", "--shrink"},
             {"--policy sorted-f --over h-sf --lengths 1,4", "before the first round"},
             {"--policy a-min --over h-sf --lengths 4,1", "--lengths"},
             {"--policy a-min --over opt --lengths 1,4", "--over"},
             {"--policy a-min --over h-sf --lengths 1,4 --generations 9", "--generations"},
             {"--policy a-min --over h-sf --lengths 1,4 --shrink 1", "--shrink\n"},
             {"--policy a-min --over h-sf --lengths 1,4 -o bad.json", "no composition of a search"},
             {"--policy own-order", "a policy of this program"},
             {"--requests 4", "--policy"},
             {"--policy mc-sf --requests 13 --exhaustive", "--requests"},
             {"--policy mc-sf --requests 12 --memory 400000 --exhaustive", "--requests"},
             {"--policy mc-sf --requests 3 --over best-found --exhaustive", "--over"},
             {"--policy mc-sf --requests 3 --over optt --exhaustive", "--over"},
             {"--policy sorted-lp --requests 3 --exhaustive", "--policy"},
             {"--policy sorted-f --selector quantile --requests 3 --exhaustive", "--selector"},
             {"--policy mc-sf --requests 3 --seconds 3 --exhaustive", "--seconds\n"},
             {"--policy mc-sf --requests 3 --lengths 1,2 --exhaustive", "--lengths\n"},
             {"--policy mc-sf --over h-sf --requests 3 --measure p99 --exhaustive", "--measure\n"},
             {"--policy mc-sf --requests 3 -o a.json --exhaustive", "--output\n"},
             {"--policy mc-sf -o bad.json",
              "holds no witness of a search (entry 1 of requests: prompt: is missing"}}) {
        auto const ending = run(line, true);
        EXPECT_EQ(ending.status, 2) << line;
        EXPECT_NE(ending.text.find(says), std::string::npos) << line << "\n" << ending.text;
    }
}

} // namespace
} // namespace crx_test

#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace crx {
namespace {

using crx_test::run_program;

TEST(SpectrumCommand, JsonHasTheCertifiedEigenvalue)
{
    auto const outcome = run_program("spectrum --u 1000 --json");
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    auto const json = nlohmann::json::parse(outcome.text);
    // From the dense generalised solver at u = 1000, 13 digits.
    EXPECT_NEAR(json["rho"].get<double>(), 2.923922060219, 1e-11);
    EXPECT_LT(json["error"].get<double>(), 1e-11);
    EXPECT_LE(json["lower"].get<double>(), json["rho"].get<double>());
    EXPECT_EQ(json["negative_entries"], 0);
    EXPECT_NEAR(json["trace"].get<double>(), 7.485470860550345, 1e-13);
    EXPECT_LT(std::abs(json["trace_relative_error"].get<double>()), 1e-12);
}

TEST(SpectrumCommand, RefusesBadInputAndSaysWhatIsAccepted)
{
    struct Case
    {
        char const* arguments;
        char const* message;
    };
    for (auto const& [arguments, message] :
         {Case{"spectrum --u 0", "u = 0 is not accepted: must be an integer, at least l = 1"},
          Case{"spectrum --u 5 --l 6", "u = 5 is not accepted: must be an integer, at least l = 6"},
          Case{"spectrum --u 5 --l 0", "l = 0 is not accepted: must be an integer, at least 1"},
          Case{"spectrum --u 5 --s nan",
               "s = nan is not accepted: must be a number from 0 to 1e15"},
          Case{"spectrum --u 5 --s -1", "s = -1 is not accepted: must be a number from 0 to 1e15"},
          Case{"spectrum --u 1000000000000", "u = 1000000000000 is not accepted: must be at most"},
          Case{"spectrum --u 5 --l 1,2", "several l or s are accepted with --alphas only"},
          Case{"bounds chen-3.3 --alpha nan", "alpha = nan is not accepted: must be in (0, 1]"},
          Case{"bounds chen-5.3", "needs a value for q"},
          Case{"bounds nothing", "must be one of chen-3.3"},
          Case{"bounds --figure 4", "--figure is 2 or 3"},
          Case{"spectrum --u 5 --growth --alphas", "--growth and --alphas are two tables"},
          Case{"spectrum --u 5 --document", "--document is of --growth or --alphas"},
          Case{"spectrum --u 5 --growth --definition", "--definition is of a single rho"}}) {
        auto const outcome = run_program(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments;
        EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
    }
}

TEST(SpectrumCommand, RefusesBeforeTheFirstRow)
{
    EXPECT_EQ(run_program("spectrum --u 1 --alphas --l 1,5").with_status(),
              "crx: spectrum: u = 1 is not accepted: must be an integer, at least l = 5\nstatus 2");
    EXPECT_EQ(run_program("spectrum --u 9 --alphas --s 1,-1").with_status(),
              "crx: spectrum: s = -1 is not accepted: must be a number from 0 to 1e15\nstatus 2");
    EXPECT_EQ(run_program("spectrum --u 9 --alphas --l 3 --tolerance 2").with_status(),
              "crx: spectrum: tolerance = 2 is not accepted: must be in [0, 1)\nstatus 2");
}

TEST(BoundsCommand, RefusesParametersThatItWouldNotRead)
{
    struct Case
    {
        char const* arguments;
        char const* message;
    };
    for (auto const& [arguments, message] :
         {Case{"a-min-two-point --alpha 0.1 --l 5 --u 10 --t 1",
               "bounds: --alpha = 0.1\n  not accepted: must be left out beside --l"},
          Case{"a-min-two-point --alpha 0.1 --t 1 --w 0.1",
               "--t = 1\n  not accepted: must be left"},
          Case{"chen-3.3 --alpha 0.1 --l 5 --u 10", "--alpha = 0.1\n"},
          Case{"a-max-workers --l 1 --u 10 --s_over_u 1", "left out beside --l"},
          Case{"a-max-workers --alpha 0.1 --u 10 --s 1 --s_over_u 1", "left out beside --s"},
          Case{"a-max-workers --alpha 0.1 --u 10 --s_over_u 1",
               "--s_over_u = 1\n  not accepted: must be left out here: a-max-workers reads alpha[, "
               "s_over_u] or l, u[, s] or alpha, u[, s]"},
          Case{"a-max-workers --alpha 0.1 --s 1", "--s = 1\n  not accepted: must be left out here"},
          Case{"chen-3.3 --alpha 0.1 --q 0.5", "--q = 0.5\n  not accepted: must be left out here: "
                                               "chen-3.3 reads alpha or l, u"},
          Case{"chen-3.3 --suprema", "curve = chen-3.3\n  not accepted: must be left out beside"},
          Case{"--suprema --alpha 0.1", "left out beside --suprema"},
          Case{"chen-3.3 --figure 2", "left out beside --figure"},
          Case{"--alpha 0.1 --figure 2", "left out beside --figure"},
          Case{"--suprema --figure 2", "--figure goes without --suprema"},
          Case{"--alpha 0.1", "given with the name of a curve"},
          Case{"chen-3.3 --alpha 1e-160", "beyond what a double holds"},
          Case{"chen-3.3 chen-5.3 --alpha 0.1", "needs a value for q"},
          Case{"log-bound --l 1 --u 1000000 --s 100",
               "s = 100 is not accepted: must be 0: with prompts this is no bound"},
          Case{"log-bound --alpha 0.1 --s_over_u 1", "s/u = 1 is not accepted: must be 0"}}) {
        auto const outcome = run_program(std::string("bounds ") + arguments);
        EXPECT_EQ(outcome.status, 2) << arguments;
        EXPECT_TRUE(outcome.text.starts_with("crx: ")) << outcome.text; // no row before it
        EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
    }
    for (auto const* accepted :
         {"chen-3.3 a-min-two-point --alpha 0.1 --t 1", "chen-3.3 --l 5 --u 50",
          "chen-5.1 chen-5.1-general --l 5 --u 50 --s 3", "a-max-workers --alpha 0.1 --u 10 --s 1",
          "log-bound --l 1 --u 100 --s 0", "a-max-two-point --alpha 0.1 --t 1e200"})
        EXPECT_EQ(run_program(std::string("bounds ") + accepted).status, 0) << accepted;
}

TEST(BoundsCommand, PrintsNamedCurves)
{
    auto const outcome = run_program("bounds chen-3.3 chen-5.1 --alpha 0.1 --json");
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    auto const json = nlohmann::json::parse(outcome.text);
    EXPECT_NEAR(json["chen-3.3"].get<double>(), 55, 1e-12);
    EXPECT_NEAR(json["chen-5.1"].get<double>(), 1.45, 1e-15);
    auto const list = run_program("bounds --json");
    EXPECT_GT(nlohmann::json::parse(list.text).size(), 15u);
}

TEST(BoundsCommand, TakesListsOfAParameter)
{
    auto const outcome = run_program("bounds chen-3.3 log-bound --alpha 0.1,0.5,2 --json");
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    auto const json = nlohmann::json::parse(outcome.text);
    EXPECT_NEAR(json["chen-3.3"][0].get<double>(), 55, 1e-12);
    EXPECT_EQ(json["log-bound"].size(), 3u);
    EXPECT_TRUE(json["chen-3.3"][2].is_null()); // outside the domain
    EXPECT_EQ(json["at"]["alpha"][1], 0.5);
    EXPECT_NE(run_program("bounds chen-3.3 --l 1,2 --u 5,6,7").text.find("lists of one length"),
              std::string::npos);
}

TEST(BoundsCommand, GivesItsFiguresAsDocuments)
{
    for (auto const* arguments :
         {"bounds --figure 2", "bounds --figure 3", "spectrum --u 50 --growth --document",
          "spectrum --u 50 --alphas --document"}) {
        auto const outcome = run_program(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.text;
        auto const panels = nlohmann::json::parse(outcome.text)["panels"];
        ASSERT_FALSE(panels.empty()) << arguments;
        EXPECT_GT(panels[0]["curves"].size(), 2u) << arguments;
        EXPECT_GT(panels[0]["curves"][0]["points"].size(), 2u) << arguments;
    }
    auto const rows = run_program("spectrum --u 50 --growth --json");
    EXPECT_EQ(nlohmann::json::parse(rows.text)[0]["rho"], 1.0) << rows.text;
}

} // namespace
} // namespace crx

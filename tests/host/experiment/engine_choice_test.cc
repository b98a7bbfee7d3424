#include "host/experiment/small_experiment.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

std::string with_engine(std::string const& engine, std::string const& text = small_experiment)
{
    return with(text, "[stop]", "[run]\nengine = \"" + engine + "\"\n[stop]");
}

PlannedCell cell_of(std::string const& text)
{
    return parse(text).make_cell("alpha", {{"alpha", 0.5}});
}

// Two lengths, n = 10, s + u = 23: M >= 2 * 23 is where cohorts are the cheaper for a-max.
TEST(EngineChoice, AutoGoesByCost)
{
    auto const enough = with(small_experiment, "memory = 100", "memory = 46");
    auto const little = with(small_experiment, "memory = 100", "memory = 45");
    EXPECT_EQ(cell_of(little).cell.laws.at(0), RandomLaw::request);
    EXPECT_EQ(cell_of(enough).cell.laws.at(0), RandomLaw::cohort);
    EXPECT_EQ(cell_of(with_engine("auto", enough)).cell.laws.at(0), RandomLaw::cohort);
    EXPECT_EQ(cell_of(with_engine("request", enough)).cell.laws.at(0), RandomLaw::request);
    EXPECT_EQ(cell_of(with_engine("cohort", little)).cell.laws.at(0), RandomLaw::cohort);
}

// Counting takes memory by the longest output, requests by their number.
TEST(EngineChoice, GoesByMemoryToo)
{
    auto const of_length = [](std::string const& upper) {
        auto text = with(small_experiment, "memory = 100", "memory = 2147483640");
        text = with(text, "id = \"a-max\"", "id = \"a-min\"");
        text = with(text, "upper = 20", "upper = " + upper);
        return with(text, "t / (1 + t)\"", "1\"\ncounts = \"exact\"");
    };
    EXPECT_EQ(cell_of(of_length("1000")).cell.laws.at(0), RandomLaw::cohort);
    EXPECT_EQ(cell_of(of_length("1073741824")).cell.laws.at(0), RandomLaw::request);
    EXPECT_EQ(error_of(with_engine("cohort", of_length("1073741824"))),
              "x.toml:6: run.engine = \"cohort\"\n  not accepted: must be auto or request for "
              "policy a-min at alpha = 0.1 (sweep alpha): it would take 51.2 GiB of memory a "
              "thread, by the longest output, and at most 2.0 GiB are allowed");
}

TEST(EngineChoice, IdentityNamesWhoDraws)
{
    auto const request = cell_of(with_engine("request")).identity;
    auto const cohort = cell_of(with_engine("cohort")).identity;
    EXPECT_EQ(cohort, cell_of(small_experiment).identity);
    EXPECT_EQ(request.find("cohort"), std::string::npos);
    EXPECT_NE(cohort.find(R"({"engine":"cohort 6","id":"a-max"})"), std::string::npos) << cohort;
    EXPECT_NE(cohort.find(R"("drawn":"counts")"), std::string::npos) << cohort;
    auto const a_min =
        cell_of(with(small_experiment, R"(id = "a-max")", R"(id = "a-min")")).identity;
    EXPECT_NE(a_min.find(R"({"engine":"cohort 7","id":"a-min"})"), std::string::npos) << a_min;
    // Policies that draw nothing are the same by both engines.
    auto const h_sf = with(small_experiment, R"(id = "a-max")", R"(id = "mc-sf")");
    auto const exact = with(h_sf, "short_fraction = \"t / (1 + t)\"",
                            "short_fraction = \"t / (1 + t)\"\ncounts = \"exact\"");
    EXPECT_EQ(cell_of(with_engine("cohort", exact)).identity,
              cell_of(with_engine("request", exact)).identity);
}

TEST(EngineChoice, RefusesWhatCohortsCannotRun)
{
    auto const text = with(small_experiment, R"(id = "a-max")", R"(id = "mc-benchmark")");
    EXPECT_EQ(error_of(with_engine("auto", text)), "");
    EXPECT_EQ(error_of(with_engine("cohort", text)),
              "x.toml:6: run.engine = \"cohort\"\n  not accepted: must be auto or request for "
              "policy mc-benchmark at alpha = 0.1 (sweep alpha): the policy serves by arrival, "
              "request by request");
    EXPECT_EQ(
        error_of(with_engine("fast")),
        "x.toml:6: run.engine = \"fast\"\n  not accepted: must be one of auto, cohort, request");
}

} // namespace
} // namespace crx

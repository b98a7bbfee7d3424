#include "host/simulate/fluid_report.hh"
#include "tests/host/experiment/small_paths.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

auto const papers_instance = small_paths("id = 'wait'\nthresholds = 'least'\n");

TEST(FluidReport, TellsWhatTypeBlindPoliciesCanDo)
{
    auto const experiment = setting_of(papers_instance);
    auto const json = nlohmann::json::parse(fluid_json(experiment, "", 9));
    EXPECT_NEAR(json["type_blind"]["no_restarts"]["throughput"].get<double>(), 2.769973757, 1e-8);
    EXPECT_NEAR(json["type_blind"]["restarts"]["throughput"].get<double>(), 2.804843224, 1e-8);
    EXPECT_NE(fluid_text(experiment, 9).find("without restarts                    2.76997376"),
              std::string::npos);
    EXPECT_EQ(fluid_text(experiment).find("restarts"), std::string::npos);
    // sqrt(45) sqrt(2/pi) (2/3) / (2 prompts/s of 6 tokens at most), and that / 3 for the gap
    EXPECT_NEAR(json["at_fluid_memory"]["latency_per_root_second"].get<double>(), 0.29735, 1e-5);
    EXPECT_NEAR(json["at_fluid_memory"]["gap_times_root_second"].get<double>(), 1.78412, 1e-5);
}

TEST(FluidReport, SaysWhyThereIsNoTypeBlindProgram)
{
    auto const experiment = setting_of(papers_instance);
    try {
        fluid_text(experiment, 2);
        FAIL() << "accepted";
    } catch (InputError const& error) {
        EXPECT_STREQ(error.what(), "command line: --type-blind = 2\n  not accepted: must be memory "
                                   "of at least l + l' of every type, which is 3");
    }
}

} // namespace
} // namespace crx

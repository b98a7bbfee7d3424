#include "host/error.hh"
#include "host/iteration/iteration_report.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

auto const* const papers_instance = R"toml(
[machine]
d0 = 0.55
d1 = 0.05
[[type]]
prompt = 1
output = 1
rate = 1
[[type]]
prompt = 1
output = 2
rate = 1
[run]
paths = 40
horizon = 16
doublings = 2
[[policy]]
id = "wait"
thresholds = "least"
)toml";

TEST(FluidReport, TellsWhatTypeBlindPoliciesCanDo)
{
    auto const experiment = IterationExperiment::parse(papers_instance, "x.toml");
    auto const json = nlohmann::json::parse(fluid_json(experiment, 9));
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
    auto const experiment = IterationExperiment::parse(papers_instance, "x.toml");
    try {
        fluid_text(experiment, 2);
        FAIL() << "accepted";
    } catch (InputError const& error) {
        EXPECT_STREQ(error.what(), "command line: --type-blind = 2\n  not accepted: must be memory "
                                   "of at least l + l' of every type");
    }
}

} // namespace
} // namespace crx

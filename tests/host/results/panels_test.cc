#include "tests/host/results/panel_setting.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::cell;
using crx_test::Setting;

TEST(Panels, WorstOverShowsTheLargestValueAtEachX)
{
    Setting const setting;
    auto const series = setting.series();
    ASSERT_EQ(series.size(), 2u);
    EXPECT_EQ(series[0].label, "$A_{\\mathrm{max}}$");
    EXPECT_EQ(series[1].label, "my_label");
    ASSERT_EQ(series[0].points.size(), 2u);
    EXPECT_DOUBLE_EQ(series[0].points[0].y, 3);
    EXPECT_DOUBLE_EQ(series[0].points[1].y, 1.5);
    EXPECT_LT(*series[0].points[0].low, 3);
    EXPECT_DOUBLE_EQ(series[1].points[1].y, 2);
    EXPECT_EQ(y_label(setting.sources().front()), "max$_{\\mathrm{r}}$ E[TEL] / E[TEL(H-SF)]");
    EXPECT_NE(setting.caption().find("$n$ = 10, $M$ = 50"), std::string::npos);
}

TEST(Panels, AFitHasItsLineAndItsSlope)
{
    Setting setting;
    setting.panel().fit = "linear";
    auto const fits = [&] { return panel_fits(setting.sources().front(), setting.series()); };
    // (0.1, 3) and (0.5, 1.5); two instances that differ by 0.02 make intervals of +-0.127, and a
    // tilt of 2 * 0.127 over 0.4.
    ASSERT_EQ(fits().size(), 2u);
    EXPECT_EQ(fit_label(setting.panel(), fits()[0]), "slope -3.75 ± 0.64");
    auto const line = fitted_line(setting.panel(), fits()[0]);
    EXPECT_NEAR(line.front().y, 3, 1e-12);
    EXPECT_NEAR(line.back().y, 1.5, 1e-12);
    setting.panel().fit = "log-log";
    EXPECT_TRUE(fit_label(setting.panel(), fits()[0]).starts_with("exponent -0.431 ± "))
        << fit_label(setting.panel(), fits()[0]); // log(1.5 / 3) / log(0.5 / 0.1)
    setting.panel().fit_from = 0.2;
    EXPECT_FALSE(fits()[0].fit);
}

TEST(Panels, UnfinishedRunsAreAShare)
{
    Setting setting;
    setting.panel().measure = "unfinished";
    for (auto& cell : setting.store.cells) cell.tally[0].sums.unfinished = 8;
    auto const series = setting.series();
    ASSERT_EQ(series.size(), 2u);
    EXPECT_DOUBLE_EQ(series[0].points[0].y, 0.8);
    // Clopper and Pearson for 8 of 10: 0.4439 .. 0.9748; for 0 of 2: 0 .. 1 - 0.025^(1/2).
    EXPECT_NEAR(*series[0].points[0].low, 0.4439, 1e-4);
    EXPECT_NEAR(*series[0].points[0].high, 0.9748, 1e-4);
    EXPECT_EQ(series[1].points[0].low, 0);
    EXPECT_NEAR(*series[1].points[0].high, 1 - std::sqrt(0.025), 1e-9);
    for (auto& cell : setting.store.cells) {
        cell.tally[0].sums = PolicySums{};
        cell.tally[0].sums.unfinished = 3;
    }
    EXPECT_EQ(setting.series()[0].points[0].y, 1);
}

TEST(Panels, ErrorsAreWrittenToTwoDigits)
{
    EXPECT_EQ(written_with_error(0.032149, 0.00123), "0.0321 ± 0.0012");
    EXPECT_EQ(written_with_error(3.14159, {}), "3.142");
    EXPECT_EQ(written_with_error(-12.25, 1.9), "-12.2 ± 1.9");
    EXPECT_EQ(written_with_error(1234.5, 250.0), "1234 ± 2.5e+02");
    EXPECT_EQ(written_with_error(0.5, 0.0), "0.5");
}

TEST(Panels, ValuesAreWrittenWithinTheirIntervals)
{
    EXPECT_EQ(written_with_interval(9.7037, 8.7643, 10.6431, true),
              "9.70 ± 0.94  [8.7643, 10.643]");
    EXPECT_EQ(written_with_interval(1.5804981, 1.5804981, 1.5804981, true),
              "1.5805  [1.5805, 1.5805]");
    EXPECT_EQ(written_with_interval(0.999023, 0.999023, 0.999023, true),
              "0.999023  [0.999023, 0.999023]");
    EXPECT_EQ(written_with_interval(2.5435, 2.5435, 2.5435, true), "2.5435  [2.5435, 2.5435]");
    EXPECT_EQ(written_with_interval(30, 30, 30, true), "30  [30, 30]");
    EXPECT_EQ(written_with_interval(12345.678, 12345.558, 12345.798, true),
              "12345.68 ± 0.12  [12345.56, 12345.80]");
    EXPECT_EQ(written_with_interval(12345678, 12345528, 12345828, true),
              "12345678 ± 1.5e+02  [12345528, 12345828]");
    EXPECT_EQ(written_with_interval(0, 0, 0.17, true), "0.000 ± 0.085  [0, 0.17]");
    // Any value at the ends or between, of any size.
    std::uint64_t word = 1;
    auto const uniform = [&word] {
        word = word * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(word >> 11) * 0x1p-53;
    };
    for (int i = 0; i < 20000; ++i) {
        double const low = (uniform() - 0.5) * std::pow(10, 16 * uniform() - 6);
        double const high = low + std::abs(low) * std::pow(10, -14 * uniform());
        double const share = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : uniform();
        double const value = i % 3 == 1 ? high : low + share * (high - low);
        for (bool const with_error : {false, true}) {
            auto const text = written_with_interval(value, low, high, with_error);
            auto const bracket = text.find('['), comma = text.rfind(',');
            double const shown = std::stod(text);
            ASSERT_LE(std::stod(text.substr(bracket + 1)), shown) << text;
            ASSERT_GE(std::stod(text.substr(comma + 1)), shown) << text;
        }
    }
}

// What is so of several panels is said once, with their letters.
TEST(Panels, TheCaptionSaysOnceWhatPanelsShare)
{
    Setting setting;
    auto const alone = setting.caption();
    setting.experiment.panels.push_back(setting.panel());
    EXPECT_EQ(setting.caption().find("(a)"), std::string::npos);
    EXPECT_EQ(setting.caption().substr(0, 40), alone.substr(0, 40));
    auto other = setting.panel();
    other.worst_over.clear();
    other.where["r"] = 1;
    setting.experiment.panels.push_back(other);
    setting.store.cells[1].instances = 3; // of r = 2: not in (c)
    auto const caption = setting.caption();
    EXPECT_TRUE(caption.starts_with("(a), (b) ")) << caption;
    EXPECT_NE(caption.find("2 to 3 instances per cell; (c) "), std::string::npos) << caption;
    // What a panel leaves out by `where` is said of it.
    EXPECT_NE(caption.find("; (c) r = 1; seed"), std::string::npos) << caption;
}

TEST(Panels, TheCaptionNamesWhoseRunsDidNotEndAndWhere)
{
    Setting setting;
    EXPECT_EQ(setting.caption().find("nfinished"), std::string::npos);
    setting.store.cells[0].tally[1].sums.unfinished = 8; // alpha = 0.1, r = 1, beside 2 that ended
    setting.store.cells[2].tally[1].sums = PolicySums{}; // alpha = 0.5, r = 1
    setting.store.cells[2].tally[1].sums.unfinished = 5;
    auto const caption = setting.caption();
    EXPECT_NE(
        caption.find(" Unfinished runs, in no average: my_label 13 of 19 ($\\alpha$ 0.1 to 0.5). "
                     "Cells without a value: my_label at $\\alpha$ 0.5."),
        std::string::npos)
        << caption;
}

std::vector<bool> rings(Series const& series)
{
    std::vector<bool> found;
    for (auto const& point : series.points) found.push_back(point.partial);
    return found;
}

TEST(Panels, PointsOfWhichSomeRunsNeverEndHaveRings)
{
    Setting setting;
    std::string const says = " Rings: where some runs never end, a point shows the others.";
    EXPECT_EQ(setting.caption().find("Rings"), std::string::npos);
    // Not in the cell with the largest value, but in another at its place.
    setting.store.cells[0].tally[1].sums.unfinished = 8;
    EXPECT_EQ(rings(setting.series().at(0)), (std::vector{false, false}));
    EXPECT_EQ(rings(setting.series().at(1)), (std::vector{true, false}));
    EXPECT_NE(setting.caption().find(says), std::string::npos) << setting.caption();
    // In the cell itself.
    setting.panel().worst_over = "";
    setting.panel().where["r"] = 1;
    EXPECT_EQ(rings(setting.series().at(1)), (std::vector{true, false}));
    // The share of unfinished runs is of all.
    setting.panel().measure = "unfinished";
    EXPECT_EQ(rings(setting.series().at(1)), (std::vector{false, false}));
    EXPECT_EQ(setting.caption().find("Rings"), std::string::npos);
    // Where none ends there is no point.
    setting.panel().measure = "ratio-of-means";
    setting.store.cells[0].tally[1].sums = PolicySums{};
    setting.store.cells[0].tally[1].sums.unfinished = 5;
    EXPECT_EQ(rings(setting.series().at(1)), (std::vector{false}));
    EXPECT_EQ(setting.caption().find("Rings"), std::string::npos);
}

TEST(Panels, ALabelKeepsItsWordsAfterTheId)
{
    Setting setting;
    setting.store.header.policies = {{"a-max", "a-max, again"}, {"a-min", "a-minimal"}};
    EXPECT_EQ(setting.series().at(0).label, "$A_{\\mathrm{max}}$, again");
    EXPECT_EQ(setting.series().at(1).label, "a-minimal");
}

TEST(Panels, ShortestFirstIsCalledByWhatItIsThere)
{
    Setting setting;
    setting.store.header.policies[0] = {"mc-sf", "mc-sf"};
    EXPECT_EQ(setting.series().at(0).label, "H-SF");
    for (auto& c : setting.store.cells)
        c.identity = R"({"workload":{"arrivals":{"law":"poisson"}}})";
    EXPECT_EQ(setting.series().at(0).label, "MC-SF");
}

TEST(Panels, ArgmaxShowsWhereTheLargestValueIs)
{
    Setting setting;
    setting.panel().measure = "argmax";
    auto const points = setting.series().at(0).points;
    EXPECT_EQ(points.at(0).y, 2);
    EXPECT_EQ(points.at(1).y, 1);
    EXPECT_FALSE(is_joined(setting.sources().front(), {"a-max", "a-max"})); // places jump
    setting.panel().worst_over = "";
    EXPECT_NE(setting.failure().find("needs worst_over"), std::string::npos);
}

TEST(Panels, EveryMeasureHasItsValue)
{
    Setting setting;
    auto const first = [&](std::string const& measure) {
        setting.panel().measure = measure;
        return setting.series().at(0).points.at(0);
    };
    EXPECT_NEAR(first("mean-of-ratios").y, 3, 1e-9);
    EXPECT_DOUBLE_EQ(first("mean-latency").y, 30); // 300 rounds over 10 requests
    EXPECT_DOUBLE_EQ(first("mean-first-token").y, 20);
    EXPECT_DOUBLE_EQ(first("mean-makespan").y, 250);
    EXPECT_NEAR(first("p99-ratio").y, 3.01, 0.01);
    EXPECT_NEAR(first("worst-ratio").y, 3.01, 1e-9);
    EXPECT_FALSE(first("worst-ratio").low);
}

// Two instances say nothing above their 99th percentile; of 1000 equal shares of 2.99 and 3.01 the
// bar is within the upper half.
TEST(Panels, BarsOfPercentilesAreOpenPastTheLargest)
{
    Setting setting;
    setting.panel().measure = "p99-ratio";
    auto const point = [&] { return setting.series().at(0).points.at(0); };
    EXPECT_TRUE(point().low);
    EXPECT_FALSE(point().high);
    for (auto& c : setting.store.cells)
        for (auto& tally : c.tally) {
            tally.sums.count *= 500;
            for (auto& [bin, count] : tally.histogram[0]) count *= 500;
        }
    ASSERT_TRUE(point().low && point().high);
    EXPECT_NEAR(*point().low, 3.01, 0.002);
    EXPECT_NEAR(*point().high, 3.01, 0.002);
}

// Theorem 3.3 is over H-SF: over the volume bound points above its curve refute nothing.
TEST(Panels, ACurveThatDoesNotHoldIsAGuide)
{
    Setting setting;
    setting.panel().curves = {"chen-3.3", "chen-5.1"};
    EXPECT_EQ(setting.caption().find("Guides"), std::string::npos) << setting.caption();
    EXPECT_EQ(setting.curves().at(0).label.find("guide"), std::string::npos);
    for (auto& cell : setting.store.cells) cell.parameters["prompt"] = 3;
    EXPECT_EQ(setting.curves().at(0).label.find("guide"), std::string::npos);
    EXPECT_NE(setting.curves().at(1).label.find(", guide only"), std::string::npos);
    auto const caption = setting.caption();
    EXPECT_NE(caption.find(" Guides, which are for other cases and bound nothing here: "),
              std::string::npos)
        << caption;
    EXPECT_NE(caption.find(" (for prompts of 0)."), std::string::npos) << caption;
    auto const curves = setting.document()["panels"][0]["curves"];
    EXPECT_TRUE(curves[0]["holds"].get<bool>());
    EXPECT_FALSE(curves[0]["nearest"].is_null());
    EXPECT_FALSE(curves[1]["holds"].get<bool>());
    EXPECT_TRUE(curves[1]["nearest"].is_null());
}

TEST(Panels, CurvesTakeTheCellsParameters)
{
    Setting setting;
    setting.panel().curves = {"chen-3.3", "chen-5.1-general"};
    auto const curves = setting.curves();
    ASSERT_EQ(curves.size(), 2u);
    EXPECT_NEAR(curves[0].points.front().y, 55, 1e-9); // (1/a)(1+1/a)/2 at a = 0.1
    EXPECT_NEAR(curves[0].points.back().y, 3, 1e-9);
    EXPECT_NEAR(curves[1].points.back().y, 1.25, 1e-9); // (3-a)/2 at a = 0.5
    EXPECT_GT(curves[0].points.size(), 300u);
}

} // namespace
} // namespace crx

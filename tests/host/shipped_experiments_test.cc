#include "host/experiment/experiment.hh"
#include "support/shipped_experiments.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

/// Every shipped experiment of both models, shortened: killed in the middle and continued it gives
/// the same bytes, and the same commands draw and print it.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of_experiments()
{
    std::vector<std::string> files;
    for (auto const& file : shipped_experiments())
        files.push_back(file.lexically_relative(folder_of_experiments()).string());
    return files;
}

/// The first values of an axis, and those that a panel names.
std::vector<double> few_values(crx::Experiment const& experiment, std::string const& sweep,
                               std::string const& axis, std::vector<double> const& values,
                               std::size_t most)
{
    std::set<double> few(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(
                                                              std::min(most, values.size())));
    for (auto const& panel : experiment.panels)
        if (auto const named = panel.where.find(axis);
            panel.sweep == sweep && named != panel.where.end())
            few.insert(named->second);
    return {few.begin(), few.end()};
}

/// Options that make an experiment short: few values of each axis, few instances, and little of
/// what alone takes seconds for one instance.
std::string shortened(crx::Experiment const& experiment)
{
    bool const paths = experiment.model == crx::Model::iterations;
    bool const is_capacity = std::ranges::any_of(experiment.sweeps, [](auto const& sweep) {
        return sweep.refinement && sweep.refinement->is_capacity();
    });
    std::string options = paths         ? " --set stop.instances=6 --set workload.doublings=2"
                          : is_capacity ? " --set stop.instances=8 --set capacity.rounds=1"
                                        : " --set stop.instances=4 --set stop.first=2";
    std::size_t const most = experiment.name.ends_with("_large") ? 1 : 2;
    for (std::size_t k = 0; k < experiment.sweeps.size(); ++k)
        if (experiment.sweeps[k].refinement && !is_capacity)
            options += fmt::format(" --set sweep.{}.refine.rounds=1", k);
    for (std::size_t k = 0; k < experiment.sweeps.size(); ++k)
        for (auto const& [axis, values] : experiment.sweeps[k].axes) {
            auto const few = few_values(experiment, experiment.sweeps[k].name, axis, values, most);
            if (few.size() < values.size())
                options +=
                    fmt::format(" --set 'sweep.{}.axes.{}=[{}]'", k, axis, fmt::join(few, ", "));
        }
    // Whose first values take minutes.
    std::map<std::string, std::string> const own{
        {"chen_theorem_4_3", " --set variables.load=10 --set variables.slots=10"},
        {"chen_theorem_4_3_load",
         " --set variables.load=5 --set variables.slots=2 --set 'sweep.2.axes.slots=[2, 3]' --set "
         "'sweep.3.axes.slots=[2]' --set 'sweep.4.axes.slots=[2]'"},
        {"trace_load", " --set workload.requests=3000"},
        {"wang_figure_ec_2_traces",
         " --set 'sweep.0.axes.requests=[12]' --set 'sweep.1.axes.requests=[12]'"},
        {"wang_table_ec_1_lp", " --set workload.requests=30"}};
    if (auto const found = own.find(experiment.name); found != own.end()) options += found->second;
    for (auto const& id : experiment.baselines)
        if (id == "best-found") options += " --set baselines.evaluations=20";
    return options;
}

class ShippedExperiment : public testing::TestWithParam<std::string>
{
  protected:
    Ending crx(std::string const& arguments, std::string const& before = "") const
    {
        return run_command("cd " + folder.path().string() + " && " + before + " " CRX_PROGRAM " " +
                           arguments + " 2>&1");
    }
    std::string sweep(std::string const& store) const
    {
        return "sweep " + file.string() + " --backend cpu --db " + store + options;
    }
    std::string exported(std::string const& store) const
    {
        auto const csv = crx("export " + store);
        EXPECT_EQ(csv.status, 0) << csv.text;
        return csv.text + crx("export --json " + store).text;
    }

    TemporaryFolder folder;
    fs::path file = folder_of_experiments() / GetParam();
    std::string options;
};

TEST_P(ShippedExperiment, IsTheSameAfterAKillAndIsDrawnAndPrinted)
{
    if (needs_traces(file) && !traces_are_here()) GTEST_SKIP() << "no trace data";
    auto const experiment = crx::Experiment::read(file);
    options = shortened(experiment);
    auto const begin = std::chrono::steady_clock::now();
    auto const whole = crx(sweep("whole.db"));
    ASSERT_EQ(whole.status, 0) << whole.text;
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    auto const bytes = exported("whole.db");

    // Each time a little later, from before the first chunk to shortly before the end.
    int kills = 0;
    for (double share = 0.4;; share *= 1.6) {
        auto const ending =
            crx(sweep("killed.db"), fmt::format("timeout -s KILL {:.3f}", share * took.count()));
        if (ending.status == 0) break;
        ASSERT_LT(++kills, 20) << ending.text;
    }
    EXPECT_TRUE(exported("killed.db") == bytes);

    std::string const commands = experiment.model == crx::Model::rounds ? "rank" : "panels --json";
    EXPECT_EQ(crx(commands + " whole.db").status, 0);
    auto const replay = crx("replay whole.db --cell 0 --instance 0");
    EXPECT_EQ(replay.status, 0) << replay.text;
    auto const check = crx("check killed.db");
    EXPECT_EQ(check.status, 0) << check.text;
    if (experiment.panels.empty()) return;
    auto const panels = crx("panels whole.db");
    EXPECT_EQ(panels.status, 0) << panels.text;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedExperiment, testing::ValuesIn(files_of_experiments()),
                         [](auto const& name) { return fs::path(name.param).stem().string(); });

} // namespace
} // namespace crx_test

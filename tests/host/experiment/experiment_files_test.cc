#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "support/shipped_experiments.hh"

#include <fstream>

#include <gtest/gtest.h>

namespace crx {

namespace {

/// Every file of experiments/ is accepted, and the ends of its sweeps are cells.
TEST(ExperimentFiles, AreAllAccepted)
{
    std::string skipped;
    for (auto const& file : crx_test::shipped_experiments()) {
        if (crx_test::needs_traces(file) && !crx_test::traces_are_here()) {
            skipped += file.filename().string() + " ";
            continue;
        }
        SCOPED_TRACE(file);
        auto const experiment = Experiment::read(file);
        EXPECT_EQ(experiment.name, file.stem());
        for (auto const& sweep : experiment.sweeps) {
            auto const grid = experiment.grid(sweep.name);
            EXPECT_EQ(experiment.make_cell(sweep.name, grid.front()).sweep, sweep.name);
            EXPECT_EQ(experiment.make_cell(sweep.name, grid.back()).coordinates, grid.back());
        }
    }
    if (!skipped.empty()) GTEST_SKIP() << "no trace data for " << skipped;
}

TEST(ExperimentFiles, TheExampleOfTheDocumentationIsAccepted)
{
    std::ifstream in(std::filesystem::path(CRX_SOURCE_DIR) / "docs/experiments.md");
    std::string const page{std::istreambuf_iterator<char>(in), {}};
    auto const first = page.find("```toml\n") + 8;
    auto const example = page.substr(first, page.find("```\n", first) - first);
    auto const experiment = Experiment::parse(example, "docs/experiments.md", ".");
    EXPECT_EQ(experiment.grid("alpha").size(), 650u);
}

} // namespace

} // namespace crx

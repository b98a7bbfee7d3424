#include "host/report/assets.hh"
#include "tests/host/report/report_stores.hh"

/// Pages of `crx report` in Chromium: what a reader sees and does (browser.js). Skipped where there
/// is no browser; scripts/test installs it.
namespace crx_test {
namespace {

/// What is missing to open a page in a browser; empty: nothing.
std::string missing()
{
    if (!crx::report_assets().has_charts())
        return "the program is built without Vega (npm's packages in build/node)";
    if (run_command("command -v node").status != 0) return "there is no node";
    if (!std::filesystem::exists(CRX_SOURCE_DIR "/build/node/node_modules/playwright-core"))
        return "there is no playwright-core in build/node (install_node_packages tests)";
    if (!std::filesystem::exists("/usr/bin/chromium") && std::getenv("CRX_CHROMIUM") == nullptr)
        return "there is no /usr/bin/chromium, and CRX_CHROMIUM names none";
    return {};
}

struct ReportInBrowser : ReportStores
{
    void see(std::string const& name) const
    {
        run("report " + name + ".db");
        auto const* const shots = std::getenv("CRX_SCREENSHOTS"); // a folder, to look at them
        auto const ending =
            run_command("NODE_PATH=" CRX_SOURCE_DIR "/build/node/node_modules node " CRX_SOURCE_DIR
                        "/tests/host/report/browser.js " +
                        (folder / (name + ".html")).string() + " " +
                        (shots != nullptr ? std::string(shots) : "") + " 2>&1");
        EXPECT_EQ(ending.status, 0) << ending.text;
        EXPECT_NE(ending.text.find("the page is as it should be"), std::string::npos)
            << ending.text;
    }
};

TEST_F(ReportInBrowser, DrawsAndAnswersInTheRoundModel)
{
    if (auto const what = missing(); !what.empty()) GTEST_SKIP() << what;
    see("rounds");
}

TEST_F(ReportInBrowser, DrawsAndAnswersInTheIterationModel)
{
    if (auto const what = missing(); !what.empty()) GTEST_SKIP() << what;
    see("paths");
}

} // namespace
} // namespace crx_test

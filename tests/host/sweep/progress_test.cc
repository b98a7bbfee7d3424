#include "host/sweep/progress.hh"

#include "support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace crx {
namespace {

using namespace std::chrono_literals;

/// What a use of Progress writes into a file with a line every 20 ms.
template <class Use>
std::string written(ProgressStyle style, Use use)
{
    crx_test::TemporaryFolder const folder;
    auto* const stream = std::fopen((folder / "log").c_str(), "w");
    {
        Progress progress(stream, style, 20ms);
        use(progress);
    }
    std::fclose(stream);
    std::ostringstream text;
    text << std::ifstream(folder / "log").rdbuf();
    return text.str();
}

// Thousands of cells are done between two lines.
TEST(Progress, LinesComeByTheClockNotByTheCell)
{
    auto const text = written(ProgressStyle::lines, [](Progress& progress) {
        auto const begin = Progress::Clock::now();
        for (std::int64_t done = 0; Progress::Clock::now() - begin < 100ms; ++done) {
            auto const chunk = progress.begin("a w=1, instances 0 to 0");
            progress.update({100'000'000, done, 1000, done});
            progress.end(chunk);
        }
    });
    auto const lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_GE(lines, 1) << text;
    EXPECT_LE(lines, 6) << text;
    EXPECT_NE(text.find(" of 100000000 cells done, "), std::string::npos) << text;
    EXPECT_NE(text.find(" instances/s, "), std::string::npos) << text;
}

// One instance may take minutes: the line says so, without any chunk that ends.
TEST(Progress, NamesAChunkThatTakesLong)
{
    auto const text = written(ProgressStyle::lines, [](Progress& progress) {
        progress.update({3, 0, 30, 0});
        progress.begin("alpha w=0.5, instances 0 to 0");
        std::this_thread::sleep_for(3100ms);
    });
    EXPECT_NE(text.find("0 of 3 cells done; running for 3"), std::string::npos) << text;
    EXPECT_NE(text.find(" s: alpha w=0.5, instances 0 to 0\n"), std::string::npos) << text;
}

TEST(Progress, NoneSaysNothing)
{
    EXPECT_EQ(written(ProgressStyle::none,
                      [](Progress& progress) {
                          progress.update({3, 1, 30, 5});
                          progress.say("hello");
                          std::this_thread::sleep_for(50ms);
                      }),
              "");
}

} // namespace
} // namespace crx

#include "host/sweep/progress.hh"

#include "support/temporary_folder.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace crx {
namespace {

using namespace std::chrono_literals;

std::string content(std::filesystem::path const& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// What a use of Progress writes into a file with a line every 20 ms; a chunk is long after 50 ms.
/// `use` is given the file too.
template <class Use>
std::string written(ProgressStyle style, Use use)
{
    crx_test::TemporaryFolder const folder;
    auto const file = folder / "log";
    auto* const stream = std::fopen(file.c_str(), "w");
    {
        Progress progress(stream, style, 20ms, 50ms);
        use(progress, file);
    }
    std::fclose(stream);
    return content(file);
}

/// Waits until the file holds the text; for ten seconds, as machines are busy.
void wait_for(std::string const& text, std::filesystem::path const& file)
{
    auto const begin = Progress::Clock::now();
    while (content(file).find(text) == std::string::npos && Progress::Clock::now() - begin < 10s)
        std::this_thread::sleep_for(5ms);
}

// Thousands of cells are done between two lines.
TEST(Progress, LinesComeByTheClockNotByTheCell)
{
    auto const begin = Progress::Clock::now();
    std::int64_t cells = 0;
    auto const text = written(ProgressStyle::lines, [&](Progress& progress, auto const& file) {
        while (Progress::Clock::now() - begin < 100ms) {
            auto const chunk = progress.begin("a w=1, instances 0 to 0");
            progress.update({100'000'000, ++cells, 1000, cells});
            progress.end(chunk);
            if (cells % 1000 == 0) std::this_thread::sleep_for(1ms); // the line needs the lock
        }
        wait_for("done", file);
    });
    auto const lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_GE(lines, 1) << text;
    EXPECT_LE(lines, (Progress::Clock::now() - begin) / 20ms) << text;
    EXPECT_GT(cells, 10 * lines);
    EXPECT_NE(text.find(" of 100000000 cells done, "), std::string::npos) << text;
    EXPECT_NE(text.find(" instances/s, "), std::string::npos) << text;
}

// With a half-width, more instances may follow.
TEST(Progress, SaysWhereTheTimeLeftIsTheLeast)
{
    auto const text = written(ProgressStyle::lines, [&](Progress& progress, auto const& file) {
        progress.update({3, 1, 30, 5, true});
        wait_for(" left", file);
    });
    EXPECT_NE(text.find(" instances/s, at least "), std::string::npos) << text;
}

// One instance may take minutes: the line says so, without any chunk that ends.
TEST(Progress, NamesAChunkThatTakesLong)
{
    std::string const chunk = " s: alpha w=0.5, instances 0 to 0\n";
    auto const text = written(ProgressStyle::lines, [&](Progress& progress, auto const& file) {
        progress.update({3, 0, 30, 0});
        progress.begin("alpha w=0.5, instances 0 to 0");
        wait_for(chunk, file);
    });
    EXPECT_NE(text.find("0 of 3 cells done; running for 0."), std::string::npos) << text;
    EXPECT_NE(text.find(chunk), std::string::npos) << text;
}

// Which part of an instance takes so long.
TEST(Progress, NamesTheSearchInsideAChunk)
{
    std::string const search = " s in the search for best-found\n";
    auto const text = written(ProgressStyle::lines, [&](Progress& progress, auto const& file) {
        progress.update({3, 0, 30, 0});
        progress.begin("alpha w=0.5, instances 0 to 0");
        auto const done = progress.begin_part("the search for opt");
        progress.begin_part("the search for best-found");
        progress.end_part(done);
        wait_for(search, file);
    });
    EXPECT_NE(text.find(" s: alpha w=0.5, instances 0 to 0, "), std::string::npos) << text;
    EXPECT_EQ(text.find("search for opt"), std::string::npos) << text;
}

TEST(Progress, NoneSaysNothing)
{
    EXPECT_EQ(written(ProgressStyle::none,
                      [](Progress& progress, auto const&) {
                          progress.update({3, 1, 30, 5});
                          progress.say("hello");
                          std::this_thread::sleep_for(50ms);
                      }),
              "");
}

// What cannot be said is lost; the run goes on.
TEST(Progress, AStreamThatTakesNothingEndsNothing)
{
    for (auto const style : {ProgressStyle::lines, ProgressStyle::live}) {
        auto* const stream = std::fopen("/dev/full", "w");
        ASSERT_NE(stream, nullptr);
        {
            Progress progress(stream, style, 20ms);
            progress.update({3, 1, 30, 5});
            progress.say("hello");
            std::this_thread::sleep_for(style == ProgressStyle::live ? 300ms : 60ms);
        }
        std::fclose(stream);
    }
}

TEST(Progress, ALineIsCutBetweenCharacters)
{
    EXPECT_EQ(first_characters("0 ± 1", 3), "0 ±");
    EXPECT_EQ(first_characters("0 ± 1", 2), "0 ");
    EXPECT_EQ(first_characters("0 ± 1", 5), "0 ± 1");
    EXPECT_EQ(first_characters("0 ± 1", 500), "0 ± 1");
    EXPECT_EQ(first_characters("±", 0), "");
}

} // namespace
} // namespace crx

#include "host/output_file.hh"

#include "host/error.hh"
#include "host/input/text_file.hh"
#include "host/results/results.hh"
#include "support/temporary_folder.hh"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace crx {
namespace {

namespace fs = std::filesystem;

std::string content_of(fs::path const& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(fs::path const& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, APlantedLinkOfItsTemporaryNameIsNotFollowed)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "mine") << "mine";
    for (int k = 0; k < 3; ++k) // as the name was once
        fs::create_symlink("mine", folder / ("a.csv.part-" + std::to_string(::getpid() + k)));
    write_file(folder / "a.csv", "text");
    EXPECT_EQ(content_of(folder / "a.csv"), "text");
    EXPECT_EQ(content_of(folder / "mine"), "mine");
    EXPECT_EQ(files_in(folder.path()), 5u);
}

TEST(OutputFile, ALinkOfAnotherUserInASharedFolderIsRefused)
{
    if (::geteuid() != 0) GTEST_SKIP() << "needs the right to make a link of another user";
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "mine") << "mine";
    fs::create_directory(folder / "shared");
    auto const link = folder / "shared" / "a.csv";
    fs::create_symlink("../mine", link);
    ASSERT_EQ(::lchown(link.c_str(), 65534, 65534), 0);
    ASSERT_EQ(::chmod((folder / "shared").c_str(), 01777), 0);
    EXPECT_THROW(write_file(link, "text"), InputError);
    EXPECT_EQ(content_of(folder / "mine"), "mine");
    ASSERT_EQ(::chmod((folder / "shared").c_str(), 0755), 0);
    write_file(link, "text");
    EXPECT_EQ(content_of(folder / "mine"), "text");
}

TEST(OutputFile, NamedPipesAreRefusedWhereNobodyIsAtTheOtherEnd)
{
    crx_test::TemporaryFolder const folder;
    auto const pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THROW(write_file(pipe, "text"), InputError);
    EXPECT_THROW(LineReader{pipe}, InputError);
    EXPECT_THROW(read_store(pipe), InputError);
    int const reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    write_file(pipe, "text");
    char text[9] = {};
    EXPECT_EQ(::read(reader, text, 8), 4);
    EXPECT_EQ(std::string(text), "text");
    ::close(reader);
}

TEST(OutputFile, AKilledProgramLeavesNothing)
{
    crx_test::TemporaryFolder const folder;
    std::string const large(1 << 28, 'x');
    for (int const milliseconds : {1, 20, 60}) {
        auto const child = ::fork();
        if (child == 0) {
            write_file(folder / "a.csv", large);
            ::_exit(0);
        }
        ::usleep(static_cast<useconds_t>(1000 * milliseconds));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFEXITED(status)) break; // it was faster
        EXPECT_EQ(files_in(folder.path()), 0u);
    }
}

} // namespace
} // namespace crx

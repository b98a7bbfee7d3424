#include "host/store/place.hh"

#include "support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <optional>

namespace crx {
namespace {

TEST(WriterLock, RemovesItsOwnFileAlone)
{
    crx_test::TemporaryFolder const folder;
    auto const file = folder / "a.db-writer";
    std::optional<WriterLock> lock(folder / "a.db");
    EXPECT_TRUE(std::filesystem::exists(file));
    lock.reset();
    EXPECT_FALSE(std::filesystem::exists(file));
    // Another program's, made when somebody had removed this one's.
    lock.emplace(folder / "a.db");
    std::filesystem::remove(file);
    std::ofstream(file).close();
    lock.reset();
    EXPECT_TRUE(std::filesystem::exists(file));
}

} // namespace
} // namespace crx

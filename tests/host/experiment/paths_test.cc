#include "host/error.hh"
#include "host/selftest/selftest.hh"
#include "host/sweep/backend.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(PathBackend, SaysWhatWasChosenAndWhy)
{
    EXPECT_EQ(choose_backend("cpu", "", Model::iterations).text, "running on the CPU");
    auto const device = find_device();
    if (!device.name.empty()) GTEST_SKIP() << "there is a device: " << device.name;
    EXPECT_EQ(choose_backend("auto", "", Model::iterations).text,
              "running on the CPU; no CUDA: " + device.reason);
    try {
        choose_backend("cuda", "", Model::iterations);
        FAIL() << "accepted";
    } catch (InputError const& error) {
        EXPECT_EQ(std::string(error.what()), "command line: --backend = cuda\n  not accepted: must "
                                             "be auto or cpu here: " +
                                                 device.reason);
    }
}

TEST(SelftestPaths, PassOnTheCpu)
{
    auto const result = selftest_paths_cpu();
    EXPECT_EQ(result.failed, 0);
    EXPECT_EQ(result.passed, 20);
}

} // namespace
} // namespace crx

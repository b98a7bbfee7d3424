#include "host/experiment/small_experiment.hh"
#include "support/sanitized.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::run_command;
using crx_test::sanitized;

/// With so little address space that an instance does not fit.
TEST(TooLittleMemory, IsSaidWithWhatTakesIt)
{
    if (sanitized) GTEST_SKIP() << "sanitizers take much address space";
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "large.toml")
        << with(with(with(small_experiment, "requests = 10", "requests = 20000000"), "upper = 20",
                     "upper = 1073741824"),
                "memory = 100", "memory = 2000000000");
    auto const ending =
        run_command("cd '" + folder.path().string() + "' && ulimit -v 400000 && " + CRX_PROGRAM +
                    " sweep large.toml --backend cpu --threads 1 --db a.db 2>&1");
    EXPECT_EQ(ending.status, 1);
    EXPECT_NE(
        ending.text.find("there is not enough memory: engine requests alone takes 3885.3 MB a "
                         "thread\n  fewer --threads, fewer requests or shorter outputs take "
                         "less\n  kept: 0 complete cells"),
        std::string::npos)
        << ending.text;
}

} // namespace
} // namespace crx

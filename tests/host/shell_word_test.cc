#include "host/shell_word.hh"

#include "tests/host/run_program.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(ShellWord, ComesThroughTheShellAsItIs)
{
    EXPECT_EQ(shell_word("out/a_1.db"), "out/a_1.db");
    EXPECT_EQ(shell_word("my store.db"), "'my store.db'");
    for (std::string const name : {"a b", "it's", "$HOME", "a\"b", "", "x;y", "*", "`ls`", "ä.db"})
        EXPECT_EQ(crx_test::run_command("printf %s " + shell_word(name)).text, name);
}

} // namespace
} // namespace crx

#include "tests/host/run_program.hh"

#include <gtest/gtest.h>
#include <string>

/// Command lines that cannot be run, read aloud.
namespace crx {
namespace {

/// Both streams and the exit status of a command line, as text.
std::string run(std::string const& arguments)
{
    return crx_test::run_program(arguments).with_status();
}

std::string const commands =
    "; commands: baseline, bounds, check, claims, docs, export, fluid, help, info, "
    "instance, merge, panels, plot, rank, replay, report, search, selftest, serve, simulate, "
    "spectrum, sweep, trace, witness";
std::string const help = "\n  crx --help says what each does\nstatus 2";

TEST(Usage, NoCommand)
{
    EXPECT_EQ(run(""), "crx: no command is given" + commands + help);
    EXPECT_EQ(run("foo"), "crx: foo: no command of crx" + commands + help);
    EXPECT_EQ(run("simulat --json"),
              "crx: simulat: no command of crx" + commands + " (did you mean simulate?)" + help);
    EXPECT_EQ(run("--bogus"), "crx: --bogus: no option of crx" + commands + help);
}

TEST(Usage, VersionIsThatOfInfo)
{
    auto const version = run("--version");
    EXPECT_TRUE(version.starts_with("crx 0.")) << version;
    EXPECT_NE(version.find(", commit "), std::string::npos) << version;
    auto const line = version.substr(0, version.find('\n') + 1);
    EXPECT_EQ(version, line + "status 0");
    EXPECT_TRUE(run("info").starts_with(line)) << run("info");
}

TEST(Usage, HelpOfACommandIsItsHelp)
{
    EXPECT_EQ(run("help"), run("--help"));
    for (auto const* command : {"sweep", "simulate", "help"})
        EXPECT_EQ(run("help " + std::string(command)), run(std::string(command) + " --help"));
    EXPECT_EQ(run("help swep"),
              "crx: swep: no command of crx" + commands + " (did you mean sweep?)" + help);
}

TEST(Usage, WrongOptionsSayWhereHelpIs)
{
    std::string const says = "\n  crx sweep --help says what it takes\nstatus 2";
    EXPECT_EQ(run("sweep --bogus a.toml"), "crx: --bogus: no option of crx sweep" + says);
    for (auto const* option : {"--treads 3", "--treads=3"})
        EXPECT_EQ(run("sweep a.toml " + std::string(option)),
                  "crx: --treads: no option of crx sweep (did you mean --threads?)" + says);
    EXPECT_EQ(run("sweep a.toml b.toml"),
              "crx: The following argument was not expected: b.toml" + says);
    EXPECT_EQ(run("sweep"),
              "crx: EXPERIMENT is required\n  crx sweep --help says what it takes\nstatus 2");
}

TEST(Usage, AMisspeltOptionIsNamedWhereOneIsMissing)
{
    std::string const says = "\n  crx baseline --help says what it takes\nstatus 2";
    EXPECT_EQ(run("baseline --instanc i.csv --memory 50"),
              "crx: --instanc: no option of crx baseline (did you mean --instance?)" + says);
    EXPECT_EQ(run("baseline --memory 50 --bogus 50"), "crx: --instance is required" + says);
}

TEST(Usage, NumbersAreNotBent)
{
    auto const refusal = [](std::string const& option, std::string const& value,
                            std::string const& range) {
        EXPECT_EQ(run("simulate --instance a.csv --policy mc-sf " + option + " " + value),
                  "crx: " + option + ": " + value +
                      " is not accepted: must be a whole number from " + range +
                      "\n  crx simulate --help says what it takes\nstatus 2");
    };
    for (auto const* value : {"-1", "18446744073709551616", "1.5", "nan", "0x10"})
        refusal("--seed", value, "0 to 18446744073709551615");
    refusal("--number", "-1", "0 to 9223372036854775807");
    refusal("--memory", "0", "1 to 2147483647");
    refusal("--memory", "1e9", "1 to 2147483647");
}

TEST(Usage, AnOptionHasOneValue)
{
    std::string const says = "\n  crx export --help says what it takes\nstatus 2";
    EXPECT_EQ(run("export a.db --output"), "crx: --output: its value is missing" + says);
    EXPECT_EQ(run("export a.db -o b.csv -o c.csv"),
              "crx: --output: must be given once only" + says);
}

TEST(Usage, WordsAreNoNumbers)
{
    EXPECT_EQ(run("panels a.db --panel first"),
              "crx: --panel = first is not accepted: must be a number\n"
              "  crx panels --help says what it takes\nstatus 2");
    EXPECT_EQ(run("panels a.db --panel 1.5"),
              "crx: --panel = 1.5 is not accepted: must be a whole number\n"
              "  crx panels --help says what it takes\nstatus 2");
    EXPECT_EQ(run("sweep a.toml --threads many"),
              "crx: --threads: many is not accepted: must be a whole number from 1 to 4096\n"
              "  crx sweep --help says what it takes\nstatus 2");
    EXPECT_EQ(run("fluid a.toml --type-blind 0"),
              "crx: --type-blind: 0 is not accepted: must be a whole number from 1 to 1000000\n"
              "  crx fluid --help says what it takes\nstatus 2");
}

TEST(Usage, WhatCannotBePrintedIsAFailure)
{
    // The # keeps run() from sending errors after the output.
    for (auto const* arguments : {"info", "--help", "bounds", "bounds --json", "info --json"})
        EXPECT_EQ(run(arguments + std::string(" 2>&1 >/dev/full #")),
                  "crx: standard output: cannot be written: No space left on device\nstatus 1")
            << arguments;
}

} // namespace
} // namespace crx

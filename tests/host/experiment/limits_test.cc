#include "host/experiment/experiment_text.hh"
#include "host/input/config_value.hh"
#include "small_experiment.hh"

#include <chrono>
#include <gtest/gtest.h>

/// Inputs that are deeper or longer than any experiment are refused at once.
namespace crx {
namespace {

std::string repeated(std::string const& text, int times)
{
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
}

std::string refusal(std::string const& text, std::vector<std::string> const& overrides = {})
{
    try {
        Experiment::parse(text, "e.toml", ".", overrides);
        return "";
    } catch (InputError const& error) {
        return error.what();
    }
}

constexpr char const* too_deep = "more than 64 tables, lists or parts of keys inside each other, "
                                 "which no experiment has";

TEST(Limits, DeepDocumentsAreRefused)
{
    EXPECT_EQ(refusal("[a" + repeated(".a", 14'000) + "]\nx = 1\n"),
              std::string("e.toml:1:129: ") + too_deep);
    EXPECT_EQ(refusal(small_experiment + "a" + repeated(".a", 20'000) + " = 1\n"),
              std::string("e.toml:25:130: ") + too_deep);
    for (auto const& text :
         {"x = " + repeated("[", 5000), "x = " + repeated("{a.b=", 5000),
          "\"\"\" [ \"\"\" = 1\n" + repeated("[[a.", 40), "a = 'x\\'\n" + repeated("[", 65)})
        EXPECT_NE(refusal(text).find(too_deep), std::string::npos) << text.substr(0, 80);
}

TEST(Limits, WhatIsWideOrQuotedIsNotDeep)
{
    for (auto const& text :
         {repeated("x = [1.5, {a = 1.5, b.c = 2}]\n", 100), "# " + repeated("[", 100) + "\n",
          "x = \"" + repeated("[\\\"", 100) + "\"\n", "x = '" + repeated("{", 100) + "'\n",
          "x = \"\"\"\n" + repeated("[.\n\"", 100) + "\"\"\"\n", repeated("[a.b.c]\n", 100),
          "x = [" + repeated("1.5,\n", 100) + "]\n", "a" + repeated(".a", 63) + " = 1\n",
          "x = " + repeated("[", 64) + repeated("]", 64)})
        EXPECT_EQ(place_nested_too_deep(text), "") << text.substr(0, 80);
}

TEST(Limits, DeepOverridesAreRefused)
{
    auto const key = "a" + repeated(".a", 50'000);
    EXPECT_EQ(refusal(small_experiment, {key + "=1"}),
              "--set " + key.substr(0, 200) +
                  " ..: the key has more than 64 parts, which no key of an experiment has");
    EXPECT_EQ(refusal(small_experiment, {"sweep=" + repeated("[", 50'000)}),
              std::string("--set sweep: ") + too_deep);
}

TEST(Limits, ManyVariablesAreRefused)
{
    std::string chain;
    for (int k = 0; k < 16'000; ++k)
        chain += "v" + std::to_string(k) + " = \"v" + std::to_string(k + 1) + "\"\n";
    EXPECT_EQ(refusal(with(small_experiment, "t = 1\n", "t = \"v0\"\n" + chain)),
              "e.toml:7: variables: there are 16001; at most 256 are accepted");
    std::string most = "v254 = 1\n";
    for (int k = 0; k < 254; ++k)
        most += "v" + std::to_string(k) + " = \"v" + std::to_string(k + 1) + "\"\n";
    EXPECT_EQ(refusal(with(small_experiment, "t = 1\n", "t = \"v0\"\n" + most)), "");
}

// Quadratic reading took 12 s for as many keys.
TEST(Limits, ALongTableTakesTimeInProportion)
{
    std::string keys;
    for (int k = 0; k < 20'000; ++k) keys += "key" + std::to_string(k) + " = 1\n";
    auto const start = std::chrono::steady_clock::now();
    auto const document = parse_toml(keys, "e.toml");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
    ASSERT_EQ(document.table.size(), 20'000u);
    EXPECT_EQ(document.table[19'999].key, "key19999"); // in the order of the file
}

} // namespace
} // namespace crx

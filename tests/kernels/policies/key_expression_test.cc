#include "kernels/policies/key_expression.hh"

#include "oracle/key.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

namespace crx {
namespace {

std::string why_not(std::string const& text)
{
    try {
        KeyExpression const expression(text);
    } catch (std::invalid_argument const& error) {
        return error.what();
    }
    return "";
}

ExactNumber value(std::string const& text) { return KeyExpression(text).value({}); }

TEST(KeyExpression, IsReadWithThePrecedencesOfTheFiles)
{
    EXPECT_EQ(value("1 + 2 * 3 ^ 2"), (ExactNumber{19, 1}));
    EXPECT_EQ(value("-2 ^ 2"), (ExactNumber{-4, 1}));
    EXPECT_EQ(value("2 ^ 3 ^ 2"), (ExactNumber{512, 1}));
    EXPECT_EQ(value("2 ^ -2"), (ExactNumber{1, 4}));
    EXPECT_EQ(value("0.1 + 0.2 == 0.3"), (ExactNumber{1, 1}));
    EXPECT_EQ(value("1 > 2 ? 3 : 2 > 1 ? 4 : 5"), (ExactNumber{4, 1}));
    EXPECT_EQ(value("1 < 2 && 0 || 7 >= 7"), (ExactNumber{1, 1}));
    EXPECT_EQ(value("floor(-7/2) + ceil(-7/2)"), (ExactNumber{-7, 1}));
    EXPECT_EQ(value("round(-5/2) + round(5/2) * 10"), (ExactNumber{27, 1}));
    EXPECT_EQ(value("min(3, 2, 4) - max(1, abs(-9))"), (ExactNumber{-7, 1}));
    EXPECT_EQ(value("1.5e3"), (ExactNumber{1500, 1}));
    EXPECT_EQ(value("(-1) ^ 1000000001 + 0 ^ 3"), (ExactNumber{-1, 1}));
    EXPECT_EQ(value("9007199254740991"), (ExactNumber{9007199254740991, 1}));
    EXPECT_THROW(value("9007199254740991 + 1"), std::range_error);
    EXPECT_THROW(value("3000000000 * 3002399752"), std::range_error);
}

TEST(KeyExpression, SaysWhatIsWrong)
{
    EXPECT_EQ(why_not("prompt +"), "it ends where a number or a name must come");
    EXPECT_EQ(why_not("prompt output"), "\"output\" is left over");
    EXPECT_EQ(why_not("(prompt"), "\")\" is missing at the end");
    EXPECT_EQ(why_not("prompt ? 1"), "\":\" is missing at the end");
    EXPECT_EQ(why_not("sqrt(output)"),
              "sqrt is not exact, or unknown: a key has min, max, abs, floor, ceil and round");
    EXPECT_EQ(why_not("floor(1, 2)"), "floor takes one number");
    EXPECT_EQ(why_not("$"), "\"$\" begins with neither a number nor a name");
    EXPECT_EQ(why_not("9007199254740992"), "a number is 2^53 or more");
    EXPECT_EQ(why_not(std::string(1001, '1')), "it is longer than 1000 characters");
}

TEST(KeyExpression, NamesAreReplacedByTexts)
{
    KeyExpression const key("weight * prompt + prompt_2 + weight");
    EXPECT_EQ(key.names(), (std::vector<std::string>{"weight", "prompt_2"}));
    EXPECT_EQ(key.with({"(-2)", "0.5"}).text(), "(-2) * prompt + 0.5 + (-2)");
    EXPECT_TRUE(key.reads(KeyField::prompt));
    EXPECT_FALSE(key.reads(KeyField::output));
}

/// A random expression of small numbers and three fields.
std::string random_expression(std::mt19937_64& rng, int depth)
{
    auto const pick = [&](std::uint64_t n) { return rng() % n; };
    if (depth == 0 || pick(5) == 0) {
        static constexpr char const* leaves[] = {"prompt", "output", "arrival", "3", "0.5", "7"};
        return leaves[pick(6)];
    }
    auto const part = [&] { return random_expression(rng, depth - 1); };
    static constexpr char const* between[] = {
        " + ", " - ", " * ", " / ", " < ", " <= ", " == ", " != ", " > ", " >= ", " && ", " || "};
    static constexpr char const* one[] = {"floor", "ceil", "round", "abs"};
    switch (pick(6)) {
    case 0: return "(" + part() + " ? " + part() + " : " + part() + ")";
    case 1: return std::string(one[pick(4)]) + "(" + part() + ")";
    case 2: return (pick(2) == 0 ? "min(" : "max(") + part() + ", " + part() + ")";
    case 3: return "-" + part();
    default: return "(" + part() + between[pick(12)] + part() + ")";
    }
}

// Evaluated one by one, in columns, and by the oracle's evaluator, whose fractions have no limit.
TEST(KeyExpression, AgreesWithTheOracle)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int agreed = 0, in_columns = 0;
    for (int k = 0; k < 20'000; ++k) {
        auto const text = random_expression(rng, 4);
        KeyExpression const expression(text);
        std::int64_t const size = k % 3 == 0 ? 1'000'000'000'000 : 20;
        std::int64_t column[3] = {};
        KeyValues values;
        for (int f = 0; f < 3; ++f)
            column[f] = static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(size));
        values[KeyField::prompt] = column[0];
        values[KeyField::output] = column[1];
        values[KeyField::arrival] = column[2];
        std::int64_t const* columns[key_field_count] = {};
        columns[static_cast<int>(KeyField::prompt)] = &column[0];
        columns[static_cast<int>(KeyField::output)] = &column[1];
        columns[static_cast<int>(KeyField::arrival)] = &column[2];
        std::int64_t whole = 0;
        auto const has_whole = expression.values(columns, 1, &whole);
        oracle::Exact expected;
        try {
            expected = oracle::key_value(
                text, {{"prompt", column[0]}, {"output", column[1]}, {"arrival", column[2]}});
        } catch (std::invalid_argument const&) {
            continue; // 0 divides, perhaps where && need not look
        }
        try {
            auto const found = expression.value(values);
            ASSERT_EQ(oracle::Exact(found.numerator, found.denominator), expected) << text;
            ++agreed;
            if (has_whole) {
                ASSERT_EQ(found, (ExactNumber{whole, 1})) << text;
            }
            in_columns += has_whole ? 1 : 0;
        } catch (std::range_error const&) {
            ASSERT_FALSE(has_whole) << text;
        }
    }
    EXPECT_GT(agreed, 10'000);
    EXPECT_GT(in_columns, 2'000);
}

} // namespace
} // namespace crx

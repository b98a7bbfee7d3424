#include "host/store/tables/integer_text.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(IntegerText, WideSumsAreDecimal)
{
    EXPECT_EQ(to_text(Unsigned128{0}), "0");
    EXPECT_EQ(to_text(~Unsigned128{0}), "340282366920938463463374607431768211455");
    EXPECT_EQ(to_text(Unsigned192{0, 0, 1}), "340282366920938463463374607431768211456");
    auto const most = ~std::uint64_t{0};
    EXPECT_EQ(to_text(Unsigned192{most, most, most}),
              "6277101735386680763835789423207666416102355444464034512895");
}

TEST(IntegerText, ReadsWhatItWrites)
{
    auto const most = ~std::uint64_t{0};
    for (auto const& value : {Unsigned192{}, Unsigned192{7, 0, 0}, Unsigned192{0, 5, 0},
                              Unsigned192{1, 2, 3}, Unsigned192{most, most, most}})
        EXPECT_EQ(parse_unsigned192(to_text(value)), value);
    for (Unsigned128 const value : {Unsigned128{0}, Unsigned128{most} + 1, ~Unsigned128{0}})
        EXPECT_TRUE(parse_unsigned128(to_text(value)) == value);
    EXPECT_TRUE(parse_unsigned128("010") == 10); // not octal
    for (auto const& histogram : {Histogram{}, Histogram{{0, 1}}, Histogram{{5, 2}, {70000, 9}}})
        EXPECT_EQ(parse_histogram(to_text(histogram)), histogram);
    EXPECT_EQ(to_text(Histogram{{5, 2}, {70000, 9}}), R"({"5":2,"70000":9})");
}

TEST(IntegerText, RefusesAnythingElse)
{
    for (char const* text :
         {"", "-1", "+1", "1.5", "0x10", " 1", "1e3", "340282366920938463463374607431768211456"})
        EXPECT_THROW(parse_unsigned128(text), std::invalid_argument) << text;
    EXPECT_THROW(parse_unsigned192(std::string(59, '9')), std::invalid_argument);
    EXPECT_THROW(parse_unsigned192(std::string(5000, '9')), std::invalid_argument);
    for (char const* text : {"", "{", "[]", "{1:2}", R"({"1":})", R"({"1":2,})", R"({"1":2 })",
                             R"({"1":0})", R"({"1":-2})", R"({"1":2,"1":3})", R"({"1":2"3":4})"})
        EXPECT_THROW(parse_histogram(text), std::invalid_argument) << text;
}

} // namespace
} // namespace crx

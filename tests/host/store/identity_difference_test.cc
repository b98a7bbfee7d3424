#include "host/store/identity_difference.hh"
#include "host/store/keys.hh"
#include "host/store/tables.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(IdentityDifference, NamesEachKey)
{
    EXPECT_EQ(describe_difference(R"({"seed":1,"policies":[{"id":"a-max"}],"old":true})",
                                  R"({"seed":2,"policies":[{"id":"a-min"}],"new":"x"})"),
              "  old: true there, absent here\n"
              "  policies[0].id: \"a-max\" there, \"a-min\" here\n"
              "  seed: 1 there, 2 here\n"
              "  new: absent there, \"x\" here");
}

TEST(IdentityDifference, ListsOfOtherLengthsAreShownWhole)
{
    EXPECT_EQ(describe_difference(R"({"axes":[1,2]})", R"({"axes":[1,2,3]})"),
              "  axes: [1,2] there, [1,2,3] here");
}

TEST(IdentityDifference, EmptyWhereEqual)
{
    EXPECT_EQ(describe_difference(R"({"a":1,"b":2})", R"({"b":2,"a":1})"), "");
    EXPECT_EQ(describe_difference("not JSON", "not JSON"), "");
    EXPECT_EQ(describe_difference("one", "other"), "  identity: \"one\" there, \"other\" here");
}

TEST(IdentityDifference, IsCutShort)
{
    std::string there = "{", here = "{";
    for (int i = 0; i < 20; ++i) {
        auto const key = (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":";
        there += key + "1";
        here += key + "\"" + std::string(500, 'x') + "\"";
    }
    auto const text = describe_difference(there + "}", here + "}");
    EXPECT_NE(text.find("\n  and 12 more"), std::string::npos);
    EXPECT_LT(text.size(), 1000u);
}

// Python: uuid.uuid5(uuid.NAMESPACE_OID, '{"seed":1}')
TEST(IdentityHash, IsTheNameBasedUuid)
{
    EXPECT_EQ(identity_hash("{\"seed\":1}"), "11c58194-5414-532e-80da-7bd1ec3acdcc");
    EXPECT_NE(identity_hash("{\"seed\":1}"), identity_hash("{\"seed\":2}"));
}

} // namespace
} // namespace crx

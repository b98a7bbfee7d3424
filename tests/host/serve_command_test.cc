#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// `crx serve`: calls over pipes (docs/protocol.md).
namespace crx {
namespace {

using Json = nlohmann::json;

/// A request as it goes through the pipe.
template <class Number>
std::string bytes_of(std::vector<Number> const& values)
{
    std::string bytes(values.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

struct Answers
{
    explicit Answers(std::string const& requests)
    {
        std::ofstream(folder / "requests", std::ios::binary) << requests;
        auto const ending = crx_test::run_program("serve < requests", folder.path(), false);
        EXPECT_EQ(ending.status, 0) << ending.text;
        text = ending.text;
    }
    Json next()
    {
        auto const end = text.find('\n', at);
        auto const line = text.substr(at, end - at);
        at = end + 1;
        return Json::parse(line);
    }
    std::vector<std::int64_t> times(std::size_t n)
    {
        std::vector<std::int64_t> values(n);
        std::memcpy(values.data(), text.data() + at, n * sizeof(values[0]));
        at += n * sizeof(values[0]);
        return values;
    }
    crx_test::TemporaryFolder folder;
    std::string text;
    std::size_t at = 0;
};

Json array(char const* name, char const* type, std::size_t length)
{
    return {{"name", name}, {"type", type}, {"length", length}};
}

std::string simulate(std::string const& policy, Json more)
{
    Json head{{"call", "simulate"},
              {"policy", policy},
              {"memory", 3},
              {"arrays", {array("prompts", "int32", 2), array("outputs", "int32", 2)}}};
    head.update(more);
    return head.dump() + "\n" + bytes_of<std::int32_t>({0, 0}) + bytes_of<std::int32_t>({2, 3});
}

// Requests of 2 and 3 tokens, M = 3: the short one alone in round 0, the long one from round 1.
TEST(Serve, SimulatesAndSaysWhatIsWrongInTheProgramsWords)
{
    Answers answers(simulate("mc-sf", Json::object()) + simulate("mc-sg", Json::object()) +
                    simulate("mc-sf", {{"memory", 2}}) + "{\"call\":\"nothing\"}\n");
    auto const good = answers.next();
    ASSERT_TRUE(good["ok"].get<bool>()) << good;
    EXPECT_EQ(good["result"]["runs"][0]["total_latency"], 6);
    EXPECT_EQ(good["result"]["runs"][0]["rows"], 2);
    EXPECT_EQ(good["arrays"][0]["name"], "start");
    EXPECT_EQ(answers.times(2), (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(answers.times(2), (std::vector<std::int64_t>{2, 4}));
    EXPECT_EQ(answers.times(2), (std::vector<std::int64_t>{1, 2}));
    answers.at += 8; // cancelled
    auto const unknown = answers.next();
    EXPECT_EQ(unknown["error"], "config");
    EXPECT_EQ(unknown["status"], 2);
    EXPECT_NE(unknown["text"].get<std::string>().find("command line: --policy = mc-sg"),
              std::string::npos)
        << unknown;
    auto const large = answers.next();
    EXPECT_EQ(large["text"], "the instance: request 1: s + o = 0 + 3 = 3 exceeds M = 2");
    EXPECT_EQ(answers.next()["error"], "input");
}

TEST(Serve, TakesManyInstancesAndOrdersAtOnce)
{
    Json const head{
        {"call", "simulate"},
        {"policy", "own-order"},
        {"memory", 3},
        {"sizes", {2, 1}},
        {"timeline", true},
        {"arrays",
         {array("prompts", "int32", 3), array("outputs", "int32", 3), array("order", "int64", 3)}}};
    Answers answers(head.dump() + "\n" + bytes_of<std::int32_t>({0, 0, 1}) +
                    bytes_of<std::int32_t>({2, 3, 2}) + bytes_of<std::int64_t>({1, 0, 0}));
    auto const answer = answers.next();
    ASSERT_TRUE(answer["ok"].get<bool>()) << answer;
    EXPECT_EQ(answer["result"]["runs"][0]["total_latency"], 8); // the long one first
    EXPECT_EQ(answer["result"]["runs"][1]["total_latency"], 2);
    EXPECT_EQ(answer["result"]["timeline_lengths"].size(), 2u);
}

// A policy of the caller's: the program asks for its order in the middle of a sweep.
TEST(Serve, AsksForOrders)
{
    std::string const text = "[experiment]\nname = \"x\"\nseed = 1\n[stop]\ninstances = 1\n"
                             "[workload]\nrequests = 2\nmemory = 9\nprompt = 0\n"
                             "[workload.output]\nlaw = \"uniform\"\nlower = 1\nupper = 3\n"
                             "[workload.interval]\nrule = \"support\"\n"
                             "[[policy]]\nid = \"own-order\"\nlabel = \"mine\"\ndigest = \"1\"\n"
                             "[[sweep]]\nname = \"all\"\n";
    Json const head{{"call", "sweep"}, {"text", text},     {"name", "x"},
                    {"store", "x.db"}, {"backend", "cpu"}, {"own", {"mine"}}};
    Json const order{{"arrays", {array("order", "int64", 2)}}};
    Answers answers(head.dump() + "\n" + order.dump() + "\n" + bytes_of<std::int64_t>({1, 0}));
    auto const asked = answers.next();
    EXPECT_EQ(asked["ask"], "order");
    EXPECT_EQ(asked["policy"], "mine");
    EXPECT_EQ(asked["memory"], 9);
    answers.at += 4 * 8; // prompts, outputs, lower, upper
    auto const done = answers.next();
    ASSERT_TRUE(done["ok"].get<bool>()) << done;
    EXPECT_EQ(done["result"]["added"], 1);
}

TEST(Serve, EndsAtWhatIsNoMessage)
{
    auto const answer = Answers("no json\n").next();
    EXPECT_EQ(answer["error"], "usage");
}

} // namespace
} // namespace crx

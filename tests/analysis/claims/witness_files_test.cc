// claims/witnesses/: each file breaks the claim that it names, by the oracle's rules alone
// (docs/witnesses.md has the format).
#include "analysis/claims/registry.hh"
#include "oracle/oracle.hh"
#include "oracle/sorted_f.hh"

#include <boost/multiprecision/cpp_int.hpp>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace crx::claims {
namespace {

using Fraction = boost::multiprecision::cpp_rational;
using Json = nlohmann::json;
using Requests = std::vector<oracle::Request>;

std::filesystem::path const folder = CRX_SOURCE_DIR "/claims/witnesses";

Json read(std::filesystem::path const& path)
{
    std::ifstream stream(path);
    return Json::parse(stream);
}

Fraction fraction(Json const& text) { return Fraction(text.get<std::string>()); }

/// What a side is told of the lengths, where the file says so; else what the requests say.
Requests requests_of(Json const& witness, Json const& side)
{
    Requests requests;
    for (auto const& r : witness.at("requests")) {
        oracle::Request request;
        request.arrival = r.value("arrival", 0);
        request.prompt = r.at("prompt");
        request.output = r.at("output");
        request.lower = r.value("lower", request.output);
        request.upper = r.value("upper", request.output);
        if (side.contains("known")) {
            request.lower = side["known"][0];
            request.upper = side["known"][1];
        }
        requests.insert(requests.end(), r.value("count", std::size_t{1}), request);
    }
    return requests;
}

/// TEL of starts after looking at the memory of every round.
Fraction schedule_latency(Requests const& requests, Json const& side)
{
    std::vector<std::int64_t> const starts = side.at("starts");
    std::int64_t const memory = side.at("memory");
    EXPECT_EQ(starts.size(), requests.size());
    std::vector<std::int64_t> held;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        auto const& r = requests[i];
        EXPECT_GE(starts[i], r.arrival);
        auto const end = static_cast<std::size_t>(starts[i] + r.output);
        if (held.size() <= end) held.resize(end + 1);
        for (std::int64_t j = 1; j <= r.output; ++j)
            held[static_cast<std::size_t>(starts[i] + j)] += r.prompt + j;
        total += starts[i] + r.output - r.arrival;
    }
    for (auto const tokens : held) EXPECT_LE(tokens, memory);
    return total;
}

std::int64_t run(Json const& side, Requests const& requests, std::uint64_t number)
{
    std::string const policy = side.at("policy");
    std::int64_t const memory = side.at("memory");
    std::uint64_t const seed = side.at("seed");
    if (policy == "sorted-f")
        return oracle::simulate_sorted_f({side.at("selector")}, requests, memory, seed, number)
            .total_latency;
    auto const schedule = oracle::simulate({policy}, requests, memory, seed, number);
    EXPECT_TRUE(schedule.finished);
    EXPECT_LE(schedule.peak_memory, memory);
    return schedule.total_latency;
}

/// Over all orders of the requests in the file, or over instances 0, 1, .. of the policy's draws.
Fraction policy_latency(Json const& side, Requests requests)
{
    Fraction sum = 0;
    std::int64_t runs = 0;
    if (side.at("orders") != "all") {
        for (std::uint64_t k = 0; k < side.value("instances", std::uint64_t{1}); ++k, ++runs)
            sum += run(side, requests, k);
        return sum / runs;
    }
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
        Requests permuted;
        for (auto const i : order) permuted.push_back(requests[i]);
        sum += run(side, permuted, 0);
        ++runs;
    } while (std::ranges::next_permutation(order).found);
    return sum / runs;
}

Fraction latency(Json const& witness, Json const& side)
{
    auto const requests = requests_of(witness, side);
    return side.contains("starts") ? schedule_latency(requests, side)
                                   : policy_latency(side, requests);
}

TEST(WitnessFiles, EachBreaksItsClaimByTheOracle)
{
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        SCOPED_TRACE(entry.path().filename());
        auto const witness = read(entry.path());
        auto const above = latency(witness, witness.at("numerator"));
        auto const below = latency(witness, witness.at("denominator"));
        EXPECT_EQ(above, fraction(witness["numerator"].at("total_latency")));
        EXPECT_EQ(below, fraction(witness["denominator"].at("total_latency")));
        EXPECT_EQ(above / below, fraction(witness.at("ratio")));
        EXPECT_GT(above / below, fraction(witness.at("bound")));
        auto const* claim = find_claim(witness.at("claim").get<std::string>());
        ASSERT_NE(claim, nullptr);
        EXPECT_FALSE(claim->witness.empty()) << "the claim names no witness";
        ++files;
    }
    EXPECT_GE(files, 16);
}

// A claim that is broken by a law or a limit says so in docs/witnesses.md.
TEST(WitnessFiles, OrAReasonAreThereForEveryBrokenClaim)
{
    std::ifstream stream(CRX_SOURCE_DIR "/docs/witnesses.md");
    std::string const page{std::istreambuf_iterator<char>(stream), {}};
    for (auto const& claim : all_claims()) {
        auto const row = page.find("\n| " + std::string(claim.id) + " |") != std::string::npos;
        EXPECT_EQ(row, claim.verdict == Verdict::broken && claim.witness.empty()) << claim.id;
    }
}

TEST(WitnessFiles, AreThereWhereAClaimNamesOne)
{
    for (auto const& claim : all_claims())
        EXPECT_TRUE(claim.witness.empty() || std::filesystem::exists(folder / claim.witness))
            << claim.id;
}

} // namespace
} // namespace crx::claims

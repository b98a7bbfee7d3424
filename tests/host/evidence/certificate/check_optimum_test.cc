// Certificates of optima: the plain check agrees with exhaustive search, and sees what is changed.
#include "host/evidence/certificate/check_optimum.hh"

#include "host/evidence/certificate/optimum_certificate.hh"
#include "host/evidence/certificate/pair_paths.hh"
#include "support/exhaustive_optimum.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

OwnedInstance small_instance(std::mt19937_64& rng, int n)
{
    OwnedInstance instance;
    instance.memory = 6 + static_cast<Tokens>(rng() % 6);
    for (int i = 0; i < n; ++i) {
        instance.prompt.push_back(static_cast<std::int32_t>(rng() % 3));
        instance.output.push_back(1 + static_cast<std::int32_t>(rng() % 4));
        instance.arrival.push_back(rng() % 2 == 0 ? 0 : static_cast<Rounds>(rng() % 5));
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

OwnedInstance waiting_instance()
{
    return crx_test::known_at_0(
        40, {{2, 16}, {3, 33}, {4, 14}, {2, 26}, {2, 2}, {1, 30}, {1, 32}, {2, 30}});
}

std::int64_t exhaustive_optimum(OwnedInstance const& instance)
{
    std::vector<oracle::Request> requests(instance.output.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].arrival = instance.arrival[i];
        requests[i].prompt = instance.prompt[i];
        requests[i].output = instance.output[i];
    }
    return crx_test::ExhaustiveOptimum(requests, instance.memory).find();
}

Json certificate_of(OwnedInstance const& instance)
{
    baseline::HindsightLimits limits;
    limits.seconds = 60;
    limits.evaluations_a_request = 5000;
    return optimum_certificate(instance, baseline::hindsight(instance, limits));
}

std::string fault_of(Json const& file)
{
    try {
        check_optimum_certificate(file, 1'000'000);
    } catch (std::invalid_argument const& fault) {
        return fault.what();
    }
    return {};
}

TEST(OptimumCertificate, IsTheOptimumOfExhaustiveSearch)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int searched = 0;
    for (int k = 0; k < 150; ++k) {
        auto const instance = small_instance(rng, 2 + k % 4);
        auto const file = certificate_of(instance);
        auto const checked = check_optimum_certificate(file, 1'000'000);
        ASSERT_TRUE(checked.search_ended);
        ASSERT_EQ(checked.lower, checked.upper);
        ASSERT_EQ(checked.upper, exhaustive_optimum(instance)) << file.dump();
        searched += checked.arcs > 0;
    }
    EXPECT_GT(searched, 10);
}

TEST(OptimumCertificate, SaysWhatIsWrong)
{
    auto good = certificate_of(waiting_instance());
    ASSERT_EQ(good["proof"], "configurations");
    ASSERT_EQ(good["total_latency"], 414);
    ASSERT_EQ(fault_of(good), "");
    auto const fault = [&](auto change) {
        auto file = good;
        change(file);
        return fault_of(file);
    };
    EXPECT_EQ(fault([](Json& f) { f["total_latency"] = 413; }),
              "total_latency: 413 is written, the starts have 414");
    EXPECT_NE(fault([](Json& f) { f["memory"] = 39; }).find("tokens are held at time"),
              std::string::npos);
    EXPECT_NE(fault([](Json& f) { f["starts"].erase(0); }), "");
    EXPECT_NE(fault([](Json& f) { f.erase("proof"); }), "");
    EXPECT_EQ(fault([](Json& f) { f["starts"][4] = -1; }),
              "starts: -1 is no whole number in 0 .. 33554432");
    EXPECT_EQ(fault([](Json& f) { f["start"] = 1; }), "unknown key start");
    EXPECT_NE(fault([](Json& f) { f["lower_bound"] = 400; }), "");
    EXPECT_EQ(fault([](Json& f) { f["proof"] = "prices"; }), "unknown key configurations");
    EXPECT_NE(fault([](Json& f) {
                  f["proof"] = "prices"; // what configurations alone have proven
                  f.erase("configurations");
              }).find("lower_bound: 414 is written, the prices give"),
              std::string::npos);
    EXPECT_NE(fault([](Json& f) { f["proof"] = "search"; }).find("proof: "), std::string::npos);
    EXPECT_EQ(fault([](Json& f) { f["optimum_certificate"] = 1; }),
              "optimum_certificate: 2 is expected");
    // A schedule a round later is one, and not the best: a better one may be left.
    EXPECT_EQ(fault([](Json& f) {
                  auto const last = std::ranges::max_element(f["starts"]);
                  *last = last->get<std::int64_t>() + 1;
                  f["total_latency"] = f["lower_bound"] = 415;
              }),
              "configurations: paths are left at the end");
}

// Any prices give a lower bound; those of the requests alone reach the optimum often.
TEST(PairCertificate, IsBelowTheOptimumOfExhaustiveSearchAtAnyPrices)
{
    std::mt19937_64 rng(crx_test::test_seed() + 155);
    auto const price = [&](std::int64_t least, std::int64_t most) {
        return (least << 20) +
               static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>((most - least) << 20));
    };
    int met = 0;
    for (int k = 0; k < 200; ++k) {
        auto const instance = small_instance(rng, 2 + k % 4);
        auto const optimum = exhaustive_optimum(instance);
        certificate::Certified certified;
        certified.memory = instance.memory;
        for (std::size_t i = 0; i < instance.output.size(); ++i)
            certified.requests.push_back(
                {instance.arrival[i], instance.prompt[i], instance.output[i]});
        std::int64_t best = 0;
        for (int again = 0; again < 40; ++again) {
            certified.pairs.requests.clear();
            for (auto const& r : certified.requests)
                certified.pairs.requests.push_back(again % 2 == 0 ? price(-4, 12)
                                                                  : price(r.output, r.output + 4));
            certified.pairs.memory.assign(again % 3 == 0 ? 2 : 30, 0);
            if (again % 4 >= 2)
                for (auto& of : certified.pairs.memory) of = price(0, 2) / 8;
            certified.upper = optimum + static_cast<std::int64_t>(rng() % 4);
            auto const bound = certificate::pair_bound(certified, start_costs(certified));
            ASSERT_LE(bound, optimum) << k;
            best = std::max(best, bound);
        }
        met += best == optimum;
    }
    EXPECT_GT(met, 40);
}

TEST(PairCertificate, BoundsWhereNoSearchEnds)
{
    std::mt19937_64 rng(3);
    OwnedInstance instance;
    instance.memory = 24;
    for (int i = 0; i < 30; ++i) { // JAILLET 5.1
        auto const s = 1 + static_cast<std::int32_t>(rng() % 5);
        instance.prompt.push_back(s);
        instance.output.push_back(
            1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(24 - s)));
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    baseline::HindsightLimits limits;
    limits.seconds = 1e9;
    limits.evaluations_a_request = 500;
    limits.steps = 500;
    limits.nodes = 500'000;
    auto const result = baseline::hindsight(instance, limits);
    ASSERT_FALSE(result.optimal());
    ASSERT_GT(result.bound("pairs").value(), result.bound("peaks").value());
    auto const good = optimum_certificate(instance, result);
    EXPECT_EQ(good["proof"], "pairs");
    auto const checked = check_optimum_certificate(good, 1);
    EXPECT_EQ(checked.upper, result.upper);
    EXPECT_GT(checked.lower, result.bound("peaks").value());
    auto changed = good;
    auto& price = changed["pairs"]["request_prices"][0];
    price = price.get<std::int64_t>() + (std::int64_t{20} << 20);
    EXPECT_NE(fault_of(changed).find("is written, the prices give"), std::string::npos);
    changed = good;
    changed["pairs"]["request_prices"].erase(0);
    EXPECT_EQ(fault_of(changed), "pairs: request_prices: not one for each request");
}

} // namespace
} // namespace crx

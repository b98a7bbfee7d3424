// The plain check of a proof by configurations: whatever the prices, it refuses what is not optimal
// and accepts what is.
#include "host/evidence/certificate/check_configurations.hh"

#include "host/evidence/certificate/check_optimum.hh"
#include "host/evidence/certificate/optimum_certificate.hh"
#include "support/exhaustive_optimum.hh"
#include "support/owned_instance.hh"
#include "support/test_seed.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

namespace crx {
namespace {

using Json = nlohmann::ordered_json;

/// Any prices of rows and requests, most of them small.
class RandomPrices
{
  public:
    explicit RandomPrices(std::uint64_t seed) : rng_(seed) {}

    std::uint64_t below(std::uint64_t count) { return rng_() % count; }

    /// 0 or between 0 and `most` rounds.
    std::int64_t row(std::int64_t most)
    {
        return below(3) == 0
                   ? 0
                   : static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most) << 20));
    }

    std::vector<std::int64_t> rows(std::size_t count, std::int64_t most)
    {
        std::vector<std::int64_t> prices(count);
        for (auto& price : prices) price = row(most) / 8;
        return prices;
    }

    certificate::PathPrices of_paths(certificate::Certified const& certified)
    {
        certificate::PathPrices prices;
        prices.memory = rows(below(3) == 0 ? 0 : 12, 1);
        if (below(2) == 0) prices.peaks.push_back({1, 2, rows(20, 3)});
        for (auto const& r : certified.requests)
            prices.requests.push_back(below(4) == 0 ? row(10) - row(10)
                                                    : (r.output << 20) + row(3));
        return prices;
    }

  private:
    std::mt19937_64 rng_;
};

certificate::Certified random_certified(RandomPrices& random, std::size_t n)
{
    certificate::Certified certified;
    certified.memory = 6 + static_cast<std::int64_t>(random.below(6));
    for (std::size_t i = 0; i < n; ++i)
        certified.requests.push_back(
            {random.below(2) == 0 ? 0 : static_cast<std::int64_t>(random.below(5)),
             static_cast<std::int64_t>(random.below(3)),
             1 + static_cast<std::int64_t>(random.below(4))});
    certified.memory_price = random.rows(random.below(15), 1);
    if (random.below(2) == 0) certified.peaks.push_back({1, 2, random.rows(20, 3)});
    for (std::size_t active = 1; active < n; active += 1 + random.below(2))
        if (random.below(3) != 0)
            certified.stages.push_back({active, {random.of_paths(certified)}});
    certified.stages.push_back({n, {random.of_paths(certified), random.of_paths(certified)}});
    return certified;
}

std::int64_t optimum_of(certificate::Certified const& certified)
{
    std::vector<oracle::Request> requests(certified.requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].arrival = certified.requests[i].arrival;
        requests[i].prompt = certified.requests[i].prompt;
        requests[i].output = certified.requests[i].output;
    }
    return crx_test::ExhaustiveOptimum(requests, certified.memory).find();
}

/// What the check says of "no schedule has less than upper": nothing if it agrees.
std::string said_of(certificate::Certified certified, std::int64_t upper)
{
    certified.upper = upper;
    try {
        auto const checked =
            certificate::check_configurations(certified, start_costs(certified), 10'000'000);
        return checked.ended ? "" : "not ended";
    } catch (std::invalid_argument const& fault) {
        return fault.what();
    }
}

TEST(ConfigurationCertificate, IsRightWhateverThePrices)
{
    RandomPrices random(crx_test::test_seed() + 157);
    for (int k = 0; k < 600; ++k) {
        auto const certified = random_certified(random, 2 + random.below(4));
        auto const optimum = optimum_of(certified);
        ASSERT_EQ(said_of(certified, optimum), "") << k;
        ASSERT_EQ(said_of(certified, optimum + 1),
                  fmt::format("there is a schedule with a total latency below {}", optimum + 1))
            << k;
    }
}

TEST(ConfigurationCertificate, AStageOfFewMayLeavePaths)
{
    RandomPrices random(crx_test::test_seed() + 158);
    int left = 0;
    for (int k = 0; k < 100; ++k) {
        auto certified = random_certified(random, 5);
        certified.stages.pop_back();
        if (certified.stages.empty()) continue;
        auto const optimum = optimum_of(certified);
        ASSERT_EQ(said_of(certified, optimum + 1), "configurations: paths are left at the end");
        left += !said_of(certified, optimum).empty();
    }
    EXPECT_GT(left, 10);
}

/// Outputs 1 to M - s, prompts 1 to 5, M = 40.
OwnedInstance twelve_requests()
{
    std::mt19937_64 rng(12);
    std::vector<std::pair<int, int>> requests;
    for (int i = 0; i < 12; ++i) {
        auto const s = 1 + static_cast<int>(rng() % 5);
        requests.emplace_back(
            s, 1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(40 - s)));
    }
    return crx_test::known_at_0(40, requests);
}

TEST(ConfigurationCertificate, EndsAtTwelveRequests)
{
    auto const instance = twelve_requests();
    baseline::HindsightLimits limits;
    limits.seconds = 1e9;
    limits.evaluations_a_request = 2000;
    auto const file = optimum_certificate(instance, baseline::hindsight(instance, limits));
    ASSERT_EQ(file["proof"], "configurations");
    auto const checked = check_optimum_certificate(file, 10'000'000);
    EXPECT_EQ(checked.lower, checked.upper);
    EXPECT_EQ(as_text(checked), fmt::format("OPT = {}, proven by configurations, {} arcs",
                                            checked.upper, checked.arcs));
    EXPECT_FALSE(check_optimum_certificate(file, checked.arcs - 1).search_ended);
    auto const fault = [&](auto change) {
        auto changed = file;
        change(changed);
        try {
            check_optimum_certificate(changed, 10'000'000);
        } catch (std::invalid_argument const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(fault([](Json& f) { f["configurations"] = Json::array(); }),
              "configurations: paths are left at the end");
    EXPECT_EQ(fault([](Json& f) { f["configurations"][0]["prices"] = Json::array(); }),
              "configurations: prices: there are none");
    EXPECT_EQ(fault([](Json& f) { f["configurations"][0]["active"] = 13; }),
              "configurations: active: 13 is no whole number in 1 .. 12");
    EXPECT_EQ(fault([](Json& f) { f["configurations"].push_back(f["configurations"][0]); }),
              "configurations: active: 1 is no whole number in 12 .. 12");
    EXPECT_EQ(fault([](Json& f) { f["configurations"][0]["prices"][0].erase("peak_prices"); }),
              "prices: peak_prices: is missing");
    EXPECT_EQ(fault([](Json& f) { f["memory_prices"] = 5; }),
              "memory_prices: no list of at most 67108864 numbers");
    EXPECT_EQ(fault([](Json& f) {
                  f["requests"][3] = {1, 2};
              }),
              "requests: lists of 3 numbers are expected");
    EXPECT_EQ(fault([](Json& f) { f.erase("proof"); }), "proof: is missing");
    EXPECT_EQ(
        fault([](Json& f) { f["configurations"][0]["prices"][0]["request_prices"].erase(0); }),
        "prices: request_prices: not one for each request");
}

} // namespace
} // namespace crx

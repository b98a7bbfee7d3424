// Witness files changed at random, with their claims put right where that is possible: whatever
// holds is recomputed here by sums over every round and by all schedules.
// CRX_MUTATED_WITNESSES=20000 tries more than the usual 1,500.
#include "oracle/oracle.hh"
#include "oracle/witness/witness.hh"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

namespace crx_test {
namespace {

using Json = nlohmann::ordered_json;
using Fraction = boost::multiprecision::cpp_rational;
using Requests = std::vector<oracle::Request>;

std::string const honest[] = {
    R"({"requests": [{"prompt": 0, "output": 1}, {"prompt": 3, "output": 1},
        {"prompt": 0, "output": 2, "count": 2}],
        "numerator": {"policy": "mc-sf", "memory": 4, "seed": 1, "total_latency": "0"},
        "denominator": {"memory": 4, "starts": [0, 2, 0, 0], "lower_bound": 8,
                        "total_latency": "0"}, "ratio": "0", "proven": true})",
    R"({"requests": [{"prompt": 1, "output": 2, "lower": 1, "upper": 3, "count": 3}],
        "numerator": {"policy": "a-ell", "memory": 5, "mean": "exact", "total_latency": "0"},
        "denominator": {"policy": "mc-sf", "memory": 5, "total_latency": "0"},
        "ratio": "0", "bound": "1", "proven": true})",
    R"({"requests": [{"prompt": 1, "output": 2, "lower": 1, "upper": 3},
        {"prompt": 0, "output": 3, "lower": 2, "upper": 4, "arrival": 1, "count": 2}],
        "numerator": {"policy": "a-min", "memory": 5, "instances": 4, "seed": 1,
                      "total_latency": "0",
                      "fresh": {"seed": 2, "seeds": 3, "total_latency": "0", "within": "0"}},
        "denominator": {"memory": 5, "schedule": "best-found", "starts": [0, 2, 1],
                        "total_latency": "0"}, "ratio": "0"})",
    R"({"requests": [{"prompt": 2, "output": 2, "count": 3}],
        "numerator": {"policy": "mc-benchmark", "memory": 4, "total_latency": "0"},
        "denominator": {"memory": 4, "bound": "volume", "total_latency": "0"}, "ratio": "0",
        "bound": "1/2", "proven": true})",
    R"({"requests": [{"prompt": 2, "output": 2, "count": 3}],
        "numerator": {"policy": "mc-sf", "memory": 4, "makespan": "0"},
        "denominator": {"memory": 8, "starts": [0, 0, 2], "makespan": "0"}, "ratio": "0"})",
    R"({"requests": [{"prompt": 2, "output": 2, "count": 3}], "clock": {"d0": 5, "d1": 70000},
        "numerator": {"policy": "protect", "alpha": 0.25, "memory": 8, "p99": "0"},
        "denominator": {"policy": "mc-sf", "memory": 4, "p99": "0"}, "ratio": "0"})"};

/// Ends checks that would take long; they hold nothing then.
std::optional<oracle::Verdict> verdict_on(std::string const& text)
{
    int asked = 0;
    try {
        return oracle::check_file(text, 20'000, [&] { return ++asked > 2; });
    } catch (oracle::Ended const&) {
        return {};
    }
}

/// Writes what the check found in place of what is said, as a forger would who knows the check.
bool put_right(Json& file, std::string const& reason)
{
    auto const is = reason.find(" is "), says = reason.find(", the file says ");
    if (is == std::string::npos || says == std::string::npos) return false;
    auto const found = reason.substr(is + 4, says - is - 4);
    auto what = reason.substr(0, is);
    if (what == "the ratio") {
        file["ratio"] = found;
        return true;
    }
    auto* place = &file;
    for (auto colon = what.find(": "); colon != std::string::npos; colon = what.find(": ")) {
        place = &(*place)[what.substr(0, colon)];
        what = what.substr(colon + 2);
    }
    (*place)[what] = found;
    return true;
}

std::optional<oracle::Verdict> verdict_after_corrections(Json& file)
{
    auto verdict = verdict_on(file.dump());
    for (int k = 0; k < 6 && verdict && !verdict->holds && put_right(file, verdict->text); ++k)
        verdict = verdict_on(file.dump());
    return verdict;
}

/// Every value below the object, to be changed.
void collect(Json& value, std::vector<Json*>& values)
{
    values.push_back(&value);
    if (value.is_structured())
        for (auto& part : value) collect(part, values);
}

class Mutation
{
  public:
    explicit Mutation(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_() % n; }

    void change(Json& file)
    {
        std::vector<Json*> values;
        collect(file, values);
        auto& value = *values[below(values.size())];
        if (value.is_number_integer()) return change_number(value);
        if (value.is_string()) return change_text(value);
        if (value.is_boolean()) {
            value = !value.get<bool>();
        } else if (value.is_array() && !value.empty()) {
            if (below(2) == 0)
                value.push_back(value[below(value.size())]);
            else
                value.erase(below(value.size()));
        } else if (value.is_object()) {
            change_object(file, value);
        }
    }

  private:
    void change_number(Json& value)
    {
        auto const number = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX
                                ? 0
                                : value.get<std::int64_t>();
        switch (below(6)) {
        case 0: value = number + 1; break;
        case 1: value = number - 1; break;
        case 2: value = below(9); break;
        case 3: value = (std::uint64_t{1} << below(64)) - below(3); break;
        case 4: value = -number; break;
        default: value = 2 * static_cast<std::uint64_t>(number) + below(2);
        }
    }

    void change_text(Json& value)
    {
        char const* const words[] = {"mc-sf", "mc-sf-total", "mc-benchmark", "a-random", "a-max",
                                     "a-min", "a-ell",       "volume",       "exact",    "7",
                                     "0",     "07/2",        "best-found",   "as listed"};
        if (below(2) == 0) {
            value = words[below(std::size(words))];
        } else if (auto text = value.get<std::string>(); !text.empty()) {
            text[below(text.size())] = "0123456789/-"[below(12)];
            value = text;
        }
    }

    void change_object(Json& file, Json& object)
    {
        char const* const keys[] = {"lower_bound",   "known", "seed",     "instances", "proven",
                                    "total_latency", "p99",   "makespan", "arrival",   "count",
                                    "mean",          "bound", "starts",   "schedule"};
        std::string const key = keys[below(std::size(keys))];
        std::vector<Json*> values;
        collect(file, values);
        auto const copy = *values[below(values.size())];
        if (below(3) == 0 && !object.empty()) {
            auto const gone = std::next(object.begin(), static_cast<long>(below(object.size())));
            object.erase(gone.key());
        } else if (key == "known") {
            object[key] = {1 + below(3), 1 + below(5)};
        } else if (key == "proven") {
            object[key] = true;
        } else if (copy.is_primitive() || below(4) == 0) {
            object[key] = copy;
        }
    }

    std::mt19937_64 random_;
};

// The truth, from the file alone.

Fraction fraction(Json const& text) { return Fraction(text.get<std::string>()); }

Requests requests_of(Json const& file, Json const& side)
{
    Requests requests;
    for (auto const& r : file.at("requests")) {
        std::int64_t const output = r.at("output");
        oracle::Request request{r.value("arrival", std::int64_t{0}), r.at("prompt"), output,
                                r.value("lower", output), r.value("upper", output)};
        if (side.contains("known")) {
            request.lower = side["known"].at(0);
            request.upper = side["known"].at(1);
        }
        requests.insert(requests.end(), r.value("count", std::size_t{1}), request);
    }
    return requests;
}

/// Small enough to look at every round of every schedule.
bool is_small(Requests const& requests)
{
    std::int64_t rounds = 0, last = 0;
    for (auto const& r : requests) {
        rounds += r.output;
        last = std::max(last, r.arrival);
    }
    return requests.size() <= 5 && rounds <= 12 && last <= 4;
}

bool keeps_memory(Requests const& requests, std::vector<std::int64_t> const& starts,
                  std::int64_t memory)
{
    std::map<std::int64_t, std::int64_t> held;
    for (std::size_t i = 0; i < starts.size(); ++i)
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            held[starts[i] + j] += requests[i].prompt + j;
    return std::ranges::all_of(held, [&](auto const& h) { return h.second <= memory; });
}

/// The least total latency, over all starts of all requests.
std::int64_t least_latency(Requests const& requests, std::int64_t memory)
{
    std::int64_t horizon = 0, best = INT64_MAX;
    for (auto const& r : requests) horizon += r.output;
    std::vector<std::int64_t> starts;
    std::function<void(std::int64_t)> const go_on = [&](std::int64_t latency) {
        if (latency >= best || !keeps_memory(requests, starts, memory)) return;
        auto const i = starts.size();
        if (i == requests.size()) {
            best = latency;
            return;
        }
        auto const& r = requests[i];
        for (auto start = r.arrival; start <= r.arrival + horizon; ++start) {
            starts.push_back(start);
            go_on(latency + start + r.output - r.arrival);
            starts.pop_back();
        }
    };
    go_on(0);
    return best;
}

Fraction measured(Json const& side, Requests const& requests,
                  std::vector<std::int64_t> const& completion)
{
    std::vector<std::int64_t> latency;
    std::int64_t sum = 0, last = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        latency.push_back(completion[i] - requests[i].arrival);
        sum += latency.back();
        last = std::max(last, completion[i]);
    }
    std::ranges::sort(latency);
    if (side.contains("makespan")) return last;
    return side.contains("p99") ? latency.back() : sum; // of fewer than 100 requests
}

Fraction run_cost(Json const& side, Requests const& requests, oracle::Clock const& clock,
                  std::uint64_t number)
{
    oracle::Policy policy{side.at("policy")};
    if (side.contains("alpha")) policy.alpha = {1, 4};
    auto const run = oracle::simulate(policy, requests, side.at("memory"),
                                      side.value("seed", std::uint64_t{0}), number, clock);
    EXPECT_TRUE(run.finished);
    return measured(side, requests, run.completion);
}

/// Says what is wrong with a side that was said to hold; counts what it looked at.
void look_at(Json const& file, Json const& side, std::int64_t& looked)
{
    auto const requests = requests_of(file, side);
    if (!is_small(requests)) return;
    std::int64_t const memory = side.at("memory");
    auto const said = fraction(side.contains("total_latency") ? side["total_latency"]
                               : side.contains("p99")         ? side["p99"]
                                                              : side["makespan"]);
    oracle::Clock clock;
    if (file.contains("clock"))
        clock = {file["clock"].at("d0"), file["clock"].at("d1"),
                 file["clock"].value("d2", std::int64_t{0}),
                 file["clock"].value("d3", std::int64_t{0})};
    ++looked;
    if (side.contains("starts")) {
        std::vector<std::int64_t> const starts = side["starts"];
        std::vector<std::int64_t> completion;
        ASSERT_EQ(starts.size(), requests.size());
        for (std::size_t i = 0; i < starts.size(); ++i) {
            EXPECT_GE(starts[i], requests[i].arrival);
            completion.push_back(starts[i] + requests[i].output);
        }
        EXPECT_TRUE(keeps_memory(requests, starts, memory));
        EXPECT_EQ(measured(side, requests, completion), said);
        EXPECT_FALSE(file.contains("clock"));
        if (side.contains("lower_bound")) {
            EXPECT_GE(least_latency(requests, memory), side["lower_bound"].get<std::int64_t>());
        }
        if (file.value("proven", false) && !side.contains("schedule")) {
            EXPECT_EQ(least_latency(requests, memory), said);
        }
    } else if (side.contains("bound")) {
        EXPECT_LE(said, least_latency(requests, memory));
    } else if (side.value("mean", "") == "exact") {
        // Of all permutations of the requests each is as likely as the others.
        if (side.at("policy") != "a-ell" && side.at("policy") != "a-random") return;
        auto listed = requests;
        std::vector<std::size_t> order(listed.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        Fraction sum = 0;
        int runs = 0;
        do {
            for (std::size_t i = 0; i < order.size(); ++i) listed[i] = requests[order[i]];
            sum += run_cost(side, listed, clock, 0);
            ++runs;
        } while (std::ranges::next_permutation(order).found);
        EXPECT_EQ(sum / runs, said);
    } else {
        auto const first = side.value("number", std::uint64_t{0});
        auto const runs = side.value("instances", std::uint64_t{1});
        Fraction sum = 0;
        for (auto k = first; k < first + runs; ++k) sum += run_cost(side, requests, clock, k);
        EXPECT_EQ(sum / runs, said);
        auto const policy = side.at("policy").get<std::string>();
        EXPECT_FALSE(file.value("proven", false) && policy.starts_with("a-"));
    }
}

TEST(MutatedWitnesses, HoldOnlyWhereTrue)
{
    auto const* const wanted = std::getenv("CRX_MUTATED_WITNESSES");
    auto const count = wanted != nullptr ? std::atoll(wanted) : 1'500;
    std::vector<Json> files;
    for (auto const& text : honest) {
        files.push_back(Json::parse(text));
        auto const verdict = verdict_after_corrections(files.back());
        ASSERT_TRUE(verdict && verdict->holds) << verdict->text << files.back();
    }
    std::int64_t held = 0, looked = 0;
    for (std::int64_t k = 0; k < count && !testing::Test::HasFailure(); ++k) {
        Mutation mutation(static_cast<std::uint64_t>(k));
        auto file = files[mutation.below(files.size())];
        for (auto changes = 1 + mutation.below(3); changes > 0; --changes) mutation.change(file);
        auto const verdict = verdict_after_corrections(file);
        if (!verdict || !verdict->holds) continue;
        SCOPED_TRACE(std::to_string(k) + ": " + file.dump());
        ++held;
        look_at(file, file.at("numerator"), looked);
        if (!file.contains("denominator")) continue;
        look_at(file, file.at("denominator"), looked);
        auto const measure = [](Json const& side) {
            return side.contains("total_latency") ? "total_latency"
                   : side.contains("p99")         ? "p99"
                                                  : "makespan";
        };
        auto const above = measure(file["numerator"]);
        EXPECT_STREQ(above, measure(file["denominator"]));
        auto const ratio = fraction(file.at("ratio"));
        EXPECT_EQ(fraction(file["numerator"][above]) / fraction(file["denominator"][above]), ratio);
        if (file.contains("bound")) {
            EXPECT_GT(ratio, fraction(file["bound"]));
        }
    }
    // Else the test looked at nothing.
    EXPECT_GT(held, count / 20);
    EXPECT_GT(looked, count / 20);
    RecordProperty("held", static_cast<int>(held));
    std::printf("%lld of %lld hold, %lld sides recomputed\n", static_cast<long long>(held),
                static_cast<long long>(count), static_cast<long long>(looked));
}

} // namespace
} // namespace crx_test

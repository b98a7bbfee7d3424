#include "kernels/iteration/iteration_arrivals.cuh"
#include "kernels/iteration/iteration_clock.cuh"
#include "kernels/iteration/iteration_policy.hh"
#include "oracle/iteration.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace crx {
namespace {

struct Case
{
    oracle::IterationModel model;
    oracle::IterationPolicy policy;
    std::vector<oracle::PromptArrival> arrivals;
    std::int64_t horizon = 0;
};

std::ostream& operator<<(std::ostream& out, Case const& c)
{
    out << c.policy.id << " d0=" << c.model.overhead << " d1q=" << c.model.per_token
        << " C=" << c.policy.memory << " B=" << c.policy.limit << " budget=" << c.policy.budget
        << " keep=" << c.policy.keep_tokens << " hard=" << c.policy.hard << " horizon=" << c.horizon
        << "\n types:";
    for (auto const& t : c.model.types) out << " (" << t.prompt << "," << t.output << ")";
    out << "\n thresholds:";
    for (auto const n : c.policy.thresholds) out << " " << n;
    for (auto const& g : c.policy.groups) {
        out << "\n group l=" << g.prompt << ":";
        for (std::size_t i = 0; i < g.ends.size(); ++i)
            out << " <=" << g.ends[i] << ":" << g.thresholds[i];
    }
    out << "\n arrivals:";
    for (auto const& a : c.arrivals) out << " " << a.time << "/" << a.type;
    return out;
}

/// What is compared of an iteration: by type where the policy is told it, else in all.
struct Record
{
    std::int64_t start, end;
    Batch batch;
    bool operator==(Record const&) const = default;
    friend std::ostream& operator<<(std::ostream& out, Record const& r)
    {
        return out << r.start << ".." << r.end << " prompts " << r.batch.prompts << " tokens "
                   << r.batch.tokens << " memory " << r.batch.memory << " cancelled "
                   << r.batch.cancelled;
    }
};

struct RecordLog
{
    std::vector<Record>* records;
    void batch(Batch const& batch, Nanoseconds start, Nanoseconds end) const
    {
        records->push_back({start, end, batch});
    }
};

struct Result
{
    std::vector<Record> records;
    std::vector<IterationTally> tallies;       ///< at half the horizon and at its end
    std::vector<std::vector<TypeTally>> types; ///< at the same; empty where types are not told

    bool agrees(Result const& other) const
    {
        return records == other.records && tallies == other.tallies &&
               (types.empty() || other.types.empty() || types == other.types);
    }
};

Result by_oracle(Case const& c)
{
    auto const run = oracle::iterate(c.model, c.policy, c.arrivals, c.horizon);
    Result result;
    for (auto const& it : run.iterations)
        result.records.push_back(
            {it.start,
             it.end,
             {static_cast<std::int64_t>(it.served.size()), it.tokens, it.memory, it.cancelled}});
    for (auto const until : {c.horizon / 2, c.horizon}) {
        IterationTally t;
        std::vector<TypeTally> types(c.model.types.size());
        t.until = until;
        for (std::size_t i = 0; i < c.arrivals.size(); ++i) {
            auto const& a = c.arrivals[i];
            auto const output = c.model.types[a.type].output;
            if (a.time > until) continue;
            auto& of_type = types[a.type];
            ++t.arrivals;
            ++of_type.arrivals;
            t.arrived_tokens += output;
            t.arrival_time += static_cast<Unsigned128>(a.time);
            of_type.arrival_time += static_cast<Unsigned128>(a.time);
            if (auto const end = run.completion[i]; end >= 0 && end <= until) {
                ++t.completed;
                ++of_type.completed;
                t.completed_tokens += output;
                t.completion_time += static_cast<Unsigned128>(end);
                of_type.completion_time += static_cast<Unsigned128>(end);
            }
            if (auto const first = run.first_token[i]; first >= 0 && first <= until) {
                ++t.first_tokens;
                ++of_type.first_tokens;
                t.first_token_time += static_cast<Unsigned128>(first);
                of_type.first_token_time += static_cast<Unsigned128>(first);
            }
        }
        for (auto const& r : result.records) {
            if (r.start > until) break;
            ++t.iterations;
            t.batch_prompts += r.batch.prompts;
            t.cancelled += r.batch.cancelled;
            t.peak_memory = std::max(t.peak_memory, r.batch.memory);
            t.overflows += c.policy.memory > 0 && r.batch.memory > c.policy.memory;
        }
        result.tallies.push_back(t);
        result.types.push_back(types);
    }
    return result;
}

template <class Events, class Make>
Result by_engine(Case const& c, std::vector<PromptType> const& types, Make make)
{
    std::vector<Nanoseconds> time;
    std::vector<std::int32_t> type;
    for (auto const& a : c.arrivals) {
        time.push_back(a.time);
        type.push_back(static_cast<std::int32_t>(a.type));
    }
    ListedArrivals arrivals(time.data(), type.data(), static_cast<std::int64_t>(time.size()));
    Arena counter(nullptr, 0);
    make(counter);
    std::vector<std::max_align_t> block(counter.bytes_used() / sizeof(std::max_align_t) + 1);
    Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
    auto policy = make(arena);
    Result result;
    std::vector<TypeTally> tally(types.size());
    Events events;
    if constexpr (Events::wanted) events.tally = tally.data();
    IterationClock clock(
        IterationTime{c.model.overhead, static_cast<std::uint64_t>(c.model.per_token)},
        types.data(), static_cast<std::int32_t>(types.size()), c.policy.memory, policy, arrivals,
        RecordLog{&result.records}, events);
    for (auto const until : {c.horizon / 2, c.horizon}) {
        EXPECT_TRUE(clock.run_until(until));
        result.tallies.push_back(clock.tally());
        if constexpr (!Events::wanted) continue;
        result.types.push_back(tally);
        for (std::size_t j = 0; j < tally.size(); ++j) {
            auto const [count, sum] = arrivals.totals(static_cast<std::int32_t>(j), until);
            result.types.back()[j].arrivals = count;
            result.types.back()[j].arrival_time = sum;
        }
    }
    return result;
}

std::vector<PromptType> types_of(Case const& c)
{
    std::vector<PromptType> types;
    for (auto const& t : c.model.types) types.push_back({t.prompt, t.output});
    return types;
}

IterationPolicySpec spec_of(Case const& c, std::vector<PromptType> const& types)
{
    IterationPolicySpec spec;
    for (std::size_t k = 0; k < std::size(iteration_policy_ids); ++k)
        if (c.policy.id == iteration_policy_ids[k]) spec.kind = static_cast<IterationPolicyKind>(k);
    if (spec.kind == IterationPolicyKind::wait)
        spec.thresholds = wait_table(types, c.policy.thresholds);
    if (spec.kind == IterationPolicyKind::nested_wait) {
        std::vector<NestedSegments> groups;
        for (auto const& g : c.policy.groups)
            groups.push_back({g.prompt, {g.ends.begin(), g.ends.end()}, g.thresholds});
        spec.thresholds = nested_table(types, groups);
    }
    spec.memory = c.policy.memory;
    spec.hard = c.policy.hard;
    spec.limit = c.policy.limit;
    spec.budget = c.policy.budget;
    spec.keep_tokens = c.policy.keep_tokens;
    return spec;
}

/// How the engine takes prompts: by counts where it can, or each by itself.
enum class Prompts
{
    counted,
    named
};

/// `room_beyond`: tokens that the engine is wrongly given beyond hard memory.
Result by_engine(Case const& c, Prompts prompts, Tokens room_beyond = 0)
{
    auto const types = types_of(c);
    auto const spec = spec_of(c, types);
    constexpr std::int64_t room = 512;
    if (!has_thresholds(spec.kind))
        return by_engine<TypeEvents>(c, types, [&](Arena& arena) {
            return FcfsPolicy(fcfs_plan(spec, types), room, arena);
        });
    if (prompts == Prompts::named || spec.names_prompts())
        return by_engine<TypeEvents>(c, types, [&](Arena& arena) {
            return PromptThresholdPolicy(spec.thresholds.plan(types),
                                         spec.hard ? spec.memory + room_beyond : 0, room, arena);
        });
    auto const make = [&](Arena& arena) {
        return ThresholdPolicy(spec.thresholds.plan(types), room, arena);
    };
    if (spec.kind == IterationPolicyKind::wait) return by_engine<TypeEvents>(c, types, make);
    return by_engine<NoTypeEvents>(c, types, make); // it does not know types
}

class Draw
{
  public:
    explicit Draw(std::uint64_t seed) : rng_(seed) {}
    std::int64_t operator()(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(rng_);
    }

  private:
    std::mt19937_64 rng_;
};

enum class Memory
{
    measured, ///< fcfs: hard all the same
    hard
};

Case random_case(std::string const& id, Memory memory, Draw& draw)
{
    Case c;
    c.policy.id = id;
    c.policy.hard = memory == Memory::hard;
    c.model.overhead = draw(1, 40);
    c.model.per_token = draw(0, 4) == 0 ? 0 : draw(1, 200000);
    auto const types = draw(1, 5);
    std::set<std::pair<std::int64_t, std::int64_t>> distinct;
    auto const common = draw(1, 3);
    while (static_cast<std::int64_t>(distinct.size()) < types)
        distinct.insert({id == "nested-wait" ? draw(1, common) : draw(1, 9), draw(1, 12)});
    for (auto const& [prompt, output] : distinct) c.model.types.push_back({prompt, output});
    std::shuffle(c.model.types.begin(), c.model.types.end(), std::mt19937_64(draw(0, 1 << 30)));
    if (id == "wait")
        for (std::int64_t j = 0; j < types; ++j) c.policy.thresholds.push_back(draw(1, 4));
    if (id == "nested-wait") {
        std::map<std::int64_t, std::set<std::int64_t>> outputs;
        bool const one_group = draw(0, 3) == 0; // for all prompt lengths
        for (auto const& t : c.model.types) outputs[one_group ? 0 : t.prompt].insert(t.output);
        for (auto const& [prompt, lengths] : outputs) {
            oracle::SegmentGroup group{prompt, {}, {}};
            std::set<std::int64_t> ends{*lengths.rbegin()};
            for (auto const length : lengths)
                if (draw(0, 2)) ends.insert(length);
            if (draw(0, 1)) ends.insert(draw(1, *lengths.rbegin())); // an end that no type has
            for (auto const end : ends) {
                group.ends.push_back(end);
                group.thresholds.push_back(draw(1, 5));
            }
            c.policy.groups.push_back(group);
        }
        if (draw(0, 1)) c.policy.memory = draw(10, 120); // measured
    }
    if (c.policy.hard) { // from what prefills alone take upwards
        auto const list = types_of(c);
        c.policy.memory =
            spec_of(c, list).thresholds.prefill_tokens(list) + draw(0, draw(0, 1) ? 12 : 80);
    }
    if (id.starts_with("fcfs")) {
        for (auto const& t : c.model.types)
            c.policy.memory = std::max(c.policy.memory, t.prompt + t.output);
        c.policy.memory += draw(0, draw(0, 1) ? 10 : 80);
        if (draw(0, 2) == 0) c.policy.limit = draw(1, 8);
        if (id == "fcfs-sarathi" && draw(0, 3)) c.policy.budget = draw(1, 15);
        c.policy.keep_tokens = id != "fcfs-safe" && draw(0, 1);
    }
    std::int64_t time = 0;
    auto const spread = draw(0, 60);
    auto const n = draw(1, 60);
    for (std::int64_t i = 0; i < n; ++i) {
        time += draw(0, 3) == 0 ? 0 : draw(0, spread);
        c.arrivals.push_back({time, static_cast<std::size_t>(draw(0, types - 1))});
    }
    c.horizon = draw(time / 2, 3 * time + 500);
    return c;
}

/// Takes arrivals out while the disagreement stays.
Case smallest(Case c, Prompts prompts)
{
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t i = 0; i < c.arrivals.size() && !smaller; ++i) {
            auto less = c;
            less.arrivals.erase(less.arrivals.begin() + static_cast<std::ptrdiff_t>(i));
            if (by_oracle(less).agrees(by_engine(less, prompts))) continue;
            c = less;
            smaller = true;
        }
    }
    return c;
}

/// Number of iterations compared; every second case has prompts told apart where that is a choice.
std::int64_t compare(std::string const& id, int cases, Memory memory = Memory::measured)
{
    std::int64_t iterations = 0, cancelled = 0;
    Draw draw(crx_test::test_seed() + std::hash<std::string>{}(id) +
              static_cast<std::uint64_t>(memory));
    for (int k = 0; k < cases; ++k) {
        auto c = random_case(id, memory, draw);
        auto const prompts = k % 2 == 0 ? Prompts::counted : Prompts::named;
        auto one = by_oracle(c), other = by_engine(c, prompts);
        iterations += one.tallies[1].iterations;
        cancelled += one.tallies[1].cancelled;
        if (one.agrees(other)) continue;
        c = smallest(c, prompts);
        one = by_oracle(c), other = by_engine(c, prompts);
        EXPECT_EQ(one.records, other.records) << c;
        EXPECT_TRUE(one.agrees(other)) << c;
        return 0;
    }
    if (id == "fcfs-vllm" || id == "fcfs-sarathi" || memory == Memory::hard) {
        EXPECT_GT(cancelled, cases);
    }
    return iterations;
}

TEST(IterationEngineIsEquivalentToOracle, Wait) { EXPECT_GT(compare("wait", 8000), 50000); }
TEST(IterationEngineIsEquivalentToOracle, NestedWait)
{
    EXPECT_GT(compare("nested-wait", 8000), 50000);
}
TEST(IterationEngineIsEquivalentToOracle, WaitWithHardMemory)
{
    EXPECT_GT(compare("wait", 8000, Memory::hard), 50000);
}
TEST(IterationEngineIsEquivalentToOracle, NestedWaitWithHardMemory)
{
    EXPECT_GT(compare("nested-wait", 8000, Memory::hard), 50000);
}
TEST(IterationEngineIsEquivalentToOracle, FcfsVllm)
{
    EXPECT_GT(compare("fcfs-vllm", 6000), 120000);
}
TEST(IterationEngineIsEquivalentToOracle, FcfsSarathi)
{
    EXPECT_GT(compare("fcfs-sarathi", 6000), 120000);
}
TEST(IterationEngineIsEquivalentToOracle, FcfsSafe)
{
    EXPECT_GT(compare("fcfs-safe", 6000), 120000);
}

// The planted fault: one token beyond C. Most random cases with hard memory show it, and whoever
// keeps to C never takes more.
TEST(IterationEngineIsEquivalentToOracle, OneTokenBeyondHardMemoryIsFound)
{
    for (auto const* id : {"wait", "nested-wait"}) {
        Draw draw(crx_test::test_seed());
        int found = 0;
        for (int k = 0; k < 500; ++k) {
            auto const c = random_case(id, Memory::hard, draw);
            auto const run = by_oracle(c);
            EXPECT_LE(run.tallies[1].peak_memory, c.policy.memory) << c;
            found += !run.agrees(by_engine(c, Prompts::named, 1));
        }
        EXPECT_GT(found, 100) << id;
    }
}

// By hand: d0 = 10, d1 = 1, l = 3, l' = 1, thresholds 2. Two wait at 5: prefill of 6 tokens, 5..21.
// At 21 one is at stage 0, so the type pauses; at 40 there are two: 6 + 2 * 4 tokens, 40..64.
TEST(IterationOracle, WaitByHand)
{
    oracle::IterationModel const model{10, 65536, {{3, 1}}};
    auto const run =
        oracle::iterate(model, {"wait", {2}, {}}, {{0, 0}, {5, 0}, {9, 0}, {40, 0}}, 100);
    ASSERT_EQ(run.iterations.size(), 2u);
    EXPECT_EQ(run.iterations[0].start, 5);
    EXPECT_EQ(run.iterations[0].end, 21);
    EXPECT_EQ(run.iterations[0].memory, 6);
    EXPECT_EQ(run.iterations[1].start, 40);
    EXPECT_EQ(run.iterations[1].end, 64);
    EXPECT_EQ(run.iterations[1].memory, 14);
    EXPECT_EQ(run.completion, (std::vector<std::int64_t>{64, 64, -1, -1}));
    EXPECT_EQ(run.first_token, run.completion);
}

// AO Figure 6: l = 1, l'_1 = 1, l'_2 = 2, thresholds 3 and 3. Prompts 1, 2 of type 1, prompt 3 of
// type 2: three at stage 0 run segment 1; segment 2 waits until three have come through it.
TEST(IterationOracle, NestedWaitHoldsTheSecondSegmentBack)
{
    oracle::IterationModel const model{1, 0, {{1, 1}, {1, 2}}};
    oracle::IterationPolicy policy{"nested-wait", {}, {{1, {1, 2}, {3, 3}}}};
    std::vector<oracle::PromptArrival> arrivals;
    for (std::size_t k = 0; k < 12; ++k) arrivals.push_back({0, k % 3 == 2 ? 1u : 0u});
    auto const run = oracle::iterate(model, policy, arrivals, 100);
    // Four batches of three prefills; after the fourth nothing is left at stage 0.
    ASSERT_EQ(run.iterations.size(), 4u);
    EXPECT_EQ(run.iterations[3].served.size(), 6u); // segment 1 alone: two have come through
    EXPECT_EQ(run.iterations[3].memory, 3 + 6 + 2 * 2);
    EXPECT_EQ(run.completion[0], 2);
    EXPECT_EQ(run.completion[2], -1);
}

// By hand: one type, l = 1, l' = 2, threshold 1, hard C = 4, d0 = 1, d1 = 0. At 2 the prompts would
// take 3 + 2 + 1, so the second, the newest past stage 0, restarts and is the one that prefills.
TEST(IterationOracle, HardMemoryRestartsTheNewestPastStageZero)
{
    oracle::IterationModel const model{1, 0, {{1, 2}}};
    oracle::IterationPolicy policy{"wait", {1}, {}, 4};
    policy.hard = true;
    auto const run = oracle::iterate(model, policy, {{0, 0}, {0, 0}, {0, 0}}, 100);
    ASSERT_EQ(run.iterations.size(), 4u);
    std::vector<std::int64_t> memory, cancelled;
    for (auto const& it : run.iterations) {
        memory.push_back(it.memory);
        cancelled.push_back(it.cancelled);
    }
    EXPECT_EQ(memory, (std::vector<std::int64_t>{1, 3, 4, 3}));
    EXPECT_EQ(cancelled, (std::vector<std::int64_t>{0, 0, 1, 0}));
    EXPECT_EQ(run.first_token, (std::vector<std::int64_t>{2, 4, -1}));
    EXPECT_EQ(run.completion, (std::vector<std::int64_t>{3, -1, -1}));
}

// By hand: C = 4, l = 1, l' = 2, d0 = 1, d1 = 0. Three prefills at 0 hold 3; at 1 they would decode
// to 3 * 2 > 4, so the latest goes and two decode to 4.
TEST(IterationOracle, VllmCancelsTheLatest)
{
    oracle::IterationModel const model{1, 0, {{1, 2}}};
    oracle::IterationPolicy policy{"fcfs-vllm", {}, {}, 4};
    auto const run = oracle::iterate(model, policy, {{0, 0}, {0, 0}, {0, 0}}, 100);
    ASSERT_GE(run.iterations.size(), 4u);
    EXPECT_EQ(run.iterations[0].memory, 3);
    EXPECT_EQ(run.iterations[1].cancelled, 1);
    EXPECT_EQ(run.iterations[1].memory, 4);
}

} // namespace
} // namespace crx

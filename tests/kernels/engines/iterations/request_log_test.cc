#include "kernels/engines/iterations/request_log.hh"

#include "kernels/engines/iterations/path_batches.hh"
#include "random_iteration_case.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace crx {
namespace {

using namespace iteration_case;

/// Up to two horizons: at half the case's and at its end.
struct LoggedPath
{
    std::vector<PromptRecord> prompts; ///< at the end
    std::vector<MeasureGroup> groups;
    bool operator==(LoggedPath const&) const = default;
};

MeasureChoice everything(Draw& draw)
{
    MeasureChoice choice;
    choice.kept.fill(true);
    choice.totals = true;
    choice.objective = {draw(1, 2000), draw(0, 1) ? draw(1, 800) : 0,
                        draw(0, 1) ? draw(1, 200) << 10 : 0};
    return choice;
}

/// What the oracle served of a prompt, plainly looked at up to an instant.
PromptRecord looked_at(Case const& c, oracle::IterationRun const& run, std::size_t i,
                       std::int64_t until)
{
    PromptRecord out;
    out.type = static_cast<std::int32_t>(c.arrivals[i].type);
    out.arrival = c.arrivals[i].time;
    auto const output = c.model.types[c.arrivals[i].type].output;
    std::int64_t shown = 0, last_shown = 0, has = 0; // tokens
    bool runs = false;
    for (auto const& it : run.iterations) {
        if (it.start > until) break;
        for (auto const prompt : it.cancelled) {
            if (prompt != i) continue;
            ++out.cancellations;
            runs = false;
            if (c.policy.keep_tokens) continue;
            out.lost += has;
            out.first_token = -1;
            has = 0;
        }
        for (auto const& [prompt, stage] : it.served) {
            if (prompt != i) continue;
            if (out.first_start < 0) out.first_start = it.start;
            if (!runs) out.last_start = it.start;
            runs = true;
            if (stage == 0 || it.end > until) continue;
            has = stage;
            if (stage == 1) out.first_token = it.end;
            if (stage == 1 && out.first_shown < 0) out.first_shown = it.end;
            if (stage == output) out.completion = it.end;
            if (stage <= shown) continue;
            if (shown > 0) out.longest_gap = std::max(out.longest_gap, it.end - last_shown);
            shown = stage;
            last_shown = it.end;
        }
    }
    return out;
}

void count_value(MeasureGroup& group, RequestMeasure measure, std::int64_t value)
{
    auto& values = group.value[static_cast<std::size_t>(measure)];
    ++values.count;
    values.sum += static_cast<Unsigned128>(value);
    values.largest = std::max(values.largest, value);
    ++values.histogram[histogram_bin(value)];
}

/// Memory is that of the batch while it runs, then without those that it completed.
void add_memory(Case const& c, oracle::IterationRun const& run, std::int64_t until,
                MeasureGroup& group)
{
    auto const add = [&](std::int64_t memory, std::int64_t from, std::int64_t to) {
        to = std::min(to, until);
        if (from >= to) return;
        group.held_time += static_cast<Unsigned128>(memory * (to - from));
        if (c.policy.memory > 0 && 10 * memory >= 9 * c.policy.memory)
            group.crowded_time += static_cast<Unsigned128>(to - from);
    };
    for (std::size_t k = 0; k < run.iterations.size(); ++k) {
        auto const& it = run.iterations[k];
        auto after = it.memory;
        for (auto const& [prompt, stage] : it.served) {
            auto const& type = c.model.types[c.arrivals[prompt].type];
            if (stage == type.output) after -= type.prompt + type.output;
        }
        add(it.memory, it.start, it.end);
        add(after, it.end, k + 1 < run.iterations.size() ? run.iterations[k + 1].start : INT64_MAX);
    }
}

LoggedPath by_oracle(Case const& c, MeasureChoice const& choice)
{
    auto const run = oracle::iterate(c.model, c.policy, c.arrivals, c.horizon);
    LoggedPath result;
    for (auto const until : {c.horizon / 2, c.horizon}) {
        auto& group = result.groups.emplace_back();
        group.instances = 1;
        group.time = static_cast<Unsigned128>(until);
        result.prompts.clear();
        add_memory(c, run, until, group);
        for (std::size_t i = 0; i < c.arrivals.size(); ++i) {
            if (c.arrivals[i].time > until) continue;
            auto const p = looked_at(c, run, i, until);
            result.prompts.push_back(p);
            ++group.requests;
            group.lost_tokens += p.lost;
            auto const since = [&](std::int64_t event) {
                return (event >= 0 ? event : until) - p.arrival;
            };
            count_value(group, RequestMeasure::latency, since(p.completion));
            count_value(group, RequestMeasure::first_token, since(p.first_token));
            count_value(group, RequestMeasure::first_shown, since(p.first_shown));
            if (p.completion < 0) continue;
            auto const& type = c.model.types[c.arrivals[i].type];
            group.tokens += type.output;
            std::int64_t alone = 0;
            for (std::int64_t k = 0; k <= type.output; ++k)
                alone += c.model.overhead + (type.prompt + k) * c.model.per_token / 65536;
            count_value(group, RequestMeasure::slowdown,
                        ((p.completion - p.arrival) << 20) / alone);
            std::int64_t per_token = 0;
            if (type.output > 1) {
                per_token = ((p.completion - p.first_token) << 10) / (type.output - 1);
                count_value(group, RequestMeasure::per_token, per_token);
                count_value(group, RequestMeasure::longest_gap, p.longest_gap);
            }
            auto const& slo = choice.objective;
            if (p.completion - p.arrival > slo.latency ||
                (slo.first_token > 0 && p.first_token - p.arrival > slo.first_token) ||
                (slo.per_token > 0 && per_token > slo.per_token))
                continue;
            ++group.attained;
            group.attained_tokens += type.output;
        }
    }
    return result;
}

template <class Policy, class Make>
LoggedPath run_path(Case const& c, MeasureChoice const& choice, PathPlan const& plan, Make make)
{
    CaseRun<Policy> run(c, make);
    LoggedPath result;
    RequestLog log(choice, plan, &result.prompts);
    std::vector<TypeTally> tally(static_cast<std::size_t>(plan.type_count));
    RequestEvents events;
    events.tally = tally.data();
    events.log = &log;
    IterationClock clock(plan.time, plan.types, plan.type_count, plan.capacity, *run.policy,
                         run.arrivals, NoIterationLog{}, events);
    for (auto const until : {c.horizon / 2, c.horizon}) {
        EXPECT_TRUE(clock.run_until(until));
        events.reached(until);
    }
    result.groups = log.groups();
    return result;
}

LoggedPath by_engine(Case const& c, MeasureChoice const& choice)
{
    auto const types = types_of(c);
    auto const spec = spec_of(c, types);
    constexpr std::int64_t room = 512;
    PathPlan plan;
    plan.time = {c.model.overhead, static_cast<std::uint64_t>(c.model.per_token)};
    plan.types = types.data();
    plan.type_count = static_cast<std::int32_t>(types.size());
    plan.capacity = c.policy.memory;
    plan.checkpoint_count = 2;
    if (!has_thresholds(spec.kind))
        return run_path<FcfsPolicy>(c, choice, plan, [&](Arena& arena) {
            return FcfsPolicy(fcfs_plan(spec, types), room, arena);
        });
    plan.thresholds = spec.thresholds.plan(types);
    return run_path<PromptThresholdPolicy>(c, choice, plan, [&](Arena& arena) {
        return PromptThresholdPolicy(plan.thresholds, spec.hard ? spec.memory : 0, room, arena);
    });
}

class RequestLogs : public testing::TestWithParam<std::pair<char const*, Memory>>
{
};

TEST_P(RequestLogs, SayOfEachPromptWhatTheOracleServed)
{
    auto const [id, memory] = GetParam();
    Draw draw(crx_test::test_seed() + std::hash<std::string>{}(id));
    std::int64_t completed = 0, gaps = 0, cancelled = 0, lost = 0, here = 0;
    for (int k = 0; k < 4000; ++k) {
        auto const c = random_case(id, memory, draw);
        auto const choice = everything(draw);
        auto const one = by_oracle(c, choice);
        auto const other = by_engine(c, choice);
        ASSERT_EQ(one.prompts.size(), other.prompts.size()) << c;
        for (std::size_t i = 0; i < one.prompts.size(); ++i) {
            auto const& p = one.prompts[i];
            ASSERT_TRUE(p == other.prompts[i]) << "prompt " << i << " of " << c;
            completed += p.completion >= 0;
            here += p.completion < 0;
            gaps += p.longest_gap >= 0;
            cancelled += p.cancellations;
            lost += p.lost > 0;
        }
        ASSERT_TRUE(one.groups == other.groups) << c;
    }
    EXPECT_GT(completed, 10000);
    EXPECT_GT(gaps, 8000);
    EXPECT_GT(here, 4000);
    if (memory == Memory::hard || id == std::string("fcfs-vllm")) {
        EXPECT_GT(cancelled, 4000);
        EXPECT_GT(lost, 1000);
    }
}

INSTANTIATE_TEST_SUITE_P(All, RequestLogs,
                         testing::Values(std::pair("wait", Memory::measured),
                                         std::pair("nested-wait", Memory::measured),
                                         std::pair("wait", Memory::hard),
                                         std::pair("nested-wait", Memory::hard),
                                         std::pair("fcfs-vllm", Memory::measured),
                                         std::pair("fcfs-sarathi", Memory::measured),
                                         std::pair("fcfs-safe", Memory::measured)));

} // namespace
} // namespace crx

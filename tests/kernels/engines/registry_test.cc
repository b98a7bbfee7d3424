// Tests of every row of the registry, whatever rows there are.
#include "kernels/engines/registry.hh"

#include "analysis/laws/discrete_laws.hh" // of random_case.hh: links the analysis
#include "kernels/engines/lazy_instances.hh"
#include "kernels/policies/arrival_order.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "support/random_case.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace crx {
namespace {

using crx_test::RandomCase;

/// The outcome of an instance by the plainest way there is: the request engine with all its detail,
/// or cohorts one by one.
class Reference
{
  public:
    Reference(Engine const& engine, PolicySpec const& spec, RandomCase const& c,
              OfflineOrder const* order)
        : engine_(engine), spec_(spec), case_(c), order_(order), generator_(c.of().workload),
          cohorts_(portable_engine(Processor::cpu, RandomLaw::cohort, spec, c.of(order)))
    {
        if (engine.law != RandomLaw::cohort) return;
        instances_.emplace(c.of(), generator_,
                           LazyInstances::Capacity{1, 1, cohorts_.scratch_bytes(spec, c.of())});
        runner_ = cohorts_.make_runner(spec, c.of());
    }

    Outcome of(std::int64_t number)
    {
        if (engine_.law == RandomLaw::cohort) {
            std::optional<Outcome> outcome;
            runner_->execute({number, 1}, *instances_, {}, &outcome);
            return outcome.value();
        }
        auto instance = case_.instance(number);
        auto const seed = case_.workload.seed;
        if (order_ != nullptr)
            return execute_in_order(instance, order_->order(requests_of(instance), seed, number))
                .outcome;
        return execute_single(spec_, instance, seed, number).outcome;
    }

  private:
    Engine const& engine_;
    PolicySpec spec_;
    RandomCase const& case_;
    OfflineOrder const* order_;
    HostGenerator generator_;
    Engine const& cohorts_;
    std::optional<LazyInstances> instances_;
    std::unique_ptr<BatchRunner> runner_;
};

/// Runs some ranges of instances by one row and compares; counts instances that it took.
class RowCheck
{
  public:
    RowCheck(Engine const& engine, PolicySpec const& spec, RandomCase const& c,
             OfflineOrder const* order)
        : engine_(engine), where_(c.of(order)), reference_(engine, spec, c, order), case_(c),
          generator_(where_.workload),
          instances_(where_, generator_,
                     {engine.instances, engine.instances, engine.scratch_bytes(spec, where_)}),
          runner_(engine.make_runner(spec, where_))
    {
        EXPECT_LE(runner_->instances(), engine.instances) << engine.name;
        outcomes_.resize(static_cast<std::size_t>(runner_->instances()));
    }

    std::int64_t run(InstanceRange range)
    {
        std::int64_t taken = 0;
        range.count = std::min<std::int64_t>(range.count, runner_->instances());
        instances_.expect(range);
        runner_->execute(range, instances_, {}, outcomes_.data());
        for (std::int64_t k = 0; k < range.count; ++k) {
            auto const& outcome = outcomes_[static_cast<std::size_t>(k)];
            if (engine_.portable) EXPECT_TRUE(outcome.has_value()) << engine_.name;
            if (!outcome) continue;
            ++taken;
            auto expected = reference_.of(range.first + k);
            EXPECT_EQ(*outcome, expected)
                << engine_.name << ", instance " << range.first + k << ", total latency "
                << outcome->total_latency << " for " << expected.total_latency << ", n "
                << where_.workload.requests << ", M " << where_.workload.memory;
            if (auto const volume = runner_->volume(k)) {
                EXPECT_TRUE(where_.wants_volume);
                EXPECT_EQ(*volume, volume_bound(case_.instance(range.first + k)));
            }
        }
        return taken;
    }

  private:
    Engine const& engine_;
    EngineCase where_;
    Reference reference_;
    RandomCase const& case_;
    HostGenerator generator_;
    LazyInstances instances_;
    std::unique_ptr<BatchRunner> runner_;
    std::vector<std::optional<Outcome>> outcomes_;
};

// A row that does not refuse gives the integers of its law, for any range that it takes.
TEST(Engines, EveryRowGivesTheIntegersOfItsLaw)
{
    std::mt19937_64 rng(crx_test::test_seed());
    crx_test::BackwardOrder const backward;
    std::map<std::string_view, std::int64_t> taken;
    for (int round = 0; round < 250 && !testing::Test::HasFailure(); ++round) {
        RandomCase c;
        make_random_case(rng, c);
        for (auto const& spec : crx_test::every_policy(c.longest)) {
            bool const ordered = spec.kind == ArrivalOrder::kind && c.of().at_zero() &&
                                 !c.workload.clock.affine() && rng() % 2 == 0;
            auto const* const order = ordered ? &backward : nullptr;
            for (auto const* const engine : engines()) {
                if (engine->processor != Processor::cpu) continue;
                // Requests are never written down in such a cell.
                if (engine->law == RandomLaw::request && c.counts_only) continue;
                if (!engine->refusal(spec, c.of(order)).empty()) continue;
                RowCheck check(*engine, spec, c, order);
                auto const first = static_cast<std::int64_t>(rng() % 1000);
                for (auto const count : {engine->instances, engine->instances / 2 + 1})
                    taken[engine->name] += check.run({first, count});
            }
        }
    }
    for (auto const* const engine : engines()) {
        if (engine->processor != Processor::cpu) continue;
        // Policies of a user are run by tests/host/experiment, as they are no specification.
        if (engine->name == std::string_view("own-policy")) continue;
        // Rows of batches refuse all on a processor without vectors.
        if (engine->portable || simd_level() != SimdLevel::none)
            EXPECT_GE(taken[engine->name], 50) << engine->name << " was hardly asked";
    }
}

// Each case has one portable row of the request law, and one or none of the cohort law.
TEST(Engines, OnePortableRowTakesEveryCase)
{
    std::mt19937_64 rng(crx_test::test_seed());
    crx_test::BackwardOrder const backward;
    for (int round = 0; round < 300; ++round) {
        RandomCase c;
        make_random_case(rng, c);
        for (auto const processor : {Processor::cpu, Processor::gpu})
            for (auto const& spec : crx_test::every_policy(c.longest))
                for (auto const* order :
                     std::initializer_list<OfflineOrder const*>{nullptr, &backward}) {
                    std::map<RandomLaw, int> portable;
                    for (auto const* const engine : engines())
                        if (engine->processor == processor && engine->portable &&
                            engine->refusal(spec, c.of(order)).empty())
                            ++portable[engine->law];
                    bool const needs_host = order != nullptr || c.source != nullptr;
                    auto const one = processor == Processor::gpu && needs_host ? 0 : 1;
                    EXPECT_EQ(portable[RandomLaw::request], one);
                    EXPECT_LE(portable[RandomLaw::cohort], one);
                    for (auto const law : {RandomLaw::request, RandomLaw::cohort}) {
                        auto const chain = engines_for(processor, law, spec, c.of(order));
                        EXPECT_EQ(chain.empty(), portable[law] == 0);
                        if (!chain.empty()) EXPECT_TRUE(chain.back()->portable);
                    }
                }
    }
}

// A portable row of the request law writes down what is asked for, and can be given up.
TEST(Engines, PortableRowsFollowTheLog)
{
    std::mt19937_64 rng(crx_test::test_seed());
    crx_test::BackwardOrder const backward;
    int followed = 0, given_up = 0;
    for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
        RandomCase c;
        make_random_case(rng, c);
        if (c.counts_only || !c.of().at_zero() || c.workload.clock.affine()) continue;
        for (auto const* order : std::initializer_list<OfflineOrder const*>{nullptr, &backward}) {
            PolicySpec const spec{ArrivalOrder::kind, {}};
            auto const where = c.of(order);
            auto const& row = portable_engine(Processor::cpu, RandomLaw::request, spec, where);
            HostGenerator const generator(where.workload);
            LazyInstances instances(where, generator, {1, 1, row.scratch_bytes(spec, where)});
            auto instance = c.instance(3);
            auto const expected =
                order == nullptr
                    ? execute_single(spec, instance, c.workload.seed, 3)
                    : execute_in_order(instance, order->order(requests_of(instance), 0, 3));
            for (std::size_t i = 0; i < instance.output.size(); ++i)
                ASSERT_EQ(expected.completion[i], expected.start[i] + instance.output[i]);
            SingleRun run = expected;
            std::ranges::fill(run.start, -1);
            std::ranges::fill(run.completion, -1);
            std::ranges::fill(run.cancellations, -1);
            run.timeline.clear();
            ScheduleLog log{run.start.data(), run.completion.data(), run.cancellations.data(),
                            record_point, &run.timeline};
            std::optional<Outcome> outcome;
            auto const runner = row.make_runner(spec, where);
            runner->execute({3, 1}, instances, log, &outcome);
            EXPECT_EQ(outcome.value(), expected.outcome);
            EXPECT_EQ(run.start, expected.start);
            EXPECT_EQ(run.completion, expected.completion);
            EXPECT_EQ(run.cancellations, expected.cancellations);
            EXPECT_EQ(run.timeline, expected.timeline);
            ++followed;
            if (order == nullptr) continue;
            // An order may take seconds to make.
            int asked = 0;
            log = {};
            log.abort_asked = [](void* count) { return ++*static_cast<int*>(count) > 0; };
            log.abort_context = &asked;
            runner->execute({4, 1}, instances, log, &outcome);
            EXPECT_EQ(asked, 1);
            ++given_up;
        }
    }
    EXPECT_GT(followed, 10);
    EXPECT_GT(given_up, 5);
}

TEST(Engines, OfCohortsInLanesSayWhichLimitACaseIsPast)
{
    Workload w;
    w.requests = 100'000;
    w.memory = 100'000;
    w.output_value = {10, 5000};
    w.output_threshold = {std::uint64_t{1} << 63, UINT64_MAX};
    w.interval = {IntervalKind::common, 10, 5000, 100, 0, 1};
    EngineCase c{.workload = view_of(w), .counts_only = true};
    std::map<std::string_view, std::string> refusal;
    for (auto const* const engine : engines())
        for (auto const kind : {MaxLength::kind, PromoteLower::kind})
            if (engine->processor == Processor::cpu && engine->name.ends_with("-batch"))
                refusal[engine->name] += engine->refusal({kind, {}}, c) + "; ";
    EXPECT_NE(refusal["a-max-batch"].find(
                  "5001 cohorts may be active at a time, more than 4096; it runs a-max alone"),
              std::string::npos)
        << refusal["a-max-batch"];
    EXPECT_NE(
        refusal["fixed-length-batch"].find("5006 cohorts may be active at a time, more than 4096"),
        std::string::npos)
        << refusal["fixed-length-batch"];
}

TEST(Engines, HaveNamesOfTheirOwnAndSayWhatTheyAre)
{
    std::set<std::pair<Processor, std::string_view>> names;
    for (auto const* const engine : engines()) {
        EXPECT_TRUE(names.insert({engine->processor, engine->name}).second) << engine->name;
        EXPECT_FALSE(engine->summary.empty());
        EXPECT_EQ(engine->make == nullptr, engine->processor == Processor::gpu) << engine->name;
        EXPECT_GE(engine->instances, engine->least);
        if (engine->portable) EXPECT_EQ(engine->instances, 1);
    }
}

// Whether counting is cheaper does not depend on what the processor has: results would.
TEST(Engines, TheLawDoesNotDependOnTheProcessor)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int round = 0; round < 300; ++round) {
        RandomCase c;
        make_random_case(rng, c);
        for (auto const& spec : crx_test::every_policy(c.longest)) {
            auto plain = c.of();
            plain.simd = SimdLevel::none;
            EXPECT_EQ(prefers_cohorts(spec, c.of()), prefers_cohorts(spec, plain));
        }
    }
}

} // namespace
} // namespace crx

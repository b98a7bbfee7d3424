// Portable engines in slices, as a GPU runs long instances: the integers of an undivided run.
#include "host/selftest/selftest_cases.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/requests/execute.cuh"
#include "kernels/model/host_generator.hh"
#include "kernels/model/release_bound.cuh"
#include "support/execute_policy.hh"
#include "support/owned_instance.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// Memory for an engine, garbage at first, as a GPU's is.
struct Block
{
    explicit Block(std::size_t bytes)
        : words((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)), bytes(bytes)
    {
        std::memset(words.data(), 0x5b, words.size() * sizeof(std::max_align_t));
    }
    std::vector<std::max_align_t> words;
    std::size_t bytes;
};

/// How many slices it took. slice(begins): whether the instance is done.
template <class Slice>
int slices_of(Slice slice)
{
    int slices = 1;
    for (; !slice(slices == 1); ++slices) EXPECT_LT(slices, 1'000'000);
    return slices;
}

TEST(Slices, OfRequestsAreAnUndividedRun)
{
    std::int64_t slices = 0, whole_in_one = 0;
    for (auto const& test : selftest_cases())
        for (auto const& spec : selftest_policies(test))
            with_policy(spec, [&]<class P>(P const& policy) {
                for (std::int64_t number = 0; number < 6; ++number) {
                    auto x = selftest_instance(test, number);
                    auto const instance = static_cast<std::uint64_t>(number);
                    Block whole(engine_bytes(spec, x.requests()));
                    auto const expected = crx_test::execute_policy(
                        policy, requests_of(x), 7, instance, whole.words.data(), whole.bytes);
                    for (std::int64_t const events : {1, 2, 5, 1000}) {
                        Block block(sliced_bytes(spec, x.requests()));
                        Outcome outcome;
                        auto const taken = slices_of([&](bool begins) {
                            return execute_slice(begins, events, policy, requests_of(x), 7,
                                                 instance, block.words.data(), block.bytes,
                                                 outcome);
                        });
                        EXPECT_EQ(outcome, expected)
                            << test.name << ", " << P::id << ", " << number << " by " << events;
                        EXPECT_LE(taken, expected.events / events + 1);
                        (events < 1000 ? slices : whole_in_one) += taken - 1;
                    }
                }
            });
    EXPECT_GT(slices, 10'000);
    EXPECT_LT(whole_in_one, slices / 20);
}

TEST(Slices, OfCohortsAreAnUndividedRun)
{
    std::int64_t slices = 0;
    auto all = selftest_cases();
    for (auto const& test : selftest_cohort_cases()) all.push_back(test);
    for (auto const& test : all) {
        auto const w = view_of(test.workload);
        if (w.output_kind != OutputKind::composition) continue;
        for (auto const& spec : selftest_policies(test)) {
            if (!cohort_refusal(spec, w).empty()) continue;
            with_policy(spec, [&]<class P>(P const& policy) {
                if constexpr (P::cohort_form != CohortForm::none)
                    for (std::uint64_t instance = 0; instance < 4; ++instance) {
                        Block whole(cohort_bytes(spec, w));
                        auto const expected = execute_cohort(spec, w, w.output_count.data(),
                                                             static_cast<std::int64_t>(instance),
                                                             whole.words.data(), whole.bytes);
                        for (std::int64_t const events : {1, 3, 50}) {
                            Block block(sliced_cohort_bytes(spec, w));
                            Outcome outcome;
                            slices += slices_of([&](bool begins) {
                                Arena arena(block.words.data(), block.bytes);
                                return execute_cohort_slice(begins, events, policy, w,
                                                            w.output_count.data(), instance, arena,
                                                            outcome);
                            });
                            EXPECT_EQ(outcome, expected) << test.name << ", " << P::id << ", "
                                                         << instance << " by " << events;
                        }
                    }
            });
        }
    }
    EXPECT_GT(slices, 10'000);
}

// A slice whose words are lost, as if the next one began where this one did: seen wherever
// something is drawn afterwards.
TEST(Slices, AreWrongWhereTheWordsOfOneAreLost)
{
    int wrong = 0, compared = 0;
    for (auto const& test : selftest_cases())
        for (auto const& spec : selftest_policies(test))
            with_policy(spec, [&]<class P>(P const& policy) {
                if constexpr (P::choice == Choice::drawn) {
                    auto x = selftest_instance(test, 1);
                    Block block(sliced_bytes(spec, x.requests()));
                    using Kept = KeptRun<EngineOf<P>>;
                    auto* const kept = reinterpret_cast<Kept*>(block.words.data());
                    Outcome whole, faulty;
                    auto const run = [&](bool loses, Outcome& outcome) {
                        return slices_of([&](bool begins) {
                            auto const words = begins ? WordStream(0, 0, 0) : kept->words;
                            auto const done =
                                execute_slice(begins, 2, policy, requests_of(x), 7, 1,
                                              block.words.data(), block.bytes, outcome);
                            if (loses && !begins && !done) kept->words = words;
                            return done;
                        });
                    };
                    run(false, whole);
                    run(true, faulty);
                    ++compared;
                    wrong += !(whole == faulty);
                }
            });
    EXPECT_GE(compared, 20);
    EXPECT_GE(wrong, compared / 4) << compared;
}

TEST(Slices, OfTheReleaseBoundAreTheBound)
{
    std::int64_t slices = 0;
    for (auto const& test : selftest_cases())
        for (std::int64_t number = 0; number < 6; ++number) {
            auto x = selftest_instance(test, number);
            auto const requests = requests_of(x);
            Block block(ReleaseBound::arena_bytes(requests.n));
            Arena arena(block.words.data(), block.bytes);
            auto const expected = ReleaseBound(arena, requests.n).execute(requests);
            for (std::int64_t const looks : {1, 10, 1000}) {
                Arena again(block.words.data(), block.bytes);
                ReleaseBound bound(again, requests.n);
                bound.begin(requests);
                while (!bound.advance(requests, looks)) ++slices;
                EXPECT_EQ(bound.bound(), expected) << test.name << ", " << number;
            }
        }
    EXPECT_GT(slices, 100);
}

} // namespace
} // namespace crx

#include "analysis/fluid/type_blind.hh"

#include "kernels/engines/iterations/iterate.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace crx::fluid {
namespace {

/// AO appendix A.3 at K = 1 s: two types with l = 1, l' = 1 and 2; M* = 9.
Load papers_load(double d1 = 0.05) { return {1 - 9 * d1, d1, {{1, 1}, {1, 2}}, {1, 1}}; }

constexpr Restarts never{false, 0}, forgotten{true, 0}, one_remembered{true, 1};

// The same question answered by trying every stationary policy that cancels nothing, with plain
// loops, for outputs 1 (probability p) and 2, l = 1. State (u, k): u prompts have stage 1 next, k
// stage 2.
struct EveryPolicy
{
    using State = std::pair<int, int>;
    struct Choice
    {
        int fresh, first, second; ///< prompts of stages 0, 1 and 2 in the batch
    };

    int memory;
    double d0, d1, p;
    double best = 0;

    std::vector<Choice> choices(State s) const
    {
        std::vector<Choice> out;
        auto const [u, k] = s;
        for (int a = 0; a <= memory; ++a)
            for (int b = 0; b <= u; ++b)
                for (int c = 0; c <= k; ++c)
                    if (a + b + c > 0 && a + 2 * b + 3 * c + (u - b) + 2 * (k - c) <= memory)
                        out.push_back({a, b, c});
        return out;
    }
    static double binomial(int n, int k, double q)
    {
        return std::tgamma(n + 1) / std::tgamma(k + 1) / std::tgamma(n - k + 1) * std::pow(q, k) *
               std::pow(1 - q, n - k);
    }
    std::map<State, double> after(State s, Choice const& choice) const
    {
        std::map<State, double> out;
        for (int j = 0; j <= choice.first; ++j)
            out[{s.first - choice.first + choice.fresh, s.second - choice.second + j}] +=
                binomial(choice.first, j, 1 - p);
        return out;
    }
    /// Tries all choices in the states that the policy reaches and has not chosen for.
    void extend(std::map<State, Choice>& policy)
    {
        for (auto const& [state, choice] : std::map(policy))
            for (auto const& [next, probability] : after(state, choice))
                if (!policy.contains(next)) {
                    for (auto const& c : choices(next)) { // none: a dead end
                        policy[next] = c;
                        extend(policy);
                    }
                    policy.erase(next);
                    return;
                }
        best = std::max(best, rate(policy));
    }
    /// Tokens a second over the later half of 480 batches; the cycles of so small chains divide it.
    double rate(std::map<State, Choice> const& policy) const
    {
        std::map<State, double> mass{{{0, 0}, 1}};
        double tokens = 0, seconds = 0;
        for (int step = 0; step < 480; ++step) {
            std::map<State, double> next;
            for (auto const& [s, m] : mass) {
                auto const& c = policy.at(s);
                if (step >= 240) {
                    tokens += m * (c.first * p + 2 * c.second);
                    seconds += m * (d0 + d1 * (c.fresh + 2 * c.first + 3 * c.second));
                }
                for (auto const& [to, q] : after(s, c)) next[to] += m * q;
            }
            mass = next;
        }
        return tokens / seconds;
    }
    double solve()
    {
        for (auto const& c : choices({0, 0})) {
            std::map<State, Choice> policy{{{0, 0}, c}};
            extend(policy);
        }
        return best;
    }
};

TEST(TypeBlind, CapacityIsThatOfTheBestPolicy)
{
    for (double const p : {0.5, 0.2, 0.9})
        for (double const d1 : {0.0, 0.05, 0.5})
            for (int const memory : {3, 4}) {
                EveryPolicy every{memory, 1, d1, p};
                Load const load{1, d1, {{1, 1}, {1, 2}}, {p * 0.1, (1 - p) * 0.1}};
                EXPECT_NEAR(type_blind_capacity(load, memory, never).throughput, every.solve(),
                            1e-6)
                    << p << ' ' << d1 << ' ' << memory;
            }
}

// One type: nothing is hidden, and full batches of one group a stage do all the work that fits.
TEST(TypeBlind, OneTypeIsKnown)
{
    auto const c = type_blind_capacity({1, 0.1, {{1, 1}}, {1}}, 6, never);
    EXPECT_NEAR(c.throughput, 2 / 1.6, 1e-8); // two prompts, one token each, every 1 + 0.1 * 6 s
    EXPECT_LE(c.error, 1e-9);
}

// Proposition 5 on the paper's instance: with C = M* the best type-blind policy stays below the
// fluid's 3 tokens per second. More freedom and more memory never hurt.
TEST(TypeBlind, IsBelowTheFluidAtItsMemory)
{
    auto const strict = type_blind_capacity(papers_load(), 9, never).throughput;
    auto const loose = type_blind_capacity(papers_load(), 9, forgotten).throughput;
    auto const memory = type_blind_capacity(papers_load(), 9, one_remembered).throughput;
    EXPECT_NEAR(strict, 2.769973757, 1e-8);
    EXPECT_NEAR(loose, 2.804843224, 1e-8);
    EXPECT_NEAR(memory, 2.805762387, 1e-8);
    EXPECT_GT(type_blind_capacity(papers_load(), 10, never).throughput, strict);
}

// Policies that run: those that do not know types are below the capacity where prompts never lack
// (twice the rate here, so that they do not), WAIT, which knows them, is above it on the same
// instance.
TEST(TypeBlind, BoundsThePoliciesThatRun)
{
    auto const most = type_blind_capacity(papers_load(), 9, one_remembered).throughput;
    IterationCell cell;
    cell.time = {550'000'000, std::uint64_t{50'000'000} << 16};
    cell.types = {{1, 1}, {1, 2}};
    cell.arrivals = poisson_rates({{2, 2}});
    cell.policy.memory = 9;
    cell.seed = crx_test::test_seed();
    cell.checkpoints = {Nanoseconds{100'000} * 1'000'000'000};
    auto const throughput = [&](IterationPolicyKind kind) {
        cell.policy.kind = kind;
        return static_cast<double>(execute_path(cell, 0).back().completed_tokens) / 100'000;
    };
    for (auto const kind : {IterationPolicyKind::fcfs_vllm, IterationPolicyKind::fcfs_sarathi}) {
        EXPECT_LT(throughput(kind), most);
        EXPECT_GT(throughput(kind), most / 2);
    }
    cell.policy.thresholds = wait_table(cell.types, {1, 1});
    EXPECT_GT(throughput(IterationPolicyKind::wait), most + 0.1);
}

TEST(TypeBlind, SaysWhatItDoesNotTake)
{
    EXPECT_THROW(type_blind_capacity({1, 0, {{1, 1}, {2, 2}}, {1, 1}}, 9, never),
                 std::domain_error);
    EXPECT_THROW(type_blind_capacity(papers_load(), 2, never), std::domain_error);
    EXPECT_THROW(type_blind_capacity(papers_load(), 60, one_remembered), std::domain_error);
}

} // namespace
} // namespace crx::fluid

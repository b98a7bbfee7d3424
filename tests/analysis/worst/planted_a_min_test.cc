// The search tells A_min from one that forgets a cancellation.
#include "analysis/worst/search/annealing.hh"

#include <gtest/gtest.h>

namespace crx::worst {
namespace {

/// TEL of A_min with ties by index, in plain rounds; `forgets`: of the first overflow one request
/// too few is cancelled. Nothing where it does not end.
std::optional<std::int64_t> a_min(OwnedInstance const& instance, bool forgets)
{
    auto const n = instance.output.size();
    std::vector<std::int64_t> e(instance.lower.begin(), instance.lower.end()), start(n, -1);
    std::vector<bool> done(n, false);
    std::int64_t total = 0;
    std::size_t finished = 0;
    for (std::int64_t t = 0; finished < n; ++t) {
        if (t > 1000) return std::nullopt;
        auto const active = [&](std::size_t i) { return start[i] >= 0 && !done[i]; };
        auto const held = [&] {
            Tokens sum = 0;
            for (std::size_t i = 0; i < n; ++i)
                if (active(i)) sum += instance.prompt[i] + t - start[i] + 1;
            return sum;
        };
        auto const least = [&](bool of_active) {
            auto best = n;
            for (std::size_t i = 0; i < n; ++i)
                if (!done[i] && active(i) == of_active && (best == n || e[i] < e[best])) best = i;
            return best;
        };
        while (held() > instance.memory) {
            auto const i = least(true);
            if (forgets) {
                forgets = false;
                break;
            }
            e[i] = std::max(e[i], t - start[i]);
            start[i] = -1;
        }
        for (auto i = least(false); i < n; i = least(false)) {
            start[i] = t;
            auto const fits_at = [&](std::int64_t time) {
                Tokens sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                    if (active(k) && time - start[k] <= std::max(e[k], t - start[k] + 1))
                        sum += instance.prompt[k] + time - start[k];
                return sum <= instance.memory;
            };
            bool fits = true;
            for (auto time = t + 1; time <= t + instance.memory; ++time)
                fits = fits && fits_at(time);
            if (fits) continue;
            start[i] = -1;
            break;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (active(i) && t + 1 - start[i] == instance.output[i]) {
                done[i] = true;
                ++finished;
                total += t + 1;
            }
    }
    return total;
}

Cost cost_of(bool forgets)
{
    return {"a-min by index", 1,
            [forgets](OwnedInstance const& instance) { return a_min(instance, forgets); }};
}

TEST(Anneal, TellsAMinFromOneThatForgetsACancellation)
{
    Objective objective;
    objective.over = Over::cost;
    objective.numerator = cost_of(false);
    objective.denominator = cost_of(true);
    InstanceClass const of{5, 9, 0, Restriction::none, Told::intervals};
    auto const broken = anneal(of, objective, {1, 400, 1});
    ASSERT_TRUE(broken.best);
    EXPECT_GT(broken.best->value, 1.2);
    objective.denominator = cost_of(false);
    EXPECT_EQ(anneal(of, objective, {1, 400, 1}).best.value().value, 1);
}

} // namespace
} // namespace crx::worst

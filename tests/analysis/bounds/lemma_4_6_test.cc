#include "analysis/bounds/lemma_4_6.hh"

#include "analysis/spectrum/problem.hh"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <vector>

namespace crx::bounds {
namespace {

// Lemma 4.6 as it is printed, term by term.
Lemma46 as_printed(std::vector<double> const& x, int l, double s)
{
    int const u = l + static_cast<int>(x.size()) - 1;
    auto const weight = [&](int i) { return x[i - l]; };
    Lemma46 result{0, 0};
    for (int k = l; k <= u; ++k) {
        double const delta = k == l ? s + l : 1;
        double work = 0;
        double waiting = 0;
        double longer = 0;
        for (int i = k; i <= u; ++i) {
            work += i * weight(i);
            waiting += delta / (s + i) * weight(i);
            if (i > k) {
                waiting += 2 * (i - k) / (s + i) * weight(i);
                longer += weight(i);
            }
        }
        result.numerator += delta * work * waiting;
        result.denominator += k * (s + k) * weight(k) * (weight(k) + 2 * longer);
    }
    return result;
}

struct Instance
{
    std::vector<double> x;
    int l;
    double s;
};

Instance any_instance()
{
    Instance instance;
    instance.l = *rc::gen::inRange(1, 40);
    instance.s = *rc::gen::element(0.0, 0.5, 1.0, 13.0, 1000.0);
    auto const size = *rc::gen::inRange(1, 60);
    for (int i = 0; i < size; ++i) instance.x.push_back(*rc::gen::inRange(0, 1000) / 7.0);
    instance.x[*rc::gen::inRange(0, size)] += 1;
    return instance;
}

// Both sides round at most a few hundred times, all terms non-negative.
constexpr double tolerance = 1e-12;

RC_GTEST_PROP(Lemma46, StreamedSumIsTheLemmaAsPrinted, ())
{
    auto const [x, l, s] = any_instance();
    auto const fast = lemma_4_6(x, l, s);
    auto const slow = as_printed(x, l, s);
    RC_ASSERT(std::abs(fast.numerator / slow.numerator - 1) < tolerance);
    RC_ASSERT(std::abs(fast.denominator / slow.denominator - 1) < tolerance);
}

RC_GTEST_PROP(Lemma46, IsTheMatrixForm, ())
{
    auto const [x, l, s] = any_instance();
    spectrum::Problem const problem{l, l + static_cast<std::int64_t>(x.size()) - 1, s};
    double a = 0;
    double b = 0;
    for (auto i = problem.l; i <= problem.u; ++i)
        for (auto j = problem.l; j <= problem.u; ++j) {
            double const pair = x[i - l] * x[j - l];
            a += pair * spectrum::a_entry(problem, i, j);
            b += pair * spectrum::b_entry(problem, i, j);
        }
    auto const lemma = lemma_4_6(x, l, s);
    RC_ASSERT(std::abs(lemma.numerator / a - 1) < tolerance);
    RC_ASSERT(std::abs(lemma.denominator / b - 1) < tolerance);
    // A planted fault: a prompt one token longer is another problem, and the check sees it.
    if (x.size() > 1 && s < 10 && x.front() > 0 && x.back() > 0)
        RC_ASSERT(std::abs(lemma_4_6(x, l, s + 1).numerator / a - 1) > 1e-9);
}

TEST(Lemma46, OneLengthHasRatioOne)
{
    EXPECT_DOUBLE_EQ(lemma_4_6(std::vector<double>{3}, 17, 5).ratio(), 1);
}

} // namespace
} // namespace crx::bounds

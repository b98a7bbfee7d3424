#include "analysis/spectrum/problem.hh"

#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/double_double.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::spectrum {
namespace {

TEST(Trace, DefinitionClosedFormAndTailFormAgree)
{
    // To 10^8 by `crx spectrum --u 100000000 --definition`.
    for (std::int64_t const u : {1, 2, 3, 10, 63, 64, 1000, 1'000'000}) {
        Problem const problem{1, u, 0};
        double const harmonic = bounds::harmonic_number(u);
        EXPECT_NEAR(trace_closed_form(problem) / harmonic, 1, 1e-14);
        EXPECT_NEAR(trace_by_definition(problem) / harmonic, 1, 1e-14);
        EXPECT_NEAR(trace_of_tail_form(problem) / harmonic, 1, 1e-14);
    }
}

TEST(Trace, GeneralLengthsAndPrompts)
{
    for (Problem const problem :
         {Problem{3, 40, 0}, Problem{1, 100, 2.5}, Problem{10, 10, 3}, Problem{7, 5000, 1000}}) {
        double const closed = trace_closed_form(problem);
        EXPECT_NEAR(trace_by_definition(problem) / closed, 1, 1e-14);
        EXPECT_NEAR(trace_of_tail_form(problem) / closed, 1, 1e-14);
        if (problem.size() <= 100) {
            EXPECT_NEAR(dense_eigenvalues(problem).sum(), closed, 1e-11);
        }
    }
}

TEST(Trace, DoesNotBoundRhoWithAPrompt)
{
    // CHEN's rho <= trace needs A positive definite, which it is only for small s.
    Problem const problem{1, 100, 100};
    auto const values = dense_eigenvalues(problem);
    EXPECT_GT(values[values.size() - 1], 2 * trace_closed_form(problem));
}

TEST(DoubleDouble, KeepsWhatADoubleLoses)
{
    // (2^60 + 2^-40)/3 * 3 - 2^60: plain doubles give 0.
    DoubleDouble const large(0x1p60, 0x1p-40);
    auto const back = large / 3.0 * 3.0 - 0x1p60;
    EXPECT_NEAR(back.value() / 0x1p-40, 1, 1e-9);
    double const plain = (0x1p60 + 0x1p-40) / 3 * 3 - 0x1p60;
    EXPECT_EQ(plain, 0);
}

} // namespace
} // namespace crx::spectrum

// From which prompt on do Lemma 4.9 (A positive definite) and rho <= trace fail? For a few l and u,
// by bisection in s on the dense eigenvalues.

#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/problem.hh"

#include <cstdio>

using namespace crx::spectrum;

namespace {

// Least s in (0, high] with `fails(s)`, which must be monotone, to 1e-6 relative.
double threshold(double high, auto fails)
{
    double low = 0;
    while (high - low > 1e-6 * high) {
        double const s = (low + high) / 2;
        (fails(s) ? high : low) = s;
    }
    return high;
}

} // namespace

int main()
{
    std::printf("l,u,A_indefinite_from_s,rho_above_trace_from_s\n");
    struct Lengths
    {
        int l;
        int u;
    };
    for (auto const& [l, u] : {Lengths{1, 2}, Lengths{1, 5}, Lengths{1, 10}, Lengths{1, 100},
                               Lengths{10, 20}, Lengths{10, 100}}) {
        double const indefinite = threshold(1e3, [&](double s) {
            return dense_eigenvalues({l, u, s})[0] <= 0;
        });
        double const above = threshold(1e3, [&](double s) {
            Problem const problem{l, u, s};
            return solve_dominant(problem).lower > trace_closed_form(problem);
        });
        std::printf("%d,%d,%.5f,%.4f\n", l, u, indefinite, above);
    }
}

#include "analysis/claims/jaillet/claims.hh"
#include "analysis/claims/trial.hh"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

namespace crx::claims {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

/// The dual variables as printed: y of (25), and the prices of (26) and (27) that are positive.
struct DualVariables
{
    Fraction y;
    std::vector<Fraction> price;

    DualVariables(std::int64_t s, std::int64_t o, std::int64_t n, std::int64_t memory)
    {
        auto const beta = 2 * s + o + 1;
        Fraction const half_alpha((o - 1) * (3 * s + 2 * o + 2), 3 * beta);
        y = Fraction(beta * o * n, 2 * memory) - half_alpha;
        if (y < 0) y = 0;
        Fraction const first = (2 * y + 2 * half_alpha) / (beta * o);
        for (std::int64_t t = 1; first > Fraction(2 * (t - 1), beta * o); ++t)
            price.push_back(first - Fraction(2 * (t - 1), beta * o));
    }
};

// (23): y - sum over tau = t+1 .. t+o of (s + tau - t) lambda_tau <= t, for every t.
Fresh test(Stated const& stated)
{
    Trial trial(stated);
    int tight = 0, grid_points = 0;
    for (std::int64_t const s : {0, 1, 2, 3, 7, 20})
        for (std::int64_t const o : {1, 2, 3, 4, 5, 9, 16})
            for (auto const memory : {s + o, 2 * (s + o), 3 * (s + o) + 1, 10 * (s + o)})
                for (std::int64_t const n : {1, 2, 3, 5, 8, 21}) {
                    DualVariables const dual(s, o, n, memory);
                    auto const last = std::ssize(dual.price);
                    bool met = false;
                    for (std::int64_t t = 0; t <= last; ++t) {
                        Fraction left = dual.y;
                        for (auto tau = t + 1; tau <= std::min(t + o, last); ++tau)
                            left -= (s + tau - t) * dual.price[static_cast<std::size_t>(tau - 1)];
                        // Stated a hundredth lower, the right side is t less a hundredth.
                        auto const lack = Fraction(100 - stated.bound_percent, 100);
                        trial.expect(left <= t - lack);
                        met = met || left == t;
                    }
                    ++grid_points;
                    tight += met ? 1 : 0;
                }
    return trial.verdict(Verdict::proved, fmt::format("met with equality at {} of {} grid points",
                                                      tight, grid_points));
}

} // namespace

Claim jaillet_lemma_b_1()
{
    return {
        .id = "J-B.1",
        .paper = Paper::jaillet,
        .place = "Lemma B.1",
        .statement = "The dual variables of (25), (26) and (27) satisfy constraint (23).",
        .hypotheses = {{"identical requests, all at 0"}},
        .method = Method::proof,
        .verdict = Verdict::proved,
        .evidence = "Prices fall by at most 2/((2s+o+1) o) a step, which suffices; the printed "
                    "step takes prices cut at 0 for negative.",
        .command = "crx claims J-B.1 --run",
        .page = "docs/proofs/identical_requests.md",
        .test = test,
    };
}

} // namespace crx::claims

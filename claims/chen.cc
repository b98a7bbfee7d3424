#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/growth.hh"
#include "claims/counted_min.hh"
#include "claims/functions.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/random/word_stream.cuh"

#include <cmath>
#include <random>

namespace crx::claims {
namespace {

struct CountedRequest
{
    std::int64_t arrival = 0, prompt = 0, output = 1, lower = 1;
};

/// The words of a-min in instance 0 of seed 1.
struct Words
{
    WordStream words;
    std::uint64_t bounded(std::uint64_t k) { return bounded_draw(words, k); }
};

double most_operations(std::vector<CountedRequest> const& requests, Tokens memory)
{
    auto const stream = stream_policy + static_cast<std::uint32_t>(find_policy("a-min")->kind);
    CountedMin counted(requests, memory, Words{WordStream(1, stream, 0)});
    counted.run();
    return static_cast<double>(counted.most_operations);
}

/// Theorem 4.1: operations of A_min's costliest round where many are cancelled a round and where
/// lower ends fill memory at every time, and the proved bound.
std::map<std::string, Interval> rounds_of_a_min(Numbers const& at)
{
    auto const memory = whole(at, "M");
    std::vector<CountedRequest> const alike(static_cast<std::size_t>(2 * memory), {0, 0, 16, 1});
    std::vector<CountedRequest> divisors;
    for (Tokens l = 1; l <= memory; ++l)
        divisors.insert(divisors.end(), static_cast<std::size_t>(memory / l - memory / (l + 1)),
                        {0, 0, l, l});
    double harmonic = 0;
    for (Tokens r = memory; r > 0; --r)
        harmonic += static_cast<double>(memory) / static_cast<double>(r);
    auto const m = static_cast<double>(memory);
    return {{"cancelling", most_operations(alike, memory)},
            {"filling", most_operations(divisors, memory)},
            {"bound", 4 * harmonic + m * (std::log2(m) + 6)}};
}

/// Corollary 4.8: x'Ax / x'Bx by the matrices' entries, and Lemma 4.6's ratio, of a random
/// composition on random lengths with prompts.
std::map<std::string, Interval> matrix_form(Numbers const& at)
{
    std::mt19937_64 rng(static_cast<std::uint64_t>(whole(at, "seed")));
    auto const l = 1 + static_cast<std::int64_t>(rng() % 9);
    spectrum::Problem const p{l, l + static_cast<std::int64_t>(rng() % 40),
                              static_cast<double>(rng() % 4) * 1.5};
    std::vector<double> x(static_cast<std::size_t>(p.size()));
    for (auto& weight : x) weight = static_cast<double>(rng() % 7);
    x.back() += 1;
    double above = 0, below = 0;
    for (auto i = p.l; i <= p.u; ++i)
        for (auto j = p.l; j <= p.u; ++j) {
            auto const w =
                x[static_cast<std::size_t>(i - p.l)] * x[static_cast<std::size_t>(j - p.l)];
            above += w * spectrum::a_entry(p, i, j);
            below += w * spectrum::b_entry(p, i, j);
        }
    return {{"of_matrices", above / below},
            {"of_lemma", bounds::lemma_4_6(x, static_cast<double>(p.l), p.s).ratio()}};
}

/// R^2 of the printed fit to rho(u + shift) on u = 2, 7, 12, .. below 2,000.
double fit_quality(std::vector<double> const& u, std::vector<double> const& rho)
{
    double mean = 0, rest = 0, all = 0;
    for (auto const r : rho) mean += r / static_cast<double>(rho.size());
    for (std::size_t k = 0; k < u.size(); ++k) {
        rest += std::pow(rho[k] - bounds::figure_1_fit(u[k]), 2);
        all += std::pow(rho[k] - mean, 2);
    }
    return 1 - rest / all;
}

/// Figure 1: a fit of a ln(u + b) + c to rho(u + shift), and R^2 of the printed one.
std::map<std::string, Interval> refit(Numbers const& at)
{
    std::vector<double> u, rho;
    for (std::int64_t k = 2; k < 2'000; k += 5) {
        u.push_back(static_cast<double>(k));
        rho.push_back(spectrum::solve_dominant({1, k + whole(at, "shift"), 0}).rho);
    }
    auto const fit = spectrum::fit_logarithm(u, rho);
    return {{"a", fit.a}, {"b", fit.b}, {"c", fit.c}, {"r_squared", fit_quality(u, rho)}};
}

/// sum_k k G_k / sum_k (2k - 1) G_k^2 with G_k = 1/(2k - 1), s = 0, l = 1: what the ratio of A_min
/// in reading 1 tends to as M and then n/M grow (docs/proofs/learning.md).
std::map<std::string, Interval> limit_of_reading_1(Numbers const& at)
{
    double above = 0, below = 0;
    for (std::int64_t k = 1; k <= whole(at, "u"); ++k) {
        auto const odd = 2 * static_cast<double>(k) - 1;
        above += static_cast<double>(k) / odd;
        below += 1 / odd;
    }
    return {{"limit", above / below}};
}

/// LG(p) of section 5.3 on 1 .. u, P(k) ~ k q^(k-1): its mode.
std::map<std::string, Interval> linear_geometric_mode(Numbers const& at)
{
    auto const q = at.at("q");
    std::int64_t mode = 1;
    for (std::int64_t k = 1; k <= 100'000; ++k)
        if (static_cast<double>(k + 1) * q > static_cast<double>(k)) mode = k + 1;
    return {{"mode", static_cast<double>(mode)}};
}

} // namespace

std::vector<Function> chen_functions()
{
    return {{"rounds_of_a_min",
             "CHEN Theorem 4.1: operations of A_min's costliest round on two loads",
             {"M"},
             {"cancelling", "filling", "bound"},
             rounds_of_a_min},
            {"matrix_form",
             "CHEN Corollary 4.8 on a random composition",
             {"seed"},
             {"of_matrices", "of_lemma"},
             matrix_form},
            {"refit",
             "CHEN Figure 1: a ln(u + b) + c fitted to rho(u + shift)",
             {"shift"},
             {"a", "b", "c", "r_squared"},
             refit},
            {"limit_of_reading_1",
             "limit of A_min's ratio in reading 1 on the tail 1/(2k-1)",
             {"u"},
             {"limit"},
             limit_of_reading_1},
            {"linear_geometric_mode",
             "CHEN section 5.3: the mode of P(k) ~ k q^(k-1)",
             {"q"},
             {"mode"},
             linear_geometric_mode}};
}

} // namespace crx::claims

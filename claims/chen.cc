#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/growth.hh"
#include "claims/counted_min.hh"
#include "claims/functions.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/random/word_stream.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>
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

/// CHEN Algorithms 1 (u) and 3 (o) on a random instance of 7 requests at time 0 with M = 24, the
/// rules read in two ways: in each round the first of the waiting start, in the order of the length
/// that is known, or the printed set of largest cardinality, looked for among all sets; of several
/// the one whose requests come first in that order. True outputs end requests of A_max early.
class LargestSets
{
  public:
    LargestSets(std::uint64_t seed, bool equal_prompts, bool outputs_known)
    {
        std::mt19937_64 rng(seed);
        auto const draw = [&](std::int64_t most) {
            return 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most));
        };
        auto const prompt = draw(8) - 1;
        for (int i = 0; i < 7; ++i) {
            auto const s = equal_prompts ? prompt : draw(16) - 1, o = draw(8);
            requests_.push_back({s, o, outputs_known ? o : o + draw(9 - o) - 1});
        }
        std::ranges::stable_sort(requests_, {}, &Known::planned);
    }

    /// TEL, and how many start in round 0.
    std::pair<std::int64_t, std::int64_t> run(bool whole_sets)
    {
        std::int64_t latency = 0, at_first = 0;
        start_.assign(requests_.size(), -1);
        std::vector<std::size_t> waiting(requests_.size());
        std::iota(waiting.begin(), waiting.end(), std::size_t{0});
        for (now_ = 0; !waiting.empty(); ++now_) {
            auto const chosen = whole_sets ? largest(waiting) : first_ones(waiting);
            if (now_ == 0) at_first = std::ssize(chosen);
            for (auto const i : chosen) {
                start_[i] = now_;
                latency += now_ + requests_[i].output;
                std::erase(waiting, i);
            }
        }
        return {latency, at_first};
    }

    OwnedInstance instance() const
    {
        OwnedInstance same;
        same.memory = memory;
        same.arrival.assign(requests_.size(), 0);
        for (auto const& r : requests_) {
            same.prompt.push_back(static_cast<std::int32_t>(r.prompt));
            same.output.push_back(static_cast<std::int32_t>(r.output));
        }
        same.lower = same.upper = same.output;
        return same;
    }

  private:
    struct Known
    {
        std::int64_t prompt, output, planned;
    };
    static constexpr std::int64_t memory = 24;

    bool fit(std::vector<std::size_t> const& more) const
    {
        for (auto t = now_ + 1; t <= now_ + memory; ++t) {
            std::int64_t held = 0;
            for (std::size_t i = 0; i < requests_.size(); ++i) {
                auto const& r = requests_[i];
                auto const starts = std::ranges::find(more, i) != more.end();
                auto const start = starts ? now_ : start_[i];
                if (start < 0 || (!starts && start + r.output <= now_)) continue;
                if (t <= start + r.planned) held += r.prompt + t - start;
            }
            if (held > memory) return false;
        }
        return true;
    }

    std::vector<std::size_t> first_ones(std::vector<std::size_t> const& waiting) const
    {
        std::vector<std::size_t> chosen;
        for (auto const i : waiting) {
            chosen.push_back(i);
            if (fit(chosen)) continue;
            chosen.pop_back();
            break;
        }
        return chosen;
    }

    std::vector<std::size_t> largest(std::vector<std::size_t> const& waiting) const
    {
        std::vector<std::size_t> best;
        for (std::uint32_t set = 1; set < 1u << waiting.size(); ++set) {
            std::vector<std::size_t> chosen;
            for (std::size_t k = 0; k < waiting.size(); ++k)
                if ((set >> k & 1) != 0) chosen.push_back(waiting[k]);
            if (chosen.size() > best.size() || (chosen.size() == best.size() && chosen < best))
                if (fit(chosen)) best = chosen;
        }
        return best;
    }

    std::vector<Known> requests_;
    std::vector<std::int64_t> start_;
    std::int64_t now_ = 0;
};

std::map<std::string, Interval> largest_cardinality(Numbers const& at)
{
    LargestSets of(static_cast<std::uint64_t>(whole(at, "seed")), at.at("equal") != 0,
                   at.at("known") != 0);
    auto const [prefix, first] = of.run(false);
    auto const [printed, most] = of.run(true);
    auto const h_sf = execute_single({ShortestFirst::kind, {}}, of.instance(), 0, 0);
    return {{"prefix", static_cast<double>(prefix)},
            {"printed", static_cast<double>(printed)},
            {"prefix_first", static_cast<double>(first)},
            {"printed_first", static_cast<double>(most)},
            {"mc_sf", static_cast<double>(h_sf.outcome.total_latency)}};
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
             linear_geometric_mode},
            {"largest_cardinality",
             "CHEN Algorithms 1 and 3 with the set of largest cardinality, on a random instance",
             {"seed", "equal", "known"},
             {"prefix", "printed", "prefix_first", "printed_first", "mc_sf"},
             largest_cardinality}};
}

} // namespace crx::claims

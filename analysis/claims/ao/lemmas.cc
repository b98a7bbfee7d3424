#include "analysis/claims/ao/claims.hh"
#include "analysis/claims/tools/paths.hh"
#include "analysis/fluid/domination.hh"
#include "analysis/fluid/thresholds.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace crx::claims {
namespace {

using fluid::Domination;

constexpr Nanoseconds second = 1'000'000'000;

/// Up to 5,000 seconds, one horizon.
IterationCell long_path(IterationCell cell)
{
    cell.checkpoints = {5'000 * second};
    return cell;
}

std::string compared(Domination const& d)
{
    return fmt::format("{} comparisons, {} below", d.compared, d.below);
}

Fresh test_1(Stated const& stated)
{
    Trial trial(stated);
    double sum = 0, squares = 0;
    for (std::int64_t path = 0; path < 400; ++path) {
        auto const q = fluid::discrete_queue(3, 2'000, 1, path);
        auto const difference = q.queue - 3 * q.stuck;
        trial.expect(difference == q.arrivals - 3 * 2'000 * stated.bound_percent / 100);
        sum += static_cast<double>(difference);
        squares += static_cast<double>(difference * difference);
    }
    // E[W] = n E[stuck]: 6.2 standard errors, false alarm 1e-9.
    trial.expect(std::abs(sum) < 6.2 * std::sqrt(squares));
    return trial.verdict(Verdict::proved);
}

/// Lemma 2's process, which starts at and never falls below `least`, less the queue: its least
/// value over a path.
std::int64_t least_lead(std::int64_t n, std::int64_t least, unsigned seed)
{
    std::mt19937_64 rng(seed);
    std::poisson_distribution<std::int64_t> arrivals(static_cast<double>(n));
    auto coupled = least, lead = least;
    for (std::int64_t step = 0, queue = 0; step < 5'000; ++step) {
        auto const x = arrivals(rng);
        queue += x;
        if (queue >= n) queue -= n;
        coupled = std::max(least, coupled + x - n);
        lead = std::min(lead, coupled - queue);
    }
    return lead;
}

// By the program's paths, and with a process of its own that starts at 2 lambda as stated.
Fresh test_2(Stated const& stated)
{
    Domination all;
    std::int64_t too_near = 0;
    for (std::int64_t const n : {1, 4, 25, 400})
        for (unsigned path = 0; path < 60; ++path) {
            all.add(fluid::discrete_queue(n, 5'000, 1, path).domination);
            too_near += least_lead(n, 2 * n * stated.bound_percent / 100, path) < n ? 1 : 0;
        }
    return {all.below + too_near == 0 ? Verdict::proved : Verdict::broken,
            compared(all) + fmt::format("; {} of 240 other paths come nearer", too_near)};
}

Fresh test_6(Stated const&)
{
    Domination all;
    for (std::vector<std::int64_t> const& n : {std::vector<std::int64_t>{1, 1}, {2, 2}, {3, 2}})
        for (std::int64_t path = 0; path < 12; ++path)
            all.add(fluid::wait_domination(long_path(wait_cell(n, 0)), path));
    auto const figures =
        compared(all) + fmt::format("; {} if a queue is lowered at the end", all.below_at_end);
    if (all.below > 0) return {Verdict::broken, figures};
    return {all.below_at_end > 0 ? Verdict::broken_as_printed : Verdict::holds, figures};
}

Fresh test_7(Stated const&)
{
    Domination all;
    for (std::vector<std::int64_t> const& n :
         {std::vector<std::int64_t>{4, 3}, {3, 2}, {6, 6}, {9, 5}})
        for (std::int64_t path = 0; path < 12; ++path)
            all.add(fluid::nested_domination(long_path(nested_cell(n, 0)), path));
    return {all.below == 0 ? Verdict::proved : Verdict::broken, compared(all)};
}

// Rates that vary, thresholds that keep (13): with n_1, as printed, it fails; with n_k never.
Fresh test_9(Stated const&)
{
    Domination all;
    for (std::int64_t const seconds : {10, 100})
        for (std::vector<std::int64_t> const& n : {std::vector<std::int64_t>{5, 4}, {9, 7}}) {
            auto cell = long_path(nested_cell(n, 0));
            cell.arrivals =
                poisson_rates({{1.5, 0.9}, {0.5, 1.3}, {0.8, 0.4}, {1.2, 1.4}}, seconds * second);
            for (std::int64_t path = 0; path < 10; ++path)
                all.add(fluid::nested_domination(cell, path));
        }
    auto const figures =
        compared(all) + fmt::format("; {} with n_1 as printed", all.below_as_printed);
    if (all.below > 0) return {Verdict::broken, figures};
    return {all.below_as_printed > 0 ? Verdict::broken_as_printed : Verdict::holds, figures};
}

/// Mean of the paths' means of the coupled process, and 6.2 standard errors of it.
struct Sample
{
    double mean = 0, margin = 0;
};

template <class Path>
Sample sample(Path path)
{
    constexpr int paths = 30;
    Sample out;
    double squares = 0;
    for (std::int64_t k = 0; k < paths; ++k) {
        auto const mean = path(k).coupled_mean();
        out.mean += mean / paths;
        squares += mean * mean / paths;
    }
    out.margin = 6.2 * std::sqrt((squares - out.mean * out.mean) / (paths - 1));
    return out;
}

Fresh test_kingman(Stated const& stated)
{
    Trial trial(stated);
    auto const wait_path = long_path(wait_cell({3, 3}, 0));
    auto const nested_path = long_path(nested_cell({8, 5}, 0));
    auto const wait = sample([&](std::int64_t k) { return fluid::wait_domination(wait_path, k); });
    auto const nested =
        sample([&](std::int64_t k) { return fluid::nested_domination(nested_path, k); });
    trial.at_most(wait.mean - wait.margin, fluid::wait_queue_bound(1.9, 3));
    trial.at_most(nested.mean - nested.margin, fluid::nested_queue_bound(8, 5, 0.5));
    return trial.verdict(Verdict::holds,
                         fmt::format("{:.3f} of {:.3f} and {:.3f} of {:.3f}", wait.mean,
                                     fluid::wait_queue_bound(1.9, 3), nested.mean,
                                     fluid::nested_queue_bound(8, 5, 0.5)));
}

// theta >= 8 (n_k - n_(k-1) p) / n_(k-1), and rising in n and in -p; printed with n_k it fails.
Fresh test_8(Stated const& stated)
{
    Trial trial(stated);
    int printed_fails = 0;
    for (std::int64_t before = 2; before <= 60; ++before)
        for (double const p : {0.05, 0.2, 0.5, 0.8, 0.95}) {
            double last = 0;
            for (std::int64_t n = 1; n < before; ++n) {
                auto const drift = static_cast<double>(n) - static_cast<double>(before) * p;
                if (!(drift > 1e-9)) continue;
                auto const theta = fluid::decay_rate(before, n, p);
                trial.at_most(fluid::decay_rate_lower_bound(before, n, p), theta, 1e-9);
                trial.expect(theta > last);
                printed_fails += theta < 8 * drift / static_cast<double>(n) ? 1 : 0;
                last = theta;
            }
        }
    return trial.verdict(
        Verdict::holds,
        fmt::format("printed over n_k in Theorems 2 and 4 it fails in {}", printed_fails));
}

} // namespace

Claim ao_lemma_1()
{
    return {
        .id = "A-L1",
        .paper = Paper::ao,
        .place = "Lemma 1",
        .statement = "E[W_T] = lambda E[T_stuck].",
        .hypotheses = {{"X ~ Poisson(lambda), lambda whole"}},
        .method = Method::identity,
        .verdict = Verdict::proved,
        .evidence = "On every path W - lambda T_stuck = arrivals - lambda T, of mean 0.",
        .command = "crx claims A-L1 --run",
        .page = "docs/proofs/coupled_processes.md",
        .test = test_1,
    };
}

Claim ao_lemma_2()
{
    return {
        .id = "A-L2",
        .paper = Paper::ao,
        .place = "Lemma 2",
        .statement = "The coupled process stays at least lambda above the queue.",
        .hypotheses = {{"as Lemma 1"}},
        .method = Method::proof,
        .verdict = Verdict::proved,
        .evidence = "The printed induction is right; none below in 1,200,000 comparisons.",
        .command = "crx claims A-L2 --run",
        .page = "docs/proofs/coupled_processes.md",
        .test = test_2,
    };
}

Claim ao_lemma_6()
{
    return {
        .id = "A-L6",
        .paper = Paper::ao,
        .place = "Lemma 6",
        .statement =
            "Under WAIT the coupled process in continuous time is above each type's queue.",
        .hypotheses = {{"thresholds with (9)"}},
        .method = Method::search,
        .verdict = Verdict::broken_as_printed,
        .evidence = "True if a batch's prompts leave the queue when it starts; false on some paths "
                    "if when it ends, as the proof can be read.",
        .command = "crx claims A-L6 --run",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_6,
    };
}

Claim ao_lemma_7()
{
    return {
        .id = "A-L7",
        .paper = Paper::ao,
        .place = "Lemma 7",
        .statement = "Under Nested WAIT the coupled process of segment k is above its queue.",
        .hypotheses = {{"none on the law of the arrivals"}},
        .method = Method::proof,
        .verdict = Verdict::proved,
        .evidence = "The printed cases are complete; none below in 103,423 comparisons.",
        .command = "crx claims A-L7 --run",
        .page = "docs/proofs/coupled_processes.md",
        .test = test_7,
    };
}

Claim ao_kingman()
{
    return {
        .id = "A-K",
        .paper = Paper::ao,
        .place = "Kingman's bounds, appendices B and C",
        .statement = "The mean coupled queues are at most 2 n + v/(2(n-v)) (WAIT) and n_k + "
                     "n_(k-1) p(1-p)/(2(n_k - n_(k-1) p)) (Nested WAIT).",
        .hypotheses = {{"thresholds inside (9), and with (10)"}},
        .method = Method::simulation,
        .verdict = Verdict::holds,
        .evidence = "6.367 [6.356, 6.378] of 6.864 and 5.368 [5.341, 5.395] of 6. Under varying "
                    "rates, with the largest share.",
        .command = "crx claims A-K --run",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_kingman,
    };
}

Claim ao_lemma_8()
{
    return {
        .id = "A-L8",
        .paper = Paper::ao,
        .place = "Lemma 8",
        .statement = "theta_k >= 8 (n_k - n_(k-1) p_k)/n_(k-1), and theta rises with the drift.",
        .hypotheses = {{"n_(k-1) > n_k > n_(k-1) p_k"}},
        .reading = "p_k is p_(k-1) of (10); one parameter moves at a time.",
        .method = Method::identity,
        .verdict = Verdict::holds,
        .evidence =
            "Never below on a grid. Theorems 2 and 4 print n_j for n_(j-1), which fails there.",
        .command = "crx claims A-L8 --run",
        .page = "docs/errata.md",
        .test = test_8,
    };
}

Claim ao_lemma_9()
{
    return {
        .id = "A-L9",
        .paper = Paper::ao,
        .place = "Lemma 9",
        .statement = "Under varying rates the coupled process with X = Y - n_1 is above the queue "
                     "of segment k.",
        .hypotheses = {{"thresholds with (13)"}},
        .method = Method::search,
        .verdict = Verdict::broken_as_printed,
        .evidence = "With n_1 below in 525 of 62,357 comparisons; with n_k never (proof).",
        .command = "crx claims A-L9 --run",
        .page = "docs/proofs/coupled_processes.md",
        .test = test_9,
    };
}

} // namespace crx::claims

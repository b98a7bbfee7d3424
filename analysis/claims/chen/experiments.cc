#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/chats.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

// (1,1), (1,3), (1,1), (1,3) in M = 5: H-SF 13, order of arrival 12, which is the optimum.
Fresh test_h_sf(Stated const& stated)
{
    Trial trial(stated);
    auto const instance = at_zero(5, {known(1, 1), known(1, 3), known(1, 1), known(1, 3)});
    trial.at_most({total_latency("mc-sf", instance), 1},
                  {total_latency("mc-benchmark", instance), 1});
    auto const optimum = proven_optimum(instance);
    return {trial.kept() || optimum != 12 ? Verdict::holds : Verdict::broken,
            fmt::format("H-SF {}, order of arrival {}, the proven optimum {}",
                        total_latency("mc-sf", instance), total_latency("mc-benchmark", instance),
                        optimum)};
}

/// 2,000 conversations by the stand-in law under H-SF, A_max and A_min in both readings.
struct Chats
{
    std::vector<Latencies> runs;
    MeanOf most, reading_1, reading_2; ///< over H-SF
    double seconds_of_most = 0;

    Chats(Tokens memory, IntervalRule const& interval)
    {
        auto cell = chats(LmsysSource::chen, 2'000, data_sheet_clock());
        cell.workload.memory = memory;
        cell.workload.interval = interval;
        cell.policies = {policy("mc-sf"), policy("a-max"), policy("a-min"), policy("a-min-evict")};
        runs = average_latencies(cell, 6);
        most = mean_ratio(runs[1], runs[0]);
        reading_1 = mean_ratio(runs[2], runs[0]);
        reading_2 = mean_ratio(runs[3], runs[0]);
        seconds_of_most = mean_of(runs[1]).mean;
    }
    /// "Nearly H-SF": within a tenth, in both readings.
    bool a_min_is_near() const { return reading_1.high() < 1.1 && reading_2.high() < 1.1; }
    std::string figures() const
    {
        return fmt::format("A_max {}, A_min {} and {}", text(most), text(reading_1),
                           text(reading_2));
    }
};

constexpr IntervalRule one_interval{IntervalKind::common, 1, 1'000};
constexpr IntervalRule buckets{IntervalKind::buckets, 1, 1, 100};
constexpr Tokens of_jaillet = 16'492, large = 90'000;

Verdict judge(bool at_jaillet, bool at_large)
{
    if (at_jaillet != at_large) return Verdict::open; // it depends on M, which is not printed
    return at_large ? Verdict::holds : Verdict::broken;
}

Fresh test_figure_5(Stated const&)
{
    Chats const small(of_jaillet, one_interval), wide(large, one_interval);
    auto const said = [](Chats const& c) { return c.a_min_is_near() && c.most.low() > 1.3; };
    return {judge(said(small), said(wide)),
            fmt::format("over H-SF at M = 16,492: {}; at 90,000: {}; stand-in lengths",
                        small.figures(), wide.figures())};
}

Fresh test_figure_6(Stated const& stated)
{
    std::string figures;
    bool said[2] = {};
    for (int k = 0; k < 2; ++k) {
        auto const memory = k == 0 ? of_jaillet : large;
        Chats const coarse(memory, one_interval), fine(memory, buckets);
        auto const factor = coarse.seconds_of_most / fine.seconds_of_most;
        said[k] =
            fine.a_min_is_near() && std::abs(factor / (2 * stated.bound_percent / 100.) - 1) < 0.25;
        figures += fmt::format("M = {}: A_max falls to 1/{:.2f}; over H-SF {}; ", memory, factor,
                               fine.figures());
    }
    return {judge(said[0], said[1]), figures + "stand-in lengths"};
}

// Deteriorates: a twentieth above x = 0.1. Near: within a tenth of H-SF. No memory has both.
Fresh test_figure_7(Stated const&)
{
    std::string figures;
    bool said = false;
    for (Tokens const memory : {of_jaillet, Tokens{30'000}, Tokens{50'000}, large}) {
        auto const at = [&](int hundredths) {
            return Chats(memory, {IntervalKind::relative, 1, 1, 100, hundredths, 100});
        };
        Chats const precise = at(10), vague = at(95), vaguer = at(99);
        auto const worse = [&](Chats const& c) {
            return c.a_min_is_near() && c.seconds_of_most > 1.05 * precise.seconds_of_most;
        };
        said = said || (worse(vague) && worse(vaguer));
        figures += fmt::format("M = {}, x = 0.1: {}; x = 0.95: {}; x = 0.99: {}; ", memory,
                               precise.figures(), vague.figures(), vaguer.figures());
    }
    return {said ? Verdict::open : Verdict::broken, figures + "over H-SF; stand-in lengths"};
}

} // namespace

Claim chen_lower_bound()
{
    return {
        .id = "C-6",
        .paper = Paper::chen,
        .place = "Section 6",
        .statement = "H-SF \"serves as a lower bound\" for every policy.",
        .hypotheses = {{"all at 0, lengths known"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence = "Four requests have 13 under H-SF and 12, the optimum, in order of arrival. At "
                    "large scale A_min reaches 0.845 of it.",
        .command = "crx baseline --instance docs/findings/counterexamples/h_sf_beaten.csv "
                   "--memory 5",
        .page = "docs/findings/h_sf_beaten.md",
        .witness = "h_sf_beaten.json",
        .test = test_h_sf,
    };
}

Claim chen_figure_5()
{
    return {
        .id = "C-E1",
        .paper = Paper::chen,
        .place = "Figure 5",
        .statement = "With [1, 1000] known A_min is nearly H-SF and A_max far from it.",
        .hypotheses = {{"2,000 conversations of LMSYS; M is not printed"}},
        .reading = "M: JAILLET's 16,492 on the same machine.",
        .method = Method::reproduction,
        .verdict = Verdict::open,
        .evidence = "At M = 16,492 A_min has 1.575 [1.555, 1.594] (reading 1) and 4.73 [4.63, "
                    "4.82] (reading 2) times H-SF, A_max 7.97 [7.88, 8.06]. Near M = 90,000 it "
                    "holds: 1.018 and 1.023.",
        .command = "crx sweep experiments/chen/chen_figure_5.toml && crx panels chen_figure_5.db",
        .page = "docs/findings/prediction_traces.md",
        .test = test_figure_5,
    };
}

Claim chen_figure_6()
{
    return {
        .id = "C-E2",
        .paper = Paper::chen,
        .place = "Figure 6",
        .statement = "With buckets of 100 A_max's latency halves, and A_min is near H-SF.",
        .hypotheses = {{"as Figure 5"}},
        .method = Method::reproduction,
        .verdict = Verdict::open,
        .evidence = "At M = 16,492 A_max falls from 166.9 to 24.3 s, A_min has 1.051 [1.044, "
                    "1.059] (reading 1), 2.89 [2.85, 2.93] (reading 2). Near M = 90,000 38.7 to "
                    "18.1 s, 1.005 and 1.006.",
        .command = "crx sweep experiments/chen/chen_figure_6.toml && crx panels chen_figure_6.db",
        .page = "docs/findings/prediction_traces.md",
        .test = test_figure_6,
    };
}

Claim chen_figure_7()
{
    return {
        .id = "C-E3",
        .paper = Paper::chen,
        .place = "Figure 7",
        .statement = "With intervals relative to o, A_max deteriorates at x = 0.95 and 0.99 while "
                     "A_min stays near H-SF.",
        .hypotheses = {{"as Figure 5; l = max(1, floor((1-x) o)), u = ceil((1+x) o)"}},
        .reading = "\"Larger x is more precise\" is a slip.",
        .method = Method::reproduction,
        .verdict = Verdict::broken,
        .evidence = "At x = 0.1, 0.95, 0.99 A_max has 21.7, 27.7, 28.0 s, A_min 23.3, 34.0, 29.1 s "
                    "(reading 1) and 30.9, 91.6, 101.4 s (reading 2), H-SF 21.2 s. At larger M "
                    "A_max does not deteriorate where A_min is near H-SF.",
        .command = "crx sweep experiments/chen/chen_figure_7.toml && crx panels chen_figure_7.db",
        .page = "docs/findings/prediction_traces.md",
        .test = test_figure_7,
    };
}

} // namespace crx::claims

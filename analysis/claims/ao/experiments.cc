#include "analysis/claims/ao/claims.hh"
#include "analysis/claims/trial.hh"

namespace crx::claims {
namespace {

/// Tokens held by (1, o), summed over its rounds.
constexpr std::int64_t volume(std::int64_t o) { return o + o * (o + 1) / 2; }

// Of a place of 10,001 tokens, shorts and longs alternating: tokens held over reserved, in time.
Fresh test_worst_length(Stated const& stated)
{
    Trial trial(stated);
    constexpr std::int64_t u = 10'000;
    Quotient const over_time{volume(1) + volume(u), (u + 1) * (1 + u)};
    trial.expect(!less(over_time, {50'015'002, 100'020'001}) &&
                 !less({50'015'002, 100'020'001}, over_time));
    Quotient const instant{2, u + 1};
    trial.expect(less(instant, {1, 5'000}) && less({1, 5'001}, instant));
    auto fresh = trial.verdict(Verdict::broken_as_printed, "0.50005 over time, 2/10,001 at an "
                                                           "instant");
    if (stated.bound_percent != 100) fresh.verdict = Verdict::broken;
    return fresh;
}

} // namespace

Claim ao_worst_length()
{
    return {
        .id = "A-5.1",
        .paper = Paper::ao,
        .place = "Section 5.1",
        .statement = "Who assumes the longest output for all uses as little as 1/5000 of memory.",
        .hypotheses = {{"prompt 1, outputs 1 and 10,000 at equal rates"}},
        .reading = "At an instant, or over time.",
        .method = Method::identity,
        .verdict = Verdict::broken_as_printed,
        .evidence = "2/10,001 while a short prompt runs, which is one iteration of 10,001; over "
                    "time 50,015,002/100,020,001 = 0.50005. 1/5000 over time needs that nobody is "
                    "long.",
        .command = "crx claims A-5.1 --run",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_worst_length,
    };
}

Claim ao_figures()
{
    return {
        .id = "A-F",
        .paper = Paper::ao,
        .place = "Figures 7, 8, 11 to 14 (sections 6.1, 6.2) and 16 to 18 (7.2)",
        .statement =
            "WAIT and Nested WAIT are ahead of vLLM and Sarathi in throughput (Figure 14: "
            "at 0.5 s more latency); the bound (15) is U-shaped in the number of segments.",
        .hypotheses = {{"Vidur's batch times and the peers' limits, which are not printed"}},
        .reading = "In the iteration model, with d0 and d1 from data sheets: results of the model, "
                   "not of Vidur.",
        .method = Method::reproduction,
        .verdict = Verdict::open,
        .evidence =
            "Figure 8 (overload) yes. Figures 7 and 12 (stable): all reach the fluid's "
            "throughput, WAIT is not ahead. Figure 11 with limits on the peers yes, without "
            "no. Figure 13 between its peers. Figure 14 in the model no: 25.5 s against 2.9 "
            "and 1.7 s. The U shape yes, least at 5 of 2, 5, 10, 25, 50 segments.",
        .command = "crx sweep experiments/ao_figure_11.toml && crx panels ao_figure_11.db",
        .page = "docs/findings/heavy_traffic.md",
    };
}

} // namespace crx::claims

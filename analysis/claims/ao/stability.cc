#include "analysis/claims/ao/claims.hh"
#include "analysis/claims/tools/paths.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// Mixed first come, first served with memory that never binds, at D = 9 d1.
fluid::Exponent latency_growth(double utilisation, std::int64_t paths)
{
    auto cell = fcfs_cell(IterationPolicyKind::fcfs_sarathi, 1'000'000'000, 9);
    auto const d1 = utilisation / 9;
    cell.time = {550'000'000, static_cast<std::uint64_t>(std::llround(d1 * 1e9 * 65'536))};
    return curve_of(cell, paths, 3).latency;
}

Fresh test_1(Stated const& stated)
{
    auto const below = latency_growth(0.9, 40), at = latency_growth(1, 40),
               above = latency_growth(1.2, 40);
    auto const claimed = 0.75 * stated.bound_percent / 100;
    auto const figures = fmt::format("exponent of the latency {} at D = 0.9, {} at 1, {} at 1.2",
                                     text(below), text(at), text(above));
    if (above.value < claimed || below.value > 0.3) return {Verdict::broken, figures};
    return {at.value + at.half_width < claimed ? Verdict::broken_as_printed : Verdict::holds,
            figures};
}

// Path by path completed tokens are at most those that arrived, and in the mean at most the fluid.
Fresh test_2(Stated const& stated)
{
    Trial trial(stated);
    using enum IterationPolicyKind;
    auto const fluid_tokens = 3.; // sum lambda_j l'_j
    for (auto const& cell : {wait_cell({1, 1}, 6), wait_cell({2, 2}, 6), nested_cell({3, 2}, 6),
                             fcfs_cell(fcfs_sarathi, 9, 6), fcfs_cell(fcfs_vllm, 9, 6),
                             fcfs_cell(fcfs_safe, 9, 6), fcfs_cell(fcfs_sarathi, 18, 6)}) {
        auto const paths = launch_paths(cell, 0, 60);
        for (auto const& path : paths)
            for (auto const& t : path) trial.expect(t.completed_tokens <= t.arrived_tokens);
        for (std::size_t c = 0; c < cell.checkpoints.size(); ++c) {
            auto const point = fluid::horizon_point(paths, c, 0.999);
            trial.at_most(point.throughput.mean - point.throughput.half_width, fluid_tokens);
        }
    }
    return trial.verdict(Verdict::proved);
}

} // namespace

Claim ao_proposition_1()
{
    return {
        .id = "A-1",
        .paper = Paper::ao,
        .place = "Proposition 1",
        .statement = "Where D >= 1 the mean latency grows like T under every policy.",
        .hypotheses = {{"D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2); d0 is printed for d1"}},
        .method = Method::simulation,
        .verdict = Verdict::broken_as_printed,
        .evidence =
            "Exponent 0.922 [0.914, 0.930] at D = 1.08, rising; 0.502 [0.487, 0.517] at D = "
            "1; 0 below.",
        .command = "crx sweep experiments/ao/ao_stability.toml && crx panels ao_stability.db",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_1,
    };
}

Claim ao_proposition_2()
{
    return {
        .id = "A-2",
        .paper = Paper::ao,
        .place = "Proposition 2",
        .statement = "The mean throughput of any policy is at most the fluid's.",
        .hypotheses = {{"C >= M*"}},
        .reading = "Throughput counts decode tokens at completion.",
        .method = Method::proof,
        .verdict = Verdict::proved,
        .evidence = "On every path completed tokens are at most those that arrived, whose mean is "
                    "lambda_j l'_j T.",
        .command = "crx claims A-2 --run",
        .page = "docs/proofs/throughput.md",
        .test = test_2,
    };
}

} // namespace crx::claims

#include "analysis/claims/ao/claims.hh"
#include "analysis/claims/tools/paths.hh"
#include "analysis/fluid/critical_load.hh"
#include "analysis/fluid/type_blind.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// The interval of an exponent and an allowance for finite horizons has the printed value.
bool meets(fluid::Exponent const& seen, double printed, double allowance)
{
    return std::abs(seen.value - printed) <= seen.half_width + allowance;
}

// Gap -1/2 and latency 1/2 at equality in (9), -1 and 0 inside. The horizons are short: 0.05.
Fresh test_theorem_1(Stated const& stated)
{
    auto const equal = curve_of(wait_cell({1, 1}, 12), 60, 6);
    auto const inside = curve_of(wait_cell({2, 2}, 12), 60, 6);
    auto const scale = stated.bound_percent / 100.;
    auto const kept = meets(equal.gap, -0.5 * scale, 0.05) &&
                      meets(equal.latency, 0.5 * scale, 0.05) && meets(inside.gap, -1, 0.005) &&
                      std::abs(inside.latency.value) < 0.01;
    return {kept ? Verdict::holds : Verdict::broken,
            fmt::format("at equality gap {}, latency {}; inside {} and {}", text(equal.gap),
                        text(equal.latency), text(inside.gap), text(inside.latency))};
}

// Path by path: the work left and the time spent are at least the bound's, for five policies.
Fresh test_proposition_3(Stated const& stated)
{
    Trial trial(stated);
    using enum IterationPolicyKind;
    auto const memory = stated.bound_percent == 100 ? Tokens{9} : Tokens{8};
    for (auto cell : {wait_cell({1, 1}, 8), nested_cell({2, 1}, 8), fcfs_cell(fcfs_vllm, 9, 8),
                      fcfs_cell(fcfs_sarathi, 9, 8), fcfs_cell(fcfs_safe, 9, 8)})
        for (std::int64_t path = 0; path < 40; ++path) {
            auto const tallies = execute_path(cell, path);
            auto const left = fluid::work_left_at_least(cell, memory, path);
            for (std::size_t c = 0; c < left.size(); ++c) {
                auto const work = 3 * static_cast<double>(tallies[c].tokens_in_system());
                auto const time = 6e-9 * static_cast<double>(tallies[c].total_latency());
                trial.expect(work >= left[c].work - 1e-6);
                trial.expect(time >= left[c].work_time * (1 - 1e-12) - 1e-6);
            }
        }
    return trial.verdict(Verdict::proved);
}

// A constant gap at C = M*; it falls with C. queue_2 / t = 2 gap - gap as in (8).
Fresh test_proposition_4(Stated const& stated)
{
    using enum IterationPolicyKind;
    std::string figures;
    bool gap_stays = true, queue_claim = true;
    for (auto const& [kind, name] :
         {std::pair{fcfs_sarathi, "mixed"}, {fcfs_vllm, "vLLM"}, {fcfs_safe, "safe"}}) {
        auto const curve = curve_of(fcfs_cell(kind, 9, 10), 40, 4);
        auto const& last = curve.points.back();
        auto const queue = 2 * last.gap.mean - last.gap_as_in_8.mean;
        gap_stays = gap_stays && std::abs(curve.gap.value) < 0.1 && last.gap.mean > 0.1;
        queue_claim = queue_claim && queue >= 0.3 * stated.bound_percent / 100;
        figures +=
            fmt::format("{}{}: gap {:.3f}, exponent {}, queue_2/t {:.3f}",
                        figures.empty() ? "" : "; ", name, last.gap.mean, text(curve.gap), queue);
    }
    for (Tokens const memory : {11, 13, 18}) {
        auto const curve = curve_of(fcfs_cell(fcfs_sarathi, memory, 8), 40, 4);
        figures += fmt::format("; mixed, C = {}: gap {:.2g}, exponent {}", memory,
                               curve.points.back().gap.mean, text(curve.gap));
    }
    if (!gap_stays) return {Verdict::broken, figures};
    return {queue_claim ? Verdict::holds : Verdict::broken_as_printed, figures};
}

// The dynamic program over all policies that do not know types, at C = 9 = M*.
Fresh test_proposition_5(Stated const& stated)
{
    auto const never = fluid::type_blind_capacity(appendix_load(), 9, {false, 0}, 1e-7);
    auto const allowed = fluid::type_blind_capacity(appendix_load(), 9, {true, 1}, 1e-7);
    auto const batch_alone = curve_of(nested_cell({2, 1}, 10), 40, 4);
    auto const fluid_tokens = 3 * stated.bound_percent / 100.;
    auto const figures =
        fmt::format("at most {:.5f} of 3 without restarts, {:.5f} with; Nested WAIT (2, 1), whose "
                    "batch alone keeps to 9: gap exponent {}",
                    never.throughput, allowed.throughput, text(batch_alone.gap));
    if (!(never.throughput < fluid_tokens) || !(allowed.throughput < fluid_tokens))
        return {Verdict::broken, figures};
    return {batch_alone.gap.value < -0.35 ? Verdict::broken_as_printed : Verdict::holds, figures};
}

} // namespace

Claim ao_theorem_1()
{
    return {
        .id = "A-T1",
        .paper = Paper::ao,
        .place = "Theorem 1",
        .statement = "WAIT's gap is O((zeta T)^-1/2), its latency and time to first token O((zeta "
                     "T)^1/2) where (9) holds; inside it O(1/(zeta T)) and O(1), type by type.",
        .hypotheses = {{"thresholds with (9), all types at equality for the first half"}},
        .reading = "C >= M^pi.",
        .method = Method::simulation,
        .verdict = Verdict::holds,
        .evidence =
            "At equality -0.503 [-0.542, -0.464] and 0.491 [0.468, 0.514] from zeta = 2^8 on, "
            "inside -1.002 [-1.009, -0.995] and 0.001 [0.001, 0.001], 100 paths to zeta = "
            "2^14.",
        .command =
            "crx sweep experiments/ao/ao_heavy_traffic.toml && crx panels ao_heavy_traffic.db",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_theorem_1,
    };
}

Claim ao_proposition_3()
{
    return {
        .id = "A-3",
        .paper = Paper::ao,
        .place = "Proposition 3 (no proof is printed)",
        .statement = "There is an instance on which every policy has latency and time to first "
                     "token Omega((zeta T)^1/2).",
        .hypotheses = {{"C = M*"}},
        .method = Method::proof,
        .verdict = Verdict::sharpened,
        .evidence = "Latency: on every instance, with a constant (proof). First token: where l' = "
                    "1, and for policies that never cancel.",
        .command = "crx fluid experiments/ao/ao_heavy_traffic.toml",
        .page = "docs/proofs/critical_load.md",
        .test =
            [](Stated const& stated) {
                auto fresh = test_proposition_3(stated);
                if (fresh.verdict == Verdict::proved) fresh.verdict = Verdict::sharpened;
                return fresh;
            },
    };
}

Claim ao_proposition_4()
{
    return {
        .id = "A-4",
        .paper = Paper::ao,
        .place = "Proposition 4",
        .statement = "There is an instance on which first come, first served keeps a constant gap; "
                     "the proof: queue_2 >= 0.3 t.",
        .hypotheses = {{"C = M*"}},
        .reading = "Mixed batches (A.3), vLLM's, or safe starts.",
        .method = Method::simulation,
        .verdict = Verdict::broken_as_printed,
        .evidence = "At C = M* = 9 the gap is 0.38 (mixed), 1.05 (vLLM), 0.22 (safe) of 3. It is "
                    "gone at 13, between 18 and 36, at 11 tokens. queue_2/t is 0.127, 0.351, "
                    "0.074: 0.3 for vLLM alone.",
        .command = "crx sweep experiments/ao/ao_fcfs_memory.toml && crx panels ao_fcfs_memory.db",
        .page = "docs/findings/heavy_traffic.md",
        .test = test_proposition_4,
    };
}

Claim ao_proposition_5()
{
    return {
        .id = "A-5",
        .paper = Paper::ao,
        .place = "Proposition 5",
        .statement = "There is an instance on which every policy that does not know types keeps a "
                     "constant gap.",
        .hypotheses = {{"C = M*"}},
        .reading = "Whether paused prompts count against C is left open.",
        .method = Method::exhaustion,
        .verdict = Verdict::broken_as_printed,
        .evidence =
            "If they count, some gap remains (proof): at least 0.194 of 3 (dynamic program). If "
            "not, Nested WAIT (2, 1) knows no types and its gap falls like -0.512 [-0.531, "
            "-0.493].",
        .command = "crx fluid experiments/ao/ao_fluid_memory.toml --type-blind 9",
        .page = "docs/proofs/type_blind.md",
        .test = test_proposition_5,
    };
}

} // namespace crx::claims

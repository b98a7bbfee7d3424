#include "analysis/bounds/curve_hypotheses.hh"

#include <cmath>

namespace crx::bounds {

namespace {

constexpr CurveHypotheses entries[] = {
    {.id = "chen-3.3"},
    {.id = "chen-3.4-printed"},
    {.id = "chen-3.4-corrected"},
    {.id = "a-max-any-outputs", .of_opt = true, .no_prompts = true, .u_divides_m = true},
    {.id = "a-max-dyadic", .of_opt = true, .no_prompts = true},
    {.id = "a-max-workers", .two_lengths = true},
    {.id = "a-max-two-point", .two_lengths = true},
    {.id = "chen-8.6", .no_prompts = true},
    {.id = "chen-8.6-general", .two_lengths = true},
    {.id = "a-random-two-point", .two_lengths = true},
    {.id = "chen-5.1", .no_prompts = true, .two_lengths = true},
    {.id = "chen-5.1-general", .two_lengths = true},
    {.id = "a-min-two-point", .two_lengths = true},
    {.id = "chen-5.2", .no_prompts = true, .two_lengths = true},
    {.id = "chen-5.2-general", .two_lengths = true},
    {.id = "a-ell-two-point", .two_lengths = true},
    {.id = "chen-4.6-geometric"},
    {.id = "chen-4.6-geometric-unbounded", .no_prompts = true},
    {.id = "chen-4.6-linear-geometric"},
    {.id = "chen-5.3", .no_prompts = true},
    {.id = "chen-4.3-trace", .no_prompts = true},
    {.id = "chen-fig-1-fit", .no_prompts = true},
    {.id = "log-bound", .no_prompts = true},
};

/// Whether a bound on a ratio to OPT, or to H-SF, bounds that to this denominator too.
bool covers(bool of_opt, BaselineKind baseline)
{
    switch (baseline) {
    case BaselineKind::h_sf:
    case BaselineKind::mc_sf: return true; // with all requests at 0 they are one schedule
    case BaselineKind::best_found:
    case BaselineKind::opt_upper:
    case BaselineKind::opt: return of_opt;
    case BaselineKind::volume:
    case BaselineKind::release:
    case BaselineKind::dual:
    case BaselineKind::peaks:
    case BaselineKind::lp:
    case BaselineKind::clique_lp:
    case BaselineKind::opt_lower: break;
    }
    return false;
}

} // namespace

CurveHypotheses const* hypotheses_of(std::string_view id)
{
    for (auto const& entry : entries)
        if (entry.id == id) return &entry;
    return nullptr;
}

std::vector<std::string> all_hypotheses(CurveHypotheses const& curve)
{
    // A case in which each of them fails.
    CurveCase const at{.baseline = BaselineKind::volume,
                       .prompts = true,
                       .other_lengths = true,
                       .u = 2,
                       .memory = 3,
                       .arrivals = true,
                       .affine = true};
    return failed_hypotheses(curve, at);
}

std::vector<std::string> failed_hypotheses(CurveHypotheses const& curve, CurveCase const& at)
{
    std::vector<std::string> failed;
    if (!covers(curve.of_opt, at.baseline))
        failed.emplace_back(curve.of_opt ? "over OPT and schedules" : "over H-SF");
    if (curve.no_prompts && at.prompts.value_or(false)) failed.emplace_back("for prompts of 0");
    if (curve.two_lengths && at.other_lengths.value_or(false))
        failed.emplace_back("for outputs of two lengths");
    if (curve.u_divides_m && at.u && at.memory && std::fmod(*at.memory, *at.u) != 0)
        failed.emplace_back("for u that divides M");
    if (at.arrivals) failed.emplace_back("for requests that all arrive at 0");
    if (at.affine) failed.emplace_back("for rounds of one length");
    return failed;
}

} // namespace crx::bounds

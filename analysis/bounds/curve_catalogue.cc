#include "analysis/bounds/curve_catalogue.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/geometric.hh"
#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"

#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

namespace crx::bounds {

namespace {

constexpr CurveHypotheses entries[] = {
    {.id = "chen-3.3"},
    {.id = "chen-3.4-printed", .no_prompts = true, .u_is_m = true},
    {.id = "chen-3.4-corrected", .no_prompts = true, .u_is_m = true},
    {.id = "a-max-any-outputs", .of_opt = true, .no_prompts = true, .u_divides_m = true},
    {.id = "a-max-dyadic", .of_opt = true, .no_prompts = true},
    {.id = "a-max-workers", .two_lengths = true, .limit = true},
    {.id = "a-max-two-point", .two_lengths = true, .limit = true},
    {.id = "chen-8.6", .no_prompts = true, .limit = true},
    {.id = "chen-8.6-general", .two_lengths = true, .limit = true},
    {.id = "a-random-two-point", .two_lengths = true, .limit = true},
    {.id = "chen-5.1", .no_prompts = true, .two_lengths = true, .limit = true},
    {.id = "chen-5.1-general", .two_lengths = true, .limit = true},
    {.id = "a-min-two-point", .two_lengths = true, .limit = true},
    {.id = "chen-5.2", .no_prompts = true, .two_lengths = true, .limit = true},
    {.id = "chen-5.2-general", .two_lengths = true, .limit = true},
    {.id = "a-ell-two-point", .two_lengths = true, .limit = true},
    {.id = "chen-4.6-geometric", .limit = true},
    {.id = "chen-4.6-geometric-unbounded", .no_prompts = true, .limit = true},
    {.id = "chen-4.6-linear-geometric", .limit = true},
    {.id = "chen-5.3", .no_prompts = true, .limit = true},
    {.id = "chen-4.3-trace", .no_prompts = true, .limit = true},
    {.id = "chen-fig-1-fit", .no_prompts = true, .limit = true},
    {.id = "log-bound", .no_prompts = true, .limit = true},
    {.id = "svf-3.2", .of_opt = true},
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
    auto all = failed_hypotheses(curve, at);
    if (curve.limit) all.emplace_back(limit_text);
    return all;
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
    if (curve.u_is_m && at.u && at.memory && *at.memory != *at.u) failed.emplace_back("for u = M");
    if (at.arrivals) failed.emplace_back("for requests that all arrive at 0");
    if (at.affine) failed.emplace_back("for rounds of one length");
    return failed;
}

namespace {

using P = CurveReader;

TwoPointShape shape(P const& at)
{
    if (at.has("l")) return shape_of_lengths(at.get("l"), at.get("u"), at.get_or("s", 0));
    double const alpha = at.get("alpha");
    if (at.has("u")) {
        double const u = at.get("u");
        require(u > 0, "u", u, "positive");
        return shape_of_alpha(alpha, at.get_or("s", 0) / u);
    }
    return shape_of_alpha(alpha, at.get_or("s_over_u", 0));
}

double alpha(P const& at)
{
    if (at.has("alpha")) return at.get("alpha");
    return at.has("l") ? shape_of_lengths(at.get("l"), at.get("u"), 0).a : at.get("alpha");
}

double odds(P const& at) { return at.has("t") ? at.get("t") : odds_of_fraction(at.get("w")); }

std::int64_t whole_u(P const& at)
{
    double const u = at.get("u");
    require(u >= 1 && u <= 1e15 && u == std::floor(u), "u", u, "an integer from 1 to 1e15");
    return static_cast<std::int64_t>(u);
}

/// alpha of a shape without prompts. The bound is false with them: at l = 1, u = 10^6 it is 4.70,
/// and rho is 13.30 at s = 100.
double alpha_without_prompts(P const& at)
{
    auto const [a, b] = shape(at);
    double const s = at.has("s") ? at.get("s") : at.get_or("s_over_u", 0);
    require(s == 0 && b == a, at.has("s") ? "s" : "s/u", s,
            "0: with prompts this is no bound (crx spectrum has the value for them)");
    return a;
}

std::string const lengths = "alpha or l, u";
std::string const shapes = "alpha[, s_over_u] or l, u[, s] or alpha, u[, s]";
std::string const instances = shapes + "; t or w";

/// `share`: the largest s + o over M, in (0, 1).
double smallest_volume_upper(double share)
{
    if (!(share > 0 && share < 1))
        throw std::domain_error(
            fmt::format("peak_share = {} is not accepted: must be a number in (0, 1)", share));
    return 1 + 2 / (1 - share);
}

std::vector<Curve> make_catalogue()
{
    return {
        {"chen-3.3", "A_max is at most (1/a)(1+1/a)/2 times H-SF", "CHEN, Theorem 3.3",
         "$A_{\\mathrm{max}}$ upper bound, Thm 3.3", lengths,
         [](P const& p) { return a_max_upper(alpha(p)); }},
        {"chen-3.4-printed", "A_max reaches (1/a)(1+a^-1/2)/2 times H-SF, as printed",
         "CHEN, Theorem 3.4", "$A_{\\mathrm{max}}$ lower bound, Thm 3.4 as printed", lengths,
         [](P const& p) { return a_max_lower_as_printed(alpha(p)); }},
        {"chen-3.4-corrected", "supremum that the construction of Theorem 3.4 reaches",
         "CHEN, proof of Theorem 3.4, corrected", "$A_{\\mathrm{max}}$, construction of Thm 3.4",
         lengths, [](P const& p) { return a_max_construction_supremum(alpha(p)); }},
        {"a-max-any-outputs", "A_max is at most this times OPT on any outputs (s = 0, u divides M)",
         "list schedules and the volume bound", "$A_{\\mathrm{max}}$ on any outputs, at most",
         lengths, [](P const& p) { return a_max_any_outputs(alpha(p)); }},
        {"a-max-dyadic", "A_max at M = u has at least this ratio on lengths l, 2l, 4l, .. (s = 0)",
         "one worker and batches", "$A_{\\mathrm{max}}$ on lengths l, 2l, 4l, .., at least",
         lengths, [](P const& p) { return a_max_dyadic(alpha(p)); }},
        {"a-max-workers", "supremum of A_max on two points as M/(s+u) parallel workers",
         "CHEN, proof of Theorem 3.4, with s kept", "$A_{\\mathrm{max}}$ on two points", shapes,
         [](P const& p) { return a_max_two_point_supremum(shape(p)); }},
        {"a-max-two-point", "A_max on two points as M/(s+u) parallel workers",
         "CHEN, proof of Theorem 3.4, with s kept", "$A_{\\mathrm{max}}$, fluid", instances,
         [](P const& p) { return a_max_two_point(shape(p), odds(p)); }},
        {"chen-8.6", "A_random is at most (1+1/a)/2 times H-SF, as printed (s = 0)",
         "CHEN, Theorem 8.6", "$A_{\\mathrm{random}}$ upper bound, Thm 8.6", lengths,
         [](P const& p) { return a_random_as_printed(alpha(p)); }},
        {"chen-8.6-general", "supremum of A_random's fluid ratio on two points, (1+1/g)/2, any s",
         "CHEN, proof of Theorem 8.6, with s kept", "$A_{\\mathrm{random}}$ on two points", shapes,
         [](P const& p) { return a_random_two_point_supremum(shape(p)); }},
        {"a-random-two-point", "fluid ratio of A_random on two points",
         "CHEN, proof of Theorem 8.6", "$A_{\\mathrm{random}}$, fluid", instances,
         [](P const& p) { return a_random_two_point(shape(p), odds(p)); }},
        {"chen-5.1", "A_min on two points is at most (3-a)/2 times H-SF, as printed (s = 0)",
         "CHEN, Theorem 5.1", "$A_{\\mathrm{min}}$ on two points, Thm 5.1", lengths,
         [](P const& p) { return a_min_two_point_as_printed(alpha(p)); }},
        {"chen-5.1-general",
         "supremum of A_min's fluid ratio on two points, 1+(sqrt(b/a)-b)/2, any s",
         "CHEN, proof of Theorem 5.1, with s kept", "$A_{\\mathrm{min}}$ on two points", shapes,
         [](P const& p) { return a_min_two_point_supremum(shape(p)); }},
        {"a-min-two-point", "fluid ratio of A_min on two points",
         "CHEN, Lemma 4.6 and proof of Theorem 5.1", "$A_{\\mathrm{min}}$, fluid", instances,
         [](P const& p) { return a_min_two_point(shape(p), odds(p)); }},
        {"chen-5.2", "A_l on two points is at most 1+a/(2(1-a)), or 1+2a^2 from a = 1/2 (s = 0)",
         "CHEN, Theorem 5.2", "$A_{\\ell}$ on two points, Thm 5.2", lengths,
         [](P const& p) { return a_ell_two_point_supremum(shape_of_alpha(alpha(p))); }},
        {"chen-5.2-general", "supremum of A_l's fluid ratio on two points, with g for a, any s",
         "CHEN, Theorem 5.2, with s kept", "$A_{\\ell}$ on two points", shapes,
         [](P const& p) { return a_ell_two_point_supremum(shape(p)); }},
        {"a-ell-two-point", "fluid ratio of A_l on two points", "CHEN, proof of Theorem 5.2",
         "$A_{\\ell}$, fluid", instances,
         [](P const& p) { return a_ell_two_point(shape(p), odds(p)); }},
        {"chen-4.6-geometric", "fluid ratio of A_min on the geometric law cut at u",
         "CHEN, Lemma 4.6 and section 5.2", "$A_{\\mathrm{min}}$, geometric, Lemma 4.6",
         "q, u[, s]",
         [](P const& p) { return geometric_ratio(p.get("q"), whole_u(p), p.get_or("s", 0)); }},
        {"chen-4.6-geometric-unbounded",
         "fluid ratio of A_min on the geometric law, u infinite, s = 0", "CHEN, Lemma 4.6, summed",
         "$A_{\\mathrm{min}}$, geometric, u = ∞", "q",
         [](P const& p) { return geometric_ratio_unbounded(p.get("q")); }},
        {"chen-4.6-linear-geometric",
         "fluid ratio of A_min on the linearly weighted geometric law cut at u",
         "CHEN, Lemma 4.6 and section 5.3", "$A_{\\mathrm{min}}$, linear-geometric, Lemma 4.6",
         "q, u[, s]",
         [](P const& p) {
             return linear_geometric_ratio(p.get("q"), whole_u(p), p.get_or("s", 0));
         }},
        {"chen-5.3", "A_min on the linearly weighted geometric law, u infinite, s = 0",
         "CHEN, Theorem 5.3", "$A_{\\mathrm{min}}$, linear-geometric, Thm 5.3", "q",
         [](P const& p) { return linear_geometric_ratio_unbounded(p.get("q")); }},
        {"chen-4.3-trace", "the fluid ratio of A_min is at most H_u (l = 1, s = 0)",
         "CHEN, proof of Theorem 4.3", "trace bound H_u", "u",
         [](P const& p) { return harmonic_number(whole_u(p)); }},
        {"chen-fig-1-fit", "the fit 0.2555 ln(u+0.2793)+1.1587 (l = 1, s = 0)", "CHEN, Figure 1",
         "fit of Fig. 1", "u", [](P const& p) { return figure_1_fit(p.get("u")); }},
        {"log-bound",
         "the fluid ratio of A_min (Lemma 4.6) is at most 5/4 + ln(1/a)/4 (s = 0, every l and u)",
         "this program, docs/findings/spectrum.md", "5/4 + 1/4 ln(1/$\\alpha$)", lengths,
         [](P const& p) { return logarithmic_bound(alpha_without_prompts(p)); }},
        {"svf-3.2",
         "smallest volume first is at most 1 + 2/(1 - P/M) times OPT, P the largest s + o",
         "Kong, Qi, Ye, Zhou, arXiv 2606.22327, Theorem 3.2", "smallest volume first, Thm 3.2",
         "peak_share", [](P const& p) { return smallest_volume_upper(p.get("peak_share")); }},
    };
}

} // namespace

double CurveReader::get(std::string const& name) const
{
    read_.insert(name);
    auto const found = at_.find(name);
    if (found == at_.end())
        throw std::invalid_argument(fmt::format("the curve needs a value for {}", name));
    return found->second;
}

double CurveReader::get_or(std::string const& name, double otherwise) const
{
    read_.insert(name);
    auto const found = at_.find(name);
    return found == at_.end() ? otherwise : found->second;
}

std::optional<double> Curve::evaluate(CurveParameters const& at) const
{
    try {
        double const value = function(CurveReader(at));
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    } catch (std::domain_error const&) {
        return std::nullopt;
    }
}

std::vector<Curve> const& curve_catalogue()
{
    static std::vector<Curve> const catalogue = make_catalogue();
    return catalogue;
}

Curve const* find_curve(std::string_view id)
{
    for (auto const& curve : curve_catalogue())
        if (curve.id == id) return &curve;
    return nullptr;
}

} // namespace crx::bounds

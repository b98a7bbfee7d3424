#include "host/plot/curve_look.hh"

#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"

namespace crx {

namespace {

using plot::Stroke;

struct Entry
{
    std::string_view id;
    CurveLook look;
};

constexpr auto a_max = MaxLength::kind, a_min = MinLength::kind, a_ell = PromoteLower::kind,
               a_random = RandomOrder::kind;

constexpr Entry entries[] = {
    {"chen-3.3", {a_max, Stroke::dashed}},
    {"chen-3.4-printed", {a_max, Stroke::dotted}},
    {"chen-3.4-corrected", {a_max, Stroke::dash_dotted}},
    {"a-max-any-outputs", {a_max, Stroke::long_dashed}},
    {"a-max-dyadic", {a_max, Stroke::dash_dotted}},
    {"a-max-workers", {a_max, Stroke::solid}},
    {"a-max-two-point", {a_max, Stroke::solid}},
    {"chen-8.6", {a_random, Stroke::dashed}},
    {"chen-8.6-general", {a_random, Stroke::solid}},
    {"a-random-two-point", {a_random, Stroke::solid}},
    {"chen-5.1", {a_min, Stroke::dashed}},
    {"chen-5.1-general", {a_min, Stroke::solid}},
    {"a-min-two-point", {a_min, Stroke::solid}},
    {"chen-5.2", {a_ell, Stroke::dashed}},
    {"chen-5.2-general", {a_ell, Stroke::solid}},
    {"a-ell-two-point", {a_ell, Stroke::solid}},
    {"chen-4.6-geometric", {a_min, Stroke::solid}},
    {"chen-4.6-geometric-unbounded", {a_min, Stroke::dash_dotted}},
    {"chen-4.6-linear-geometric", {a_min, Stroke::solid}},
    {"chen-5.3", {a_min, Stroke::dash_dotted}},
    {"chen-4.3-trace", {a_min, Stroke::dashed}},
    {"chen-fig-1-fit", {a_min, Stroke::dotted}},
    {"log-bound", {a_min, Stroke::long_dashed}},
};

} // namespace

CurveLook curve_look(std::string_view id)
{
    for (auto const& entry : entries)
        if (entry.id == id) return entry.look;
    return {std::nullopt, Stroke::long_dashed};
}

} // namespace crx
